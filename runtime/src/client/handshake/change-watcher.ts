import { RESOURCES_SUBSCRIBE, RESOURCES_UNSUBSCRIBE } from "@mcpwright/protocol/names";
import type { SubscriptionFilter } from "../../authoring.js";
import { normalUri } from "../../rules/uris.js";
import type { ChangeWatcher } from "../change-watcher.js";
import type { ClientConnection } from "../client-connection.js";

/** List changes arrive without a subscription; resources are subscribed to one by one. */
export class HandshakeChangeWatcher implements ChangeWatcher {
  readonly #uris = new Set<string>();

  /** @param missed called when changes may have been missed */
  constructor(
    readonly connection: ClientConnection,
    missed: () => void,
  ) {
    connection.transport.ongap = missed;
  }

  async setFilter({ resourceSubscriptions = [], ...lists }: SubscriptionFilter): Promise<SubscriptionFilter> {
    const wanted = new Set(resourceSubscriptions);
    for (const uri of [...this.#uris].filter((known) => !wanted.has(known))) {
      this.#uris.delete(uri);
      // The server may treat another wanted URI as the same resource.
      if (!resourceSubscriptions.some((one) => normalUri(one) === normalUri(uri)))
        await this.connection.request(RESOURCES_UNSUBSCRIBE, { uri });
    }
    for (const uri of [...wanted].filter((one) => !this.#uris.has(one))) {
      await this.connection.request(RESOURCES_SUBSCRIBE, { uri });
      this.#uris.add(uri);
    }
    return { ...lists, ...(wanted.size > 0 && { resourceSubscriptions: [...wanted] }) };
  }

  close(): void {
    this.connection.transport.ongap = undefined;
    this.#uris.clear();
  }
}
