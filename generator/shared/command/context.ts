/** A stream that a command prints to: results to `out`, progress and diagnostics to `err`. */
export interface OutputStream {
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Context {
  readonly out: OutputStream;
  readonly err: OutputStream;
  /** Sets the exit code: 1 for findings or out-of-date output, 4 if a command could not find out. */
  readonly exit: (code: ExitCode) => void;
}

export type ExitCode = 0 | 1 | 2 | 3 | 4;
