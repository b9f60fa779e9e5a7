import { createInterface, type Interface } from "node:readline/promises";
import type { OutputStream } from "../command/context.js";

/** Asks the user. Resolves with the input; undefined when the terminal is closed, or `signal` withdraws the question. */
export type AskUser = (question: string, signal?: AbortSignal) => Promise<string | undefined>;

export interface Terminal {
  readonly ask: AskUser;
  readonly end: () => void;
}

/** Opens the terminal if the user can be asked: standard input and standard error are terminals. */
export function openTerminalFor({ isTTY }: OutputStream, signal: AbortSignal): Terminal | undefined {
  return process.stdin.isTTY && isTTY === true ? openTerminal(signal) : undefined;
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
    async ask(question, withdrawn) {
      const ended = withdrawn ? AbortSignal.any([signal, withdrawn]) : signal;
      const answer = open().question(question, { signal: ended });
      return Promise.race([answer.catch(() => undefined), closed]);
    },
    end: () => lines?.close(),
  };
}
