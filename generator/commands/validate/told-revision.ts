import { INITIALIZE, META_PROTOCOL_VERSION } from "@mcpwright/protocol/names";
import type { Entry } from "./entry.js";
import { keyOf, metaOf, own } from "./values.js";

/**
 * Finds out in which revision a conversation is held: that of the first answer which accepts one. Clients of several eras ask
 * for one that the server does not speak, and go on with another.
 */
export class ToldRevision {
  /** By the key of the request's id. */
  readonly #asked = new Map<string, { readonly version: string; readonly isOpening: boolean }>();
  #last: string | undefined;

  /** @returns the revision, as soon as it is certain */
  hear({ from, message }: Entry): string | undefined {
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      if (from === "client") this.#ask(one);
      const found = from === "server" ? this.#answer(one) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The best guess, when there is no such answer. */
  get guess(): string | undefined {
    return this.#last;
  }

  #ask(message: unknown): void {
    const id = own(message, "id");
    const params = own(message, "params");
    const isOpening = own(message, "method") === INITIALIZE;
    const version = isOpening ? own(params, "protocolVersion") : metaOf(params, META_PROTOCOL_VERSION);
    if (id === undefined || typeof version !== "string") return;
    this.#asked.set(keyOf(id), { version, isOpening });
    this.#last = version;
  }

  #answer(message: unknown): string | undefined {
    const key = keyOf(own(message, "id"));
    const asked = this.#asked.get(key);
    const result = own(message, "result");
    if (!asked || own(message, "method") !== undefined) return undefined;
    this.#asked.delete(key);
    if (result === undefined) return undefined;
    if (asked.isOpening) {
      const version = own(result, "protocolVersion");
      return typeof version === "string" ? version : undefined;
    }
    // A server may answer what it speaks, and not be the one that the client hoped for.
    const supported = own(result, "supportedVersions");
    return Array.isArray(supported) && !supported.includes(asked.version) ? undefined : asked.version;
  }
}
