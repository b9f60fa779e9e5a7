import { SERVER_DISCOVER, SUBSCRIPTIONS_LISTEN } from "@mcpwright/protocol/names";
import type { SubscriptionFilter } from "../authoring.js";
import { ErrorCode, ProtocolError } from "../engine/errors.js";
import type { Handlers } from "../engine/routes.js";
import type { ServerContext } from "../server/context.js";
import type { Server } from "../server/server.js";
import { honoured, Listen } from "./listen.js";

/** Handlers of what only stateless-era clients send. */
export function statelessHandlers(server: Server): Handlers {
  const { options, revisions } = server;
  return {
    [SERVER_DISCOVER]: () => ({
      supportedVersions: revisions.ids,
      capabilities: server.capabilities,
      instructions: options.instructions,
    }),

    [SUBSCRIPTIONS_LISTEN]: ({ notifications }: { notifications: SubscriptionFilter }, context: ServerContext) => {
      const { connection, requestId, row, signal } = context;
      if (connection.listens.size >= connection.maxSubscriptions)
        throw new ProtocolError(ErrorCode.InternalError, "Too many subscriptions");
      return new Promise((resolve) => {
        const filter = honoured(notifications, server.capabilities);
        const listen = new Listen(requestId, filter, () => resolve(listen.tag(undefined)));
        const gone = (): void => {
          connection.listens.delete(listen);
          // Nobody gets the result, but middleware waits for the handler's end.
          listen.end();
        };
        signal.addEventListener("abort", gone, { once: true });
        // The acknowledgement comes before anything else on the stream.
        if (row.stream) connection.tell(row.stream.acknowledged, listen.tag({ notifications: filter }), requestId);
        connection.listens.add(listen);
      });
    },
  };
}
