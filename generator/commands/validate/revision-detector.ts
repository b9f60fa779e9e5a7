import { INITIALIZE, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import type { RecordEntry } from "./record-entry.js";
import { idKey, metaOf, ownMember } from "./json-values.js";

/**
 * Detects the revision of a conversation: that of the first response that accepts one. Clients that support several eras may
 * request one that the server does not support, and continue with another.
 */
export class RevisionDetector {
  /** By the key of the request's id. */
  readonly #asked = new Map<string, { readonly version: string; readonly isOpening: boolean }>();
  #last: string | undefined;

  /** @returns the revision, as soon as it is certain */
  add({ from, message }: RecordEntry): string | undefined {
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      if (from === "client") this.#ask(one);
      const found = from === "server" ? this.#answer(one) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The most likely revision without such a response. */
  get guess(): string | undefined {
    return this.#last;
  }

  #ask(message: unknown): void {
    const id = ownMember(message, "id");
    const params = ownMember(message, "params");
    const isOpening = ownMember(message, "method") === INITIALIZE;
    const version = isOpening ? ownMember(params, "protocolVersion") : metaOf(params, META_PROTOCOL_VERSION);
    if (id === undefined || typeof version !== "string") return;
    this.#asked.set(idKey(id), { version, isOpening });
    this.#last = version;
  }

  #answer(message: unknown): string | undefined {
    const key = idKey(ownMember(message, "id"));
    const asked = this.#asked.get(key);
    const result = ownMember(message, "result");
    if (!asked || ownMember(message, "method") !== undefined) return undefined;
    this.#asked.delete(key);
    if (result === undefined) return undefined;
    if (asked.isOpening) {
      const version = ownMember(result, "protocolVersion");
      return typeof version === "string" ? version : undefined;
    }
    // A server may reply with another revision that it supports.
    const supported = ownMember(result, "supportedVersions");
    return Array.isArray(supported) && !supported.includes(asked.version) ? undefined : asked.version;
  }
}
