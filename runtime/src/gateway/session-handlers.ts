import {
  LOGGING_SET_LEVEL,
  NOTIFICATIONS_INITIALIZED,
  NOTIFICATIONS_ROOTS_LIST_CHANGED,
  RESOURCES_UNSUBSCRIBE,
} from "@mcpwright/protocol/names";
import type { LoggingLevel } from "../authoring.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import { normalUri } from "../rules/uris.js";
import type { Server } from "../server.js";
import type { ServerConnection, ServerContext } from "../server/contracts.js";
import type { NotificationContext } from "../server/server-handlers.js";
import { wishLogs } from "./forward/log-wishes.js";
import { endUnwanted } from "./subscriptions.js";
import type { Upstream } from "./upstream/upstream.js";
import type { UpstreamConnection } from "./upstream/upstream-connection.js";

/** The handlers of messages about the session of a client, which concern all servers. */
export function sessionHandlers(server: Server, upstreams: () => readonly Upstream[]): MethodHandlers {
  return {
    [NOTIFICATIONS_INITIALIZED]: (_params: object, { connection, signal }: NotificationContext) =>
      signal.addEventListener("abort", () => clientGone(upstreams(), connection), { once: true }),

    [LOGGING_SET_LEVEL]: async ({ level }: { level: LoggingLevel }, { session, connection }: ServerContext) => {
      wishLogs(connection);
      await session?.change({ logLevel: level });
      for (const one of connectionsOf(upstreams(), connection)) await one.adoptLogLevel(level);
      return {};
    },

    [RESOURCES_UNSUBSCRIBE]: async ({ uri }: { uri: string }, { session }: ServerContext) => {
      const unsubscribe = normalUri(uri);
      if (session?.subscriptions.has(unsubscribe)) await session.change({ unsubscribe });
      for (const { connections } of upstreams()) for (const one of connections) endUnwanted(one, server.connections);
      return {};
    },

    [NOTIFICATIONS_ROOTS_LIST_CHANGED]: (_params: object, { connection }: NotificationContext) => {
      for (const { client } of connectionsOf(upstreams(), connection)) client.sendRootsListChanged();
    },
  };
}

/** Closes the connections of a client that has left. */
export function clientGone(upstreams: readonly Upstream[], client: ServerConnection): void {
  for (const upstream of upstreams) upstream.clientGone(client);
}

/** The connections that belong to a client. */
function connectionsOf(upstreams: readonly Upstream[], client: ServerConnection): readonly UpstreamConnection[] {
  return upstreams.flatMap(({ connections }) => [...connections].filter(({ place }) => place.owner === client));
}
