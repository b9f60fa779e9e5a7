import type { RelayDirection } from "../relay-events.js";

export interface MessageKey {
  readonly connection: string;
  readonly direction: RelayDirection;
  readonly id: unknown;
}

export interface OpenRequest {
  /** The id of its row. */
  readonly row: number;
  readonly method: string | undefined;
  readonly subject: string | undefined;
}

const maxOpen = 10_000;

/** The requests that have no response yet. The oldest are forgotten when many stay without one. */
export class OpenRequests {
  readonly #requests = new Map<string, OpenRequest>();

  add(key: MessageKey, request: OpenRequest): void {
    this.#requests.set(textOf(key), request);
    const [oldest] = this.#requests.keys();
    if (this.#requests.size > maxOpen && oldest !== undefined) this.#requests.delete(oldest);
  }

  /** Removes and returns the request that a response is for. */
  takeFor(response: MessageKey): OpenRequest | undefined {
    const text = textOf({ ...response, direction: response.direction === "to-host" ? "to-server" : "to-host" });
    const request = this.#requests.get(text);
    this.#requests.delete(text);
    return request;
  }
}

function textOf({ connection, direction, id }: MessageKey): string {
  return JSON.stringify([connection, direction, id]);
}
