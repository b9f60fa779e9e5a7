import { ignoreError } from "./ignore-error.js";
import type { Write } from "./line-writer.js";

/** Standard output while it carries messages and nothing else. */
export interface StdoutRedirection {
  /** How `process.stdout` wrote before. */
  readonly write: Write;
  /** Lets everybody write to standard output again. */
  restore(): void;
}

/**
 * Sends to standard error what others, `console.log` among them, write to `process.stdout`: one stray line would break
 * the peer's reading.
 */
export function redirectStdout(): StdoutRedirection {
  const { stdout, stderr } = process;
  // Only ever called with its stream; put back as it was.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const original = stdout.write;
  const write = original.bind(stdout);
  let active = true;
  const diverted = (...args: Parameters<typeof write>): boolean => (active ? stderr.write(...args) : write(...args));
  stdout.write = diverted as typeof original;
  // A host that goes away takes both streams with it, and whoever wrote did not mean to write there. It stays, because
  // the error of a write may come after `restore`.
  stderr.off("error", ignoreError).on("error", ignoreError);

  return {
    write,
    restore() {
      active = false;
      // Somebody may have wrapped it since; then ours stays below, and does nothing any more.
      if (stdout.write === diverted) stdout.write = original;
    },
  };
}
