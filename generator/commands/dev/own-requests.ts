import { isRawResponse, type JsonObject, messagesOf, type RawRequest, withMessages } from "./json-messages.js";
import type { ReportEvent } from "./listeners.js";
import type { RelayRequests } from "./reopen-session.js";
import type { ServerProcess } from "./server-process.js";

/** The requests of the relay itself. Their responses do not reach the host. */
export class OwnRequests {
  readonly #pending = new Map<
    string | number,
    { readonly at: number; readonly resolve: (response: JsonObject) => void }
  >();
  #count = 0;

  constructor(private readonly report: ReportEvent) {}

  /** Sends requests to a process. */
  at(process: ServerProcess): RelayRequests {
    return {
      request: (request) => this.#send(process, request),
      notify: (message) => this.#pass(process, message),
    };
  }

  /** Removes the responses to requests of the relay from a unit of the server. Returns undefined when nothing is left. */
  take(unit: unknown): unknown {
    const messages = messagesOf(unit);
    const others = messages.filter((message) => !this.#resolve(message));
    return others.length === messages.length ? unit : withMessages(unit, others);
  }

  /** Forgets all requests: their process has ended. */
  clear(): void {
    this.#pending.clear();
  }

  #send(process: ServerProcess, request: RawRequest): Promise<JsonObject> {
    const id = `mcpwright-dev-${++this.#count}`;
    return new Promise((resolve) => {
      this.#pending.set(id, { at: performance.now(), resolve });
      this.#pass(process, { ...request, id });
    });
  }

  #pass(process: ServerProcess, message: JsonObject): void {
    process.send(message);
    this.report({ kind: "message", direction: "to-server", message, origin: "relay", isHidden: true });
  }

  #resolve(message: unknown): boolean {
    if (!isRawResponse(message)) return false;
    const pending = this.#pending.get(message.id);
    if (!pending) return false;
    this.#pending.delete(message.id);
    const durationMs = performance.now() - pending.at;
    this.report({ kind: "message", direction: "to-host", message, origin: "relay", isHidden: true, durationMs });
    pending.resolve(message);
    return true;
  }
}
