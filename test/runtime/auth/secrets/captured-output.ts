import { inspect } from "node:util";
import { vi } from "vitest";

/** Keeps the text of everything that a program shows: errors in all forms, and what is written to the console. */
export class CapturedOutput {
  readonly texts: string[] = [];

  /** Captures what `work` writes to the standard streams, also through the console, and the warnings of the process. */
  async during<Value>(work: () => Promise<Value>): Promise<Value> {
    const keep = (...values: unknown[]): void => void this.texts.push(...values.map((value) => everything(value)));
    const write = (chunk: string | Uint8Array): boolean => {
      this.texts.push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
      return true;
    };
    const methods = ["log", "info", "warn", "error", "debug", "trace", "dir"] as const;
    const spies = [
      ...[process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write").mockImplementation(write)),
      ...methods.map((name) => vi.spyOn(globalThis.console, name).mockImplementation(keep)),
    ];
    process.on("warning", keep);
    try {
      return await work();
    } finally {
      for (const spy of spies) spy.mockRestore();
      process.off("warning", keep);
    }
  }

  /** Adds all that an error shows, in every way in which programs print errors. */
  addError(error: unknown): void {
    this.texts.push(everything(error));
  }
}

/** Returns a value as programs print it: `String`, the stack, `util.inspect`, JSON, and the same of all causes. */
export function everything(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (seen.has(value)) return "";
  seen.add(value);
  const own = Object.getOwnPropertyNames(value).map((name): unknown => Reflect.get(value, name));
  return [
    value instanceof Error ? `${String(value)}\n${value.stack ?? ""}` : "",
    inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null }),
    jsonOf(value),
    ...own.map((member) => everything(member, seen)),
  ].join("\n");
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}
