import { type PageAnswer, type PageEvents, type PageRequest, type PageResponse, TOKEN_HEADER } from "../page-data.js";
import { readEvents } from "../read-events.js";

/** Milliseconds before a stream that has ended is opened again. */
const pauseMs = 1_000;

export type OnEvent = <Name extends keyof PageEvents>(name: Name, data: PageEvents[Name]) => void;

/** The program that serves the page. */
export class Api {
  #lastEventId: string | undefined;

  constructor(private readonly token: string) {}

  /** Sends a request to the server. `signal` cancels it. */
  request(request: PageRequest, signal: AbortSignal): Promise<PageResponse> {
    return this.#post("request", request, signal) as Promise<PageResponse>;
  }

  async answer(answer: PageAnswer): Promise<void> {
    await this.#post("answer", answer);
  }

  async clear(): Promise<void> {
    await this.#post("clear", {});
  }

  async connect(): Promise<void> {
    await this.#post("connect", {});
  }

  /**
   * Passes on events until the page is closed, over as many streams as it takes.
   * @param onOffline called with the reason when a stream has ended, and with undefined when the next one has begun
   */
  async listen(onEvent: OnEvent, onOffline: (reason: string | undefined) => void): Promise<never> {
    for (;;) {
      try {
        const last = this.#lastEventId;
        const response = await this.#fetch("events", {
          ...(last !== undefined && { headers: { "last-event-id": last } }),
        });
        onOffline(undefined);
        for await (const { id, name, data } of readEvents(response)) {
          onEvent(name as "hello", JSON.parse(data) as PageEvents["hello"]);
          this.#lastEventId = id;
        }
        onOffline("mcpwright dev has ended the connection to this page.");
      } catch (error) {
        onOffline(error instanceof TypeError ? "mcpwright dev does not respond." : (error as Error).message);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async #post(path: string, body: object, signal?: AbortSignal): Promise<unknown> {
    const response = await this.#fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    return response.json();
  }

  async #fetch(
    path: string,
    init: Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Response> {
    const response = await fetch(path, { ...init, headers: { ...init.headers, [TOKEN_HEADER]: this.token } });
    if (!response.ok) throw new Error(await response.text());
    return response;
  }
}

/** Takes the token out of the address, where it would stay in the history, and keeps it for this tab. */
export function takeToken(): string {
  const key = "mcpwright-dev-token";
  const given = location.hash.slice(1);
  if (given !== "") {
    sessionStorage.setItem(key, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(key) ?? "";
}
