import { ignoreError } from "./ignore-error.js";
import type { Write } from "./line-writer.js";

/** Standard output while it carries only messages. */
export interface StdoutRedirection {
  /** The original `write` of `process.stdout`. */
  readonly write: Write;
  /** Ends the redirection. */
  restore(): void;
}

type Method = (...args: unknown[]) => unknown;
type Methods = Record<"write" | "end" | "destroy" | "destroySoon" | "cork" | "uncork", Method>;

/**
 * Redirects other writes to `process.stdout`, such as those of `console.log`, to standard error: a stray line would break
 * the peer's reading. `end`, `destroy` and `cork`, which `pipeline` and others call, do not affect the messages.
 */
export function redirectStdout(): StdoutRedirection {
  const { stdout, stderr } = process;
  let active = true;
  const restorers: (() => void)[] = [];

  /** Replaces a method. @returns the original */
  function replace(name: keyof Methods, replacement: Method): Method {
    const methods = stdout as unknown as Methods;
    const given = methods[name];
    const original: Method = (...args) => Reflect.apply(given, stdout, args);
    const replaced: Method = (...args) => (active ? replacement : original)(...args);
    methods[name] = replaced;
    restorers.push(() => {
      // If another module has wrapped the method since, ours stays below it and passes calls through.
      if (methods[name] === replaced) methods[name] = given;
    });
    return original;
  }

  const divert = (...args: unknown[]): boolean => {
    (stderr as unknown as Methods).write(...args);
    // Reports no backpressure: the `drain` events of standard output belong to the messages.
    return true;
  };
  const original = replace("write", divert);
  replace("end", (...args) => {
    const done = args.find((arg) => typeof arg === "function");
    const [chunk, encoding] = args.filter((arg) => arg !== done);
    if (chunk !== undefined && chunk !== null) divert(chunk, encoding);
    process.nextTick(() => {
      // `pipeline` waits for this event.
      stdout.emit("finish");
      done?.();
    });
    return stdout;
  });
  for (const name of ["destroy", "destroySoon", "cork", "uncork"] as const) replace(name, () => stdout);
  // When the host exits, both streams break, and the redirected writes must not fail for that. The listener stays,
  // because the error of a write may come after `restore`.
  stderr.off("error", ignoreError).on("error", ignoreError);

  return {
    // With its encoding, because a default encoding may have been set.
    write: (text, done) => original(text, "utf8", done) as boolean,
    restore() {
      active = false;
      for (const restore of restorers) restore();
    },
  };
}
