import type { Output } from "./emit/revision-files.js";
import type { Phase } from "./read-model.js";

export interface GenerateOptions {
  /** Revisions to generate. Default: all that come with the package. */
  readonly revisions?: readonly string[];
  /** Path or URL of a schema.ts, .d.ts or schema.json to generate from instead. */
  readonly schema?: string;
  /** The id of `schema`. Default: its LATEST_PROTOCOL_VERSION, else the date that its folder is named after. */
  readonly revision?: string;
  /** Output folder. Default: `generated` in the working directory. */
  readonly out?: string;
  /** Write nothing; report what would change. */
  readonly check?: boolean;
  /** Like `check`, for a person who only wants to see. */
  readonly dryRun?: boolean;
  /** Outputs to generate, with all that they import. Default: all but `corpus`. */
  readonly only?: readonly Output[];
  /** Called when a phase of a revision begins; `shared` stands for the files of all revisions. */
  readonly onPhase?: (revision: string, phase: Phase) => void;
}
