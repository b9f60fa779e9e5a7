import type { Output } from "./emit/revision-files.js";
import type { Phase } from "./read-model.js";

export interface GenerateOptions {
  /** Revisions to generate. Default: all revisions of the package. */
  readonly revisions?: readonly string[];
  /** Path or URL of a schema.ts, .d.ts or schema.json to generate from instead. */
  readonly schema?: string;
  /** Paths or URLs of the files that `schema` or `extension` imports, by specifier. Default: none. */
  readonly imports?: Readonly<Record<string, string>>;
  /** The id of `schema`, or of the schema in `over`. Default: its LATEST_PROTOCOL_VERSION, or else the date in its folder's name. */
  readonly revision?: string;
  /** Path or URL of the schema of an extension to generate, or of the folder with its schema and overlay. */
  readonly extension?: string;
  /**
   * The revision to lay `extension` over, or path or URL of its schema, which is then generated beside the extension.
   * Default: the last revision that the extension's overlay states.
   */
  readonly over?: string;
  /** Output folder. Default: `generated` in the working directory. */
  readonly out?: string;
  /** Whether to write nothing and report what would change. Reuses no earlier output. */
  readonly check?: boolean;
  /** Like `check`, but reuses the output of unchanged revisions. */
  readonly dryRun?: boolean;
  /** Outputs to generate, with every output that they import. Default: all but `corpus`. */
  readonly only?: readonly Output[];
  /** Called when a phase of a revision begins; `shared` means the files of all revisions. */
  readonly onPhase?: (revision: string, phase: Phase) => void;
}
