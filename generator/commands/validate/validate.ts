import { createReadStream } from "node:fs";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { ValidationReport } from "./validation-report.js";
import { errnoText } from "../../shared/files/file-errors.js";

export interface ValidateOptions {
  /** The path of a .jsonl file, or its bytes. */
  readonly source: string | AsyncIterable<Uint8Array>;
  /** The revision to check against. Default: the one that the conversation states. */
  readonly revision?: string;
  /**
   * Check against a revision that is not in the package: a path or URL of its schema.ts, schema.json or model.json, or
   * its generated folder. Default: none.
   */
  readonly schema?: string;
  /**
   * Extensions whose messages are checked, too, each as an id of one of the package, a path or URL of its schema, or a folder. The
   * revision is then `revision` or `schema`, or by default the one that the first extension is laid over. Default: none.
   */
  readonly extensions?: readonly string[];
  /** Paths or URLs of the files that `schema` or an extension imports, by specifier. Default: none. */
  readonly imports?: Readonly<Record<string, string>>;
}

/**
 * Checks a recorded conversation against a revision, message by message: lifecycle, correlation, direction, capabilities, and
 * the shape of each message. Each line of the record is an object with `from` (client or server) and `message`.
 * @throws DiagnosticError input-not-found, revision-unknown, conversation-revision-untold; also those of an invalid schema
 */
export async function validate(options: ValidateOptions): Promise<ValidationReport> {
  const { source, revision, schema, extensions = [], imports } = options;
  const { validateConversation } = await import("./validate-conversation.js");
  const bytes = typeof source === "string" ? bytesOf(source) : source;
  const [first, ...others] = extensions;
  if (schema === undefined && first === undefined) return validateConversation(bytes, revision);
  const { loadLayeredFacts, loadOwnFacts } = await import("./own-revision.js");
  const facts =
    first !== undefined
      ? await loadLayeredFacts([first, ...others], schema ?? revision, imports)
      : await loadOwnFacts(schema ?? "", imports);
  if (revision !== undefined && revision !== facts.revision)
    fail("revision-unknown", { revision, known: facts.revision });
  return validateConversation(bytes, facts);
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
