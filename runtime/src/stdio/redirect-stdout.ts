import { ignoreError } from "./ignore-error.js";
import type { Write } from "./line-writer.js";

/** Standard output while it carries only messages. */
export interface StdoutRedirection {
  /** The original `write` of `process.stdout`. */
  readonly write: Write;
  /** Ends the redirection. */
  restore(): void;
}

/**
 * Redirects other writes to `process.stdout`, such as those of `console.log`, to standard error: a stray line would break
 * the peer's reading.
 */
export function redirectStdout(): StdoutRedirection {
  const { stdout, stderr } = process;
  // Only ever called with its stream, and restored unchanged.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const original = stdout.write;
  const write = original.bind(stdout);
  let active = true;
  const diverted = (...args: Parameters<typeof write>): boolean => (active ? stderr.write(...args) : write(...args));
  stdout.write = diverted as typeof original;
  // When the host exits, both streams break, and the redirected writes must not fail for that. The listener stays,
  // because the error of a write may come after `restore`.
  stderr.off("error", ignoreError).on("error", ignoreError);

  return {
    write,
    restore() {
      active = false;
      // If another module has wrapped `write` since, ours stays below it and passes writes through.
      if (stdout.write === diverted) stdout.write = original;
    },
  };
}
