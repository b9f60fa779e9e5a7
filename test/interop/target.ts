/** The target of a client program: its only argument, as JSON. */
export interface Target {
  /** The features to try, by the module that lists them. */
  readonly suite: "fixture" | "everything" | "filesystem" | "memory";
  readonly transport: "stdio" | "http" | "sse";
  /** The revision to negotiate. */
  readonly revision: string;
  /** Whether our client supports all revisions, as it does by default. Default: only `revision`. */
  readonly findOut?: boolean;
  /** Whether the client of SDK 2.x opens with `initialize` without a probe. Default: it probes. */
  readonly isLegacy?: boolean;
  /** With stdio: the command and its arguments. */
  readonly command?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** With the others. */
  readonly url?: string;
  /** Milliseconds that a feature may take. Default: 6,000. */
  readonly patienceMs?: number;
  /** Milliseconds that a call may take. Default: 3,000. */
  readonly timeoutMs?: number;
  /** Whether the server demands tokens that are bound to a key. */
  readonly dpop?: boolean;
  /** A folder that the server can read and write. */
  readonly folder?: string;
}

/** The outcome of one feature. */
export interface Outcome {
  readonly feature: string;
  /** The problem, in the peer's words if it reported something. */
  readonly problem?: string;
}
