import { createInterface, type Interface } from "node:readline/promises";

/** Asks the person at the terminal. Gives what was typed; undefined when there is nobody any more. */
export type AskUser = (question: string) => Promise<string | undefined>;

export interface Terminal {
  readonly ask: AskUser;
  readonly end: () => void;
}

/**
 * The person at the terminal. Questions go to standard error, so that results can be piped on; until the first one comes,
 * the terminal is left as it is.
 */
export function openTerminal(signal: AbortSignal): Terminal {
  let lines: Interface | undefined;
  let closed: Promise<undefined> | undefined;
  const open = (): Interface => {
    if (lines) return lines;
    const opened = createInterface({ input: process.stdin, output: process.stderr });
    // In its raw mode the terminal sends no signal for Ctrl-C.
    opened.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    closed = new Promise((resolve) => opened.once("close", () => resolve(undefined)));
    return (lines = opened);
  };
  return {
    async ask(question) {
      const answer = open().question(question, { signal });
      return Promise.race([answer.catch(() => undefined), closed]);
    },
    end: () => lines?.close(),
  };
}
