import { onTestFinished } from "vitest";
import type { PageEvents, PageRequest, PageResponse } from "../../../../../generator/commands/dev/page/page-data.js";
import { TOKEN_HEADER } from "../../../../../generator/commands/dev/page/page-data.js";
import { readEvents } from "../../../../../generator/commands/dev/page/read-events.js";

/** What the script of the page does, without a browser. */
export class PageClient {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The newest data of each event. */
  readonly latest: { -readonly [Name in keyof PageEvents]?: PageEvents[Name] } = {};
  readonly rows = new Map<number, PageEvents["rows"]["rows"][number]>();
  lastEventId = "";

  constructor(url: string) {
    this.origin = new URL(url).origin;
    this.headers = { [TOKEN_HEADER]: new URL(url).hash.slice(1) };
  }

  /** Opens a stream of events. @returns a function that ends it */
  async listen(lastEventId?: string): Promise<() => void> {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const headers = { ...this.headers, ...(lastEventId !== undefined && { "last-event-id": lastEventId }) };
    const response = await fetch(`${this.origin}/events`, { headers, signal: stop.signal });
    void this.#read(response).catch(() => undefined);
    return () => stop.abort();
  }

  request(request: PageRequest, signal?: AbortSignal): Promise<PageResponse> {
    return this.post("request", request, signal) as Promise<PageResponse>;
  }

  async post(path: string, body: object, signal?: AbortSignal): Promise<unknown> {
    const response = await fetch(`${this.origin}/${path}`, {
      method: "POST",
      headers: this.headers,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    return response.ok ? response.json() : `${response.status} ${await response.text()}`;
  }

  async #read(response: Response): Promise<void> {
    for await (const { id, name, data } of readEvents(response)) {
      const value = JSON.parse(data) as never;
      this.latest[name as "hello"] = value;
      if (name === "rows") for (const row of (value as PageEvents["rows"]).rows) this.rows.set(row.id, row);
      this.lastEventId = id;
    }
  }
}
