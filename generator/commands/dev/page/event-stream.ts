import type { ServerResponse } from "node:http";
import type { MessageHistory } from "./message-history.js";
import type { PageEvents } from "./page-data.js";

/** Milliseconds in which rows are gathered to one event. */
const gatherMs = 30;
/** Bytes that a page may leave unread before its stream ends; it then connects again. */
const maxUnread = 32_000_000;

/** Sends events to one page, which are text of SSE. */
export class EventStream {
  /** The rows up to this version are sent. */
  #version: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #stopWatching: () => void;

  /** @param version the version of the rows that the page has */
  constructor(
    private readonly response: ServerResponse,
    private readonly history: MessageHistory,
    version: number,
  ) {
    // A page of an earlier run can have a version that this one has not reached.
    this.#version = version <= history.version ? version : 0;
    this.#stopWatching = history.onChange(() => this.#gather());
    response.once("close", () => {
      this.#stopWatching();
      clearTimeout(this.#timer);
    });
    response.on("drain", () => this.#gather());
    response.writeHead(200, {
      "cache-control": "no-store",
      "content-type": "text/event-stream",
      "x-content-type-options": "nosniff",
    });
  }

  send<Name extends keyof PageEvents>(name: Name, data: PageEvents[Name]): void {
    if (this.response.writableLength > maxUnread) this.response.destroy();
    else this.response.write(`event: ${name}\nid: ${this.#version}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Sends the rows that were added or changed since the last time. */
  sendRows(): void {
    const { version } = this.history;
    const rows = this.history.since(this.#version);
    this.#version = version;
    this.send("rows", rows);
  }

  /** Rows that leave the history before a slow page can get them are not sent. */
  #gather(): void {
    if (this.#version === this.history.version || this.response.writableNeedDrain) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.sendRows();
    }, gatherMs);
  }
}
