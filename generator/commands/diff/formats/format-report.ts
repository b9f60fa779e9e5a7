import { assertNever } from "../../../shared/assert-never.js";
import type { DiffCategory, DiffReport } from "../finding.js";
import { githubReport } from "./github.js";
import { markdownReport } from "./markdown.js";
import { textReport, type Styles } from "./text.js";

export const diffFormats = ["text", "markdown", "json", "github", "html"] as const;

export type DiffFormat = (typeof diffFormats)[number];

export interface FormatOptions {
  /** What fails a run: errors among annotations. Default: nothing. */
  readonly failOn?: ReadonlySet<DiffCategory>;
  /** How a terminal sets parts of the text off. Default: not at all. */
  readonly styles?: Styles;
}

/** A report as text that ends with a line break. */
export async function formatDiff(report: DiffReport, format: DiffFormat, options: FormatOptions = {}): Promise<string> {
  switch (format) {
    case "text":
      return textReport(report, options.styles);
    case "markdown":
      return markdownReport(report);
    case "json":
      return `${JSON.stringify(report, null, 2)}\n`;
    case "github":
      return githubReport(report, options.failOn ?? new Set());
    case "html": {
      const { htmlReport } = await import("./html.js");
      return htmlReport(report);
    }
    default:
      return assertNever(format);
  }
}
