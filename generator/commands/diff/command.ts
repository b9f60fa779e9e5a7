import { styleText } from "node:util";
import { diff } from "./diff.js";
import { categories, categoryTexts, type DiffCategory } from "./finding.js";
import { diffFormats, formatDiff, type DiffFormat } from "./formats/format-report.js";
import { summary, type Styles } from "./formats/text.js";
import { writeReport } from "./write-report.js";
import { hasColours } from "../../shared/command/colours.js";
import { importOption, importsOf } from "../../shared/command/import-option.js";
import { defineVerb, type Verb } from "../../shared/command/verb.js";
import type { Context, OutputStream } from "../../shared/command/context.js";
import { UsageError } from "../../shared/command/usage-error.js";

interface Arguments {
  readonly before: string;
  readonly after: string;
  readonly format: DiffFormat;
  readonly out: string | undefined;
  readonly "fail-on": string;
  readonly ignore: string | undefined;
  readonly import: readonly string[] | undefined;
}

const byDefault: readonly DiffCategory[] = ["wire", "behaviour", "source", "unstated"];

/** `mcpwright diff`. */
export function diffCommand({ out, exit }: Context): Verb {
  return defineVerb<Arguments>(
    {
      command: "diff <before> <after>",
      describe: "Compare two revisions, and report the effects on receivers, senders and code",
      builder: (argv) =>
        argv
          .positional("before", {
            describe: "Older side: a revision, or a path or URL of a schema.ts, schema.json or model.json",
            type: "string",
            demandOption: true,
          })
          .positional("after", { describe: "Newer side, in the same forms", type: "string", demandOption: true })
          .option("import", importOption)
          .option("format", {
            describe: "Format of the report",
            choices: diffFormats,
            default: "text" as const,
            requiresArg: true,
          })
          .option("out", { describe: "Write the report to this file", type: "string", requiresArg: true })
          .option("fail-on", {
            describe: "Categories that set exit code 1, separated by commas; or any, or none",
            type: "string",
            default: byDefault.join(","),
            requiresArg: true,
          })
          .option("ignore", {
            describe: "JSON file with the findings to omit, and the reasons",
            type: "string",
            requiresArg: true,
          })
          .epilogue(
            `Categories:\n${categories.map((name) => `  ${name.padEnd(12)} ${categoryTexts[name]}`).join("\n")}`,
          )
          .example("$0 diff 2025-11-25 2026-07-28 --format html --out changes.html", "An HTML report")
          .example(
            "$0 diff 2026-07-28 schema/2027-03-01/schema.ts --fail-on wire",
            "In CI: fail only if messages are rejected or misread",
          ),
      handler: async ({ before, after, format, out: file, "fail-on": failOn, ignore, import: imports }) => {
        const failing = categoriesOf(failOn);
        for (const [name, value] of Object.entries({ out: file, ignore }))
          if (value === "") throw new UsageError(`--${name} must not be empty.`);
        const report = await diff({ before, after, ...importsOf(imports), ...(ignore !== undefined && { ignore }) });
        const styles = file === undefined ? stylesFor(out) : undefined;
        const text = await formatDiff(report, format, { failOn: failing, ...(styles && { styles }) });
        if (file === undefined) out.write(text);
        else {
          writeReport(file, text);
          out.write(`${summary(report)}; written to ${file}\n`);
        }
        if (report.findings.some(({ category }) => failing.has(category))) exit(1);
      },
    },
    "Compare two revisions",
    "findings in the categories of --fail-on",
  );
}

function categoriesOf(failOn: string): ReadonlySet<DiffCategory> {
  if (failOn === "any") return new Set(categories);
  if (failOn === "none") return new Set();
  const names = failOn.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(categories as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `--fail-on must be any, none or a list of ${categories.join(", ")}, not ${JSON.stringify(unknown)}.`,
    );
  return new Set(names as DiffCategory[]);
}

function stylesFor(out: OutputStream): Styles | undefined {
  if (!hasColours(out)) return undefined;
  const style =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      styleText(format, text, { validateStream: false });
  return {
    title: style("bold"),
    dim: style("dim"),
    category: {
      wire: style(["bold", "red"]),
      behaviour: style(["bold", "yellow"]),
      source: style(["bold", "blue"]),
      unstated: style(["bold", "magenta"]),
      deprecation: style(["bold", "yellow"]),
      addition: style(["bold", "green"]),
    },
  };
}
