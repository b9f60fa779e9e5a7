import {
  INITIALIZE,
  LOGGING_SET_LEVEL,
  PING,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
} from "@mcpwright/protocol/names";
import type { Implementation, LoggingLevel, ServerCapabilities } from "../../authoring.js";
import type { Capabilities } from "../../connection/capability.js";
import { log } from "../../connection/logger.js";
import type { MethodHandlers } from "../../connection/dispatch-table.js";
import {
  ErrorCode,
  ProtocolError,
  ResourceNotFoundError,
  UnsupportedProtocolVersionError,
} from "../../jsonrpc/errors.js";
import { normalUri } from "../../rules/uris.js";
import { instructionsOf } from "../base-server-options.js";
import { Session } from "../client-description.js";
import type { ServerContext, ServerInternals } from "../contracts.js";

interface InitializeParams {
  readonly protocolVersion: string;
  readonly capabilities: Capabilities;
  readonly clientInfo: Implementation;
}

/** Handlers of methods that only handshake-era clients call. */
export function handshakeHandlers(server: ServerInternals): MethodHandlers {
  const { info, options, revisions } = server;
  return {
    [PING]: () => ({}),

    [INITIALIZE]: ({ protocolVersion, ...client }: InitializeParams, context: ServerContext) => {
      const { side } = context.client;
      if (side.revision !== protocolVersion && options.rejectUnknownVersions)
        throw new UnsupportedProtocolVersionError(ErrorCode.InvalidParams, revisions.ids, protocolVersion);
      const level = options.logLevel ?? "info";
      const { isSingleRequest } = context.connection.transport;
      const declared = server.capabilitiesIn(side, context.principal !== undefined);
      const capabilities = isSingleRequest ? withoutChangeNotifications(declared) : declared;
      context.connection.openSession(new Session(side, client.capabilities, client.clientInfo, level, capabilities));
      if (!isSingleRequest) log(options, "info", { revision: side.revision }, "session opened");
      return {
        protocolVersion: side.revision,
        capabilities,
        serverInfo: info,
        instructions: instructionsOf(options, context),
      };
    },

    [LOGGING_SET_LEVEL]: ({ level }: { level: LoggingLevel }, { session }: ServerContext) =>
      emptyAfter(session?.change({ logLevel: level })),

    [RESOURCES_SUBSCRIBE]: async ({ uri }: { uri: string }, context: ServerContext) => {
      const { session, connection } = context;
      if (connection.transport.isSingleRequest)
        throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${RESOURCES_SUBSCRIBE}`);
      if ((await options.canSubscribe?.(uri, context)) === false) throw new ResourceNotFoundError(uri);
      const one = normalUri(uri);
      if (!session || session.subscriptions.has(one)) return {};
      if (session.subscriptions.size >= connection.maxSubscriptions || !session.reserve(one.length))
        throw new ProtocolError(ErrorCode.InternalError, "Too many subscriptions");
      return emptyAfter(session.change({ subscribe: one }));
    },

    [RESOURCES_UNSUBSCRIBE]: ({ uri }: { uri: string }, { session }: ServerContext) => {
      const one = normalUri(uri);
      if (!session?.subscriptions.has(one)) return {};
      return emptyAfter(session.change({ unsubscribe: one }));
    },
  };
}

/** The empty result, once other nodes know a change. */
function emptyAfter(sharing: Promise<void> | undefined): object | Promise<object> {
  return sharing ? sharing.then(() => ({})) : {};
}

/** Removes the capabilities for change notifications, which a single-request transport cannot send. */
function withoutChangeNotifications(capabilities: ServerCapabilities): ServerCapabilities {
  const kept = Object.entries(capabilities).map(([name, value]) => {
    const { listChanged: _listChanged, subscribe: _subscribe, ...rest } = value as Capabilities;
    return [name, rest];
  });
  return Object.fromEntries(kept) as ServerCapabilities;
}
