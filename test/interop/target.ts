/** What a client program is to try: its only argument, as JSON. */
export interface Target {
  /** The features to try, by the module that lists them. */
  readonly suite: "fixture" | "everything" | "filesystem" | "memory";
  readonly transport: "stdio" | "http" | "sse";
  /** The revision to agree on. */
  readonly revision: string;
  /** Let our client speak all revisions, as it does by itself. Default: that one only. */
  readonly findOut?: boolean;
  /** With stdio: the command and its arguments. */
  readonly command?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** With the others. */
  readonly url?: string;
  /** A folder that a server may read and write. */
  readonly folder?: string;
}

/** What came of one feature. */
export interface Outcome {
  readonly feature: string;
  /** What did not go as it has to, in the peer's own words where it said something. */
  readonly problem?: string;
}
