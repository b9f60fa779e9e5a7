import { SERVER_DISCOVER, SUBSCRIPTIONS_LISTEN } from "@mcpwright/protocol/names";
import type { SubscriptionFilter } from "../../authoring.js";
import type { MethodHandlers } from "../../connection/dispatch-table.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { instructionsOf } from "../base-server-options.js";
import type { ServerContext, ServerInternals } from "../contracts.js";
import type { GrantedStream, GrantStream } from "../extension-hooks.js";
import { grantedFilter, SubscriptionStream } from "./subscription-stream.js";

/** Returns the part of a filter that the option `canSubscribe` permits. */
async function permitted(filter: SubscriptionFilter, context: ServerContext): Promise<SubscriptionFilter> {
  const { canSubscribe } = context.connection.server.options;
  const { resourceSubscriptions: uris } = filter;
  if (!canSubscribe || !uris) return filter;
  const checked = await Promise.all(uris.map(async (uri) => canSubscribe(uri, context)));
  return { ...filter, resourceSubscriptions: uris.filter((_, at) => checked[at]) };
}

interface ListenParams {
  readonly notifications: Parameters<GrantStream<ServerContext>>[0];
}

/** Handlers of methods that only stateless-era clients call. */
export function statelessHandlers(server: ServerInternals): MethodHandlers {
  const { options, revisions } = server;
  return {
    [SERVER_DISCOVER]: (_params: object, context: ServerContext) => ({
      supportedVersions: revisions.ids,
      capabilities: server.capabilitiesIn(context.client.side),
      instructions: instructionsOf(options, context),
    }),

    [SUBSCRIPTIONS_LISTEN]: ({ notifications }: ListenParams, context: ServerContext) => {
      const filter = grantedFilter(notifications, server.capabilities);
      const granting = server.grantStream?.(notifications, context);
      return options.canSubscribe || granting
        ? Promise.all([permitted(filter, context), granting]).then(([one, added]) => listenTo(one, context, added))
        : listenTo(filter, context);
    },
  };
}

/** Opens a stream of changes, and resolves when it ends. */
function listenTo(
  filter: SubscriptionFilter,
  { connection, requestId, row, signal }: ServerContext,
  added?: GrantedStream,
): Promise<object> {
  signal.throwIfAborted();
  if (connection.subscriptionStreams.size >= connection.maxSubscriptions)
    throw new ProtocolError(ErrorCode.InternalError, "Too many subscriptions");
  let onEnd: (() => void) | undefined;
  const ended = new Promise<object>((resolve) => {
    const listen = new SubscriptionStream(requestId, filter, () => resolve(listen.withSubscriptionId(undefined)));
    const gone = (): void => {
      connection.subscriptionStreams.delete(listen);
      // The result is not sent, but middleware waits for the handler to end.
      listen.end();
    };
    signal.addEventListener("abort", gone, { once: true });
    // The acknowledgement must be the first message on the stream.
    if (row.stream)
      connection.notifyInBackground(
        row.stream.acknowledged,
        listen.withSubscriptionId({ notifications: { ...filter, ...added?.filter } }),
        requestId,
      );
    connection.subscriptionStreams.add(listen);
    onEnd = added?.open((method, params) => {
      if (connection.subscriptionStreams.has(listen))
        connection.notifyInBackground(method, listen.withSubscriptionId(params), requestId);
    });
  });
  return onEnd ? ended.finally(onEnd) : ended;
}
