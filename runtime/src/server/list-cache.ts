import { JSON_TEXT } from "../engine/json-rpc.js";
import type { ServerContext } from "./context.js";

const maxPages = 1_000;

/** Finished list results with their JSON text: a list is put together once per revision and page, not per call. */
export class ListCache {
  readonly #pages = new Map<string, object>();

  clear(): void {
    this.#pages.clear();
  }

  answer(context: ServerContext, cursor: string | undefined, make: () => object): object {
    const { connection, client, row, method } = context;
    const key = `${client.side.revision} ${method} ${JSON.stringify(cursor)}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const page = { ...connection.server.finish(client.side, row, method, make()) };
    Object.defineProperty(page, JSON_TEXT, { value: JSON.stringify(page) });
    if (this.#pages.size >= maxPages) this.#pages.clear();
    this.#pages.set(key, page);
    return page;
  }
}
