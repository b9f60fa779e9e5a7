import {
  INITIALIZE,
  LOGGING_SET_LEVEL,
  PING,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
} from "@mcpwright/protocol/names";
import type { Implementation, LoggingLevel } from "../authoring.js";
import type { Capabilities } from "../engine/capability.js";
import { ErrorCode, ProtocolError, UnsupportedProtocolVersionError } from "../engine/errors.js";
import type { Handlers } from "../engine/routes.js";
import { Session } from "../server/client-facts.js";
import type { ServerContext } from "../server/context.js";
import type { Server } from "../server/server.js";

interface InitializeParams {
  readonly protocolVersion: string;
  readonly capabilities: Capabilities;
  readonly clientInfo: Implementation;
}

/** Handlers of what only handshake-era clients send. */
export function handshakeHandlers(server: Server): Handlers {
  const { info, options, revisions } = server;
  const { instructions } = options;
  return {
    [PING]: () => ({}),

    [INITIALIZE]: ({ protocolVersion, ...client }: InitializeParams, context: ServerContext) => {
      const [newest] = revisions.handshake;
      const asked = revisions.handshake.find(({ revision }) => revision === protocolVersion);
      const side = asked ?? newest;
      if (!side || (!asked && options.refuseUnknownVersions))
        throw new UnsupportedProtocolVersionError(ErrorCode.InvalidParams, revisions.ids, protocolVersion);
      const level = options.logLevel ?? "info";
      context.connection.begin(new Session(side, client.capabilities, client.clientInfo, level));
      const { capabilities } = server;
      return {
        protocolVersion: side.revision,
        capabilities,
        serverInfo: info,
        ...(instructions !== undefined && { instructions }),
      };
    },

    [LOGGING_SET_LEVEL]: ({ level }: { level: LoggingLevel }, { session }: ServerContext) => {
      if (session) session.logLevel = level;
      return {};
    },

    [RESOURCES_SUBSCRIBE]: ({ uri }: { uri: string }, { session, connection }: ServerContext) => {
      if (session && session.subscriptions.add(uri).size > connection.maxSubscriptions) {
        session.subscriptions.delete(uri);
        throw new ProtocolError(ErrorCode.InternalError, "Too many subscriptions");
      }
      return {};
    },

    [RESOURCES_UNSUBSCRIBE]: ({ uri }: { uri: string }, { session }: ServerContext) => {
      session?.subscriptions.delete(uri);
      return {};
    },
  };
}
