import { TOOLS_LIST } from "@mcpwright/protocol/names";
import type { ClientConnection } from "../../client/client-connection.js";
import type { ClientMessages } from "./client-messages.js";
import { isObject } from "../../jsonrpc/guards.js";

/** A list that is longer cannot be read completely. */
const maxPages = 100;

/** What the tools of a server say about tasks, in revisions where clients ask for them (MCP 2025-11-25, tool-level negotiation). */
export class ToolTaskSupport {
  readonly #known = new WeakMap<ClientConnection, Map<string, unknown>>();
  readonly #listing = new WeakMap<ClientConnection, Promise<void>>();

  constructor(readonly messages: ClientMessages) {}

  /** Returns the `execution.taskSupport` of a tool. Lists the tools when this tool was not listed before. */
  async of(name: string, isOutdated = false): Promise<unknown> {
    const { connection } = this.messages;
    let known = this.#known.get(connection);
    if (!known) this.#known.set(connection, (known = new Map<string, unknown>()));
    if (isOutdated || !known.has(name)) {
      await this.#list(connection, known);
      // Some tools are not listed.
      if (!known.has(name)) known.set(name, undefined);
    }
    return known.get(name);
  }

  /** Calls that start at the same time share one list. */
  #list(connection: ClientConnection, known: Map<string, unknown>): Promise<void> {
    let listing = this.#listing.get(connection);
    if (!listing) {
      listing = this.#listAll(known).finally(() => this.#listing.delete(connection));
      this.#listing.set(connection, listing);
    }
    return listing;
  }

  async #listAll(known: Map<string, unknown>): Promise<void> {
    let cursor: unknown;
    for (let page = 0; page < maxPages; page++) {
      const { tools, nextCursor } = await this.messages.send(TOOLS_LIST, cursor === undefined ? {} : { cursor });
      for (const { name, execution } of tools as readonly { name: string; execution?: unknown }[])
        known.set(name, isObject(execution) ? execution["taskSupport"] : undefined);
      if (nextCursor === undefined) return;
      cursor = nextCursor;
    }
  }
}
