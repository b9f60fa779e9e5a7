import { isObject } from "../jsonrpc/guards.js";
import { mismatchOf } from "./pattern.js";

/** A message with its direction, as seen from the recording side. */
export interface RecordedMessage {
  readonly direction: "in" | "out";
  readonly message: unknown;
}

/**
 * Records messages in order. Pass `recorder.trace` as the option `trace` of a client or server:
 * `new Client(info, { trace: recorder.trace })`.
 */
export class Recorder {
  readonly messages: RecordedMessage[] = [];

  /** @param side the recording side; the arrows of the printed record point from client to server */
  constructor(readonly side: "client" | "server" = "client") {}

  readonly trace = (direction: "in" | "out", message: unknown): void => {
    this.messages.push({ direction, message });
  };

  /** The messages in this direction that match a pattern, or have this method. */
  find(direction: "in" | "out", pattern: unknown = {}): unknown[] {
    const wanted = typeof pattern === "string" ? { method: pattern } : pattern;
    return this.messages
      .filter((one) => one.direction === direction && !mismatchOf(wanted, one.message))
      .map(({ message }) => message);
  }

  /** Prints one line per message: an arrow and the JSON, without `jsonrpc`. */
  toString(): string {
    return this.messages
      .map(({ direction, message }) => `${this.arrow(direction)} ${printMessage(message)}`)
      .join("\n");
  }

  /** Prints one line of JSON per message, in the format of `mcpwright validate`. */
  toJSONL(): string {
    const from = (direction: "in" | "out"): string => (this.arrow(direction) === "->" ? "client" : "server");
    return this.messages
      .map(({ direction, message }) => `${JSON.stringify({ from: from(direction), message })}\n`)
      .join("");
  }

  arrow(direction: "in" | "out"): "->" | "<-" {
    return (direction === "out") === (this.side === "client") ? "->" : "<-";
  }
}

/** A message or a pattern as one line of JSON. */
export function printMessage(message: unknown): string {
  const short = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const { jsonrpc, ...rest } = value;
    return jsonrpc === "2.0" ? rest : value;
  };
  const text = JSON.stringify(Array.isArray(message) ? message.map(short) : short(message), (_, value: unknown) =>
    value instanceof RegExp ? String(value) : value,
  ) as string | undefined;
  return text === undefined || text.length <= 2_000 ? String(text) : `${text.slice(0, 2_000)}…`;
}
