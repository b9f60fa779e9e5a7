import { validateConversation } from "../../../../generator/commands/validate/validate-conversation.js";
import type { ValidationReport } from "../../../../generator/commands/validate/validation-report.js";

/** A message with its direction, as conversations write it; `jsonrpc` need not be written. */
export type RecordedTurn = { readonly "->": unknown } | { readonly "<-": unknown };

/** Bytes in pieces, as a stream gives them. */
export async function* bytesOf(text: string | Uint8Array, piece = 7): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let start = 0; start < bytes.length; start += piece) {
    await Promise.resolve();
    yield bytes.subarray(start, start + piece);
  }
}

/** Lines as `inspect --trace` writes them. */
export function recordOf(conversation: readonly RecordedTurn[]): string {
  return conversation
    .map((one, at) => {
      const [from, message] = "->" in one ? ["client", one["->"]] : ["server", one["<-"]];
      return `${JSON.stringify({ at, from, message: complete(message) })}\n`;
    })
    .join("");
}

export function validated(conversation: readonly RecordedTurn[], revision?: string): Promise<ValidationReport> {
  return validateConversation(bytesOf(recordOf(conversation), 4_096), revision);
}

/** `line severity[rule] path: message`, which is what has to be right. */
export function shown({ findings }: ValidationReport): readonly string[] {
  return findings.map(({ line, severity, rule, path, message }) => `${line} ${severity}[${rule}] ${path}: ${message}`);
}

function complete(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(complete);
  return typeof message === "object" && message !== null ? { jsonrpc: "2.0", ...message } : message;
}
