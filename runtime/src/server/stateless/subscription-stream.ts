import type { RequestId } from "@mcpwright/protocol/contract";
import { META_SUBSCRIPTION_ID } from "@mcpwright/protocol/names";
import type { ServerCapabilities, SubscriptionFilter } from "../../authoring.js";
import { type Change, coversUri } from "../../connection/change.js";
import { normalUri } from "../../rules/uris.js";

/** An open stream of change notifications (MCP 2026-07-28, subscriptions). */
export class SubscriptionStream {
  readonly #uris: ReadonlySet<string>;

  constructor(
    readonly id: RequestId,
    readonly filter: SubscriptionFilter,
    /** Ends the stream with its result. */
    readonly end: () => void,
  ) {
    this.#uris = new Set(filter.resourceSubscriptions?.map(normalUri));
  }

  includes({ kind, uri }: Change): boolean {
    return uri === undefined ? this.filter[`${kind}ListChanged`] === true : coversUri(this.#uris, uri);
  }

  /** Adds the id of this stream to the params of a notification, or to the result of the stream. */
  withSubscriptionId(params: object | undefined): object {
    return { ...params, _meta: { [META_SUBSCRIPTION_ID]: this.id } };
  }
}

/** Returns the part of a filter that the server's capabilities allow. */
export function grantedFilter(filter: SubscriptionFilter, capabilities: ServerCapabilities): SubscriptionFilter {
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } = filter;
  return {
    ...(toolsListChanged && capabilities.tools?.listChanged && { toolsListChanged }),
    ...(promptsListChanged && capabilities.prompts?.listChanged && { promptsListChanged }),
    ...(resourcesListChanged && capabilities.resources?.listChanged && { resourcesListChanged }),
    ...(resourceSubscriptions && capabilities.resources?.subscribe && { resourceSubscriptions }),
  };
}
