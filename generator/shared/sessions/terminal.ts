import { createInterface, type Interface } from "node:readline/promises";

/** Asks the user. Resolves with the input; undefined when the terminal is closed. */
export type AskUser = (question: string) => Promise<string | undefined>;

export interface Terminal {
  readonly ask: AskUser;
  readonly end: () => void;
}

/**
 * Opens the terminal for questions to the user. Questions go to standard error, so that results can be piped. The terminal
 * is not touched before the first question.
 */
export function openTerminal(signal: AbortSignal): Terminal {
  let lines: Interface | undefined;
  let closed: Promise<undefined> | undefined;
  const open = (): Interface => {
    if (lines) return lines;
    const opened = createInterface({ input: process.stdin, output: process.stderr });
    // In raw mode, the terminal does not send a signal for Ctrl-C.
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
