import { SdkError } from "../../jsonrpc/errors.js";

/** A file below the folder of skills. */
export interface SkillFile {
  /** The names from the folder down, separated by `/`, such as `git-workflow/SKILL.md`. */
  readonly path: string;
  /** How many bytes it has. */
  readonly size: number;
  /** Changes whenever the content does, such as a time of change. Default: the file is read again whenever the skills are loaded. */
  readonly version?: string;
}

/** The files that a catalog serves. Implement it for a storage of your own. */
export interface SkillFiles {
  /** Returns all files, and what cannot be served. */
  list(): Promise<{ readonly files: readonly SkillFile[]; readonly problems: readonly SkillFileProblem[] }>;
  /** Returns the content of a listed file; undefined if it is gone, or has more than `mostBytes` bytes. */
  read(path: string, mostBytes: number): Promise<Uint8Array | undefined>;
  /**
   * Watches the files. Needed for the option `watch` only.
   * @param changed called soon after changes, once for many
   * @returns a function that ends it
   */
  watch?(changed: () => void, onerror: (error: Error) => void): () => void;
}

/** What prevents a skill from being served. */
export interface SkillFileProblem {
  /** The file or folder, from the folder of skills down. */
  readonly path: string;
  /** The line of the file, from 1; absent if the problem is not in a line. */
  readonly line?: number;
  readonly message: string;
}

/** Some skills cannot be served; `problems` has the file, the line where there is one, and what to do. */
export class SkillCatalogError extends SdkError {
  override readonly name = "SkillCatalogError";

  constructor(readonly problems: readonly SkillFileProblem[]) {
    const lines = problems.map(
      ({ path, line, message }) => `${path || "."}${line === undefined ? "" : `:${line}`}: ${message}`,
    );
    super("INVALID_CONFIGURATION", `skills cannot be served:\n${lines.map((text) => `  ${text}`).join("\n")}`);
  }
}
