import { withJsonText } from "../../jsonrpc/serialize.js";
import type { ServerContext } from "../../server/contracts.js";

/** Clients whose servers have connections of their own have lists of their own, too: those are requested once. */
const maxPages = 8;

interface Page {
  readonly list: object;
  /** The method, and the revision of the clients. */
  readonly key: string;
  readonly result: object;
}

/** Remembers the lists that were sent last, in the form of a revision and with their JSON text: lists are requested often, and change rarely. */
export class ListPages {
  #pages: readonly Page[] = [];

  /**
   * @param list is compared by identity
   * @param build returns the result
   */
  of(list: object, context: ServerContext, build: () => object): object {
    const key = `${context.method} ${context.client.side.revision}`;
    const known = this.#pages.find((page) => page.list === list && page.key === key);
    if (known) return known.result;
    const result = withJsonText({ ...context.connection.server.finishResult(context, build()) });
    this.#pages = [{ list, key, result }, ...this.#pages.slice(0, maxPages - 1)];
    return result;
  }
}
