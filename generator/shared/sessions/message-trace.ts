import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { diagnostic, type Diagnostic, fail } from "../diagnostics/diagnostic.js";
import { errnoText, hasCode } from "../files/file-errors.js";
import { escapeLine } from "../command/escape-controls.js";

/** The sender by direction; this side is the client. */
const senders = { out: "client", in: "server" } as const;

/** Called with each message or batch: `out` from the client to the server, `in` the other way. */
export type MessageTrace = (direction: "in" | "out", message: unknown) => void;

/** One line of a recorded conversation. */
export interface TracedMessage {
  /** Milliseconds since the recording began. */
  readonly at: number;
  readonly from: "client" | "server";
  /** The message, or batch, as it was received or sent. */
  readonly message: unknown;
}

export interface Recording {
  readonly trace: MessageTrace;
  readonly end: () => void;
}

/** Prints each message on one line. */
export function showMessages(print: (line: string) => void): MessageTrace {
  const now = stopwatch();
  return (direction, message) => {
    const arrow = direction === "out" ? "->" : "<-";
    print(`${String(now()).padStart(6)} ms ${arrow} ${escapeLine(JSON.stringify(message), 400)}`);
  };
}

/**
 * Records each message as a line of JSON for `mcpwright validate`. Each line is written immediately, so the file is
 * complete after a crash.
 * @param onNote called when a write fails; later messages are not recorded
 * @throws DiagnosticError trace-not-writable, also for an existing file that is not a trace
 */
export function recordMessages(path: string, onNote: (note: Diagnostic) => void): Recording {
  const now = stopwatch();
  let file: number | undefined = open(path);
  const end = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    trace(direction, message) {
      if (file === undefined) return;
      const line: TracedMessage = { at: now(), from: senders[direction], message };
      try {
        writeSync(file, `${JSON.stringify(line)}\n`);
      } catch (error) {
        end();
        onNote(diagnostic("trace-not-writable", { path, reason: errnoText(error) ?? String(error) }));
      }
    },
    end,
  };
}

function open(path: string): number {
  let reason = "it exists and is not a trace";
  try {
    if (isTrace(path)) return openSync(path, "w");
  } catch (error) {
    reason = errnoText(error) ?? String(error);
  }
  return fail("trace-not-writable", { path, reason });
}

/** Whether a file may be replaced: it is a trace, or does not exist. */
function isTrace(path: string): boolean {
  try {
    const [first = ""] = readFileSync(path, "utf8").split("\n", 1);
    return first === "" || (JSON.parse(first) as Partial<TracedMessage>).from !== undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    if (hasCode(error, "ENOENT")) return true;
    throw error;
  }
}

function stopwatch(): () => number {
  const began = performance.now();
  return () => Math.round(performance.now() - began);
}
