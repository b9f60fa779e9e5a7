/** Where a command prints: results to `out`, progress and diagnostics to `err`. */
export interface OutputStream {
  readonly isTTY?: boolean;
  /** Of the terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Context {
  readonly out: OutputStream;
  readonly err: OutputStream;
  /** Sets the exit code: 1 for findings or drift. */
  readonly exit: (code: ExitCode) => void;
}

export type ExitCode = 0 | 1 | 2 | 3;
