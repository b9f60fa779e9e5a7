import type { SessionData, SessionValues } from "../http-server/session-data.js";
import { SdkError } from "../jsonrpc/errors.js";

/** Keeps the data of a session in the memory of this process. */
export class SessionMemory implements SessionData {
  #text = "{}";

  /** @param reserve keeps memory for the client; returns false when the client may not have more */
  constructor(readonly reserve: (bytes: number) => boolean = () => true) {}

  read(): SessionValues {
    return JSON.parse(this.#text) as SessionValues;
  }

  change(change: (values: SessionValues) => string | undefined): void {
    const text = change(this.read());
    if (text === undefined) return;
    if (!this.reserve(text.length - this.#text.length))
      throw new SdkError(
        "LIMIT_EXCEEDED",
        "session.store: the client may not take more memory (maxHeldBytes, clientShare); keep the data in a database",
      );
    this.#text = text;
  }
}
