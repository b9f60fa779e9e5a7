import semver from "semver";
import { DiagnosticError, fail } from "../diagnostics/diagnostic.js";
import { isObject } from "../is-object.js";
import { packageRoot } from "../package-root.js";
import { isNewer } from "./is-newer.js";
import { isOutputPath } from "../files/output-path.js";
import { isProjectOptions } from "./is-project-options.js";
import type { ProjectOptions } from "./project-options.js";

/** The file in which a project stores its options and original files. */
export const recordPath = ".mcpwright/project.json";

/** The data that an update needs, because templates of older versions are not available. */
export interface ProjectRecord {
  /** The version of mcpwright that created or last updated the project. */
  readonly version: string;
  readonly options: ProjectOptions;
  /** The text of each file as that version generated it. */
  readonly files: ReadonlyMap<string, string>;
}

export function printRecord({ version, options, files }: ProjectRecord): string {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const about = "Record of the project templates, for `mcpwright update`. Commit this file; do not edit it.";
  return `${JSON.stringify({ about, format: 1, version, options, files: Object.fromEntries(sorted) }, undefined, 2)}\n`;
}

/**
 * Parses and validates the record. The record is not trusted, because it determines which files are written and deleted.
 * @throws DiagnosticError skeleton-record-malformed, skeleton-newer
 */
export function parseRecord(text: string, path: string): ProjectRecord {
  const malformed = (reason: string): never => fail("skeleton-record-malformed", { path, reason });
  try {
    const record: unknown = JSON.parse(text);
    if (!isObject(record) || record["format"] !== 1) return malformed("its format is not 1");
    const { version, options, files } = record;
    if (typeof version !== "string" || semver.valid(version) === null) return malformed("its version is invalid");
    const own = packageRoot().version;
    // Later versions may have other options.
    if (isNewer(version, own)) return fail("skeleton-newer", { path, made: version, version: own });
    if (!isProjectOptions(options)) return malformed("its options are invalid");
    if (!isObject(files)) return malformed("it has no files");
    const texts = Object.entries(files).map(([name, base]): [string, string] => {
      if (!isOutputPath(name) || name === recordPath)
        return malformed(`${name} is not a valid file path of the project`);
      return typeof base === "string" ? [name, base] : malformed(`it does not have the text of ${name}`);
    });
    return { version, options, files: new Map(texts) };
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    return malformed(error instanceof Error ? error.message : String(error));
  }
}
