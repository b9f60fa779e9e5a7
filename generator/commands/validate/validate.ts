import { createReadStream } from "node:fs";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { ValidationReport } from "./validation-report.js";
import { errnoText } from "../../shared/files/file-errors.js";

export interface ValidateOptions {
  /** The path of a .jsonl file, or its bytes. */
  readonly source: string | AsyncIterable<Uint8Array>;
  /** The revision to check against. Default: the one that the conversation states. */
  readonly revision?: string;
}

/**
 * Checks a recorded conversation against a revision, message by message: lifecycle, correlation, direction, capabilities, and
 * the shape of each message. Each line of the record is an object with `from` (client or server) and `message`.
 * @throws DiagnosticError input-not-found, revision-unknown, conversation-revision-untold
 */
export async function validate({ source, revision }: ValidateOptions): Promise<ValidationReport> {
  const { validateConversation } = await import("./validate-conversation.js");
  return validateConversation(typeof source === "string" ? bytesOf(source) : source, revision);
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const reason = errnoText(error);
    if (reason === undefined) throw error;
    fail("input-not-found", { path, reason });
  }
}
