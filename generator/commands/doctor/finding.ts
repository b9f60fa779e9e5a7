/** What a finding is about. */
export type DoctorCheck =
  | "node"
  | "packages"
  | "generated-code"
  | "tsconfig"
  | "module-type"
  | "entry"
  | "peers"
  | "server-output"
  | "port"
  | "hosts"
  | "credentials";

/** What one check of `mcpwright doctor` found. */
export interface DoctorFinding {
  readonly check: DoctorCheck;
  /** `error`: it does not work. `warning`: it may not work. `ok`: the check found nothing wrong. */
  readonly level: "error" | "warning" | "ok";
  readonly message: string;
  /** The file or folder that it is about. */
  readonly path?: string;
  /** What to do, in one line; absent for `ok`. */
  readonly remedy?: string;
}

/** A finding before it belongs to a check. */
export type Problem = Omit<DoctorFinding, "check" | "level"> & { readonly level: "error" | "warning" };

/** What a check found; a string says what is right, when nothing is wrong. */
export type CheckResult = readonly Problem[] | string;

export function problem(level: Problem["level"], message: string, remedy: string, path?: string): Problem {
  return { level, message, remedy, ...(path !== undefined && { path }) };
}
