import type { Conversions, Side } from "@mcpwright/protocol/contract";
import type {
  ELICITATION_CREATE,
  NOTIFICATIONS_ELICITATION_COMPLETE,
  ROOTS_LIST,
  SAMPLING_CREATE_MESSAGE,
} from "@mcpwright/protocol/names";
import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  ListRootsResult,
  ServerNotifications,
} from "../authoring.js";
import type { ConnectionOptions } from "../connection/connection-options.js";
import type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
import type { ResponseCache } from "./response-cache.js";

export interface ClientOptions extends ConnectionOptions {
  /** What the client offers to servers; `setRequestHandler` adds the handlers. */
  readonly capabilities?: ClientCapabilities;
  /** Keeps results as long as servers allow. Default: nothing is kept. */
  readonly cache?: ResponseCache;
  /** What the server is called in the cache, so that several clients can share one. Default: a name for this client alone. */
  readonly cacheKey?: string;
  /** Whose private results are kept, each token's apart. Default: this connection's. */
  readonly principal?: string;
  /** Rounds of questions that one request may lead to. Default 10. */
  readonly maxRounds?: number;
  /**
   * Checks structured tool output against the schemas that the server has listed. A schema that it cannot use is told to
   * `onerror`, and the output passes. Default: nothing is checked.
   */
  readonly jsonSchemaValidator?: JsonSchemaValidator;
  /** Told of items of a list that do not fit the schema; the others are kept. */
  readonly onInvalidItem?: (item: unknown, method: string) => void;
  /** Starts a server again that went away by itself. Default: not. */
  readonly restart?: RestartOptions;
  /** Told when a connection has ended; with an error unless it was closed. */
  readonly onclose?: (error: Error | undefined) => void;
}

export interface RestartOptions {
  /** How often in a row, before it is given up. Default 3. */
  readonly attempts?: number;
  /** Milliseconds before the first attempt; each further one waits twice as long. Default 500. */
  readonly pauseMs?: number;
}

export interface CoreClientOptions extends ClientOptions {
  /** The revisions to speak: `clientSide` of `@mcpwright/protocol/<revision>`. */
  readonly revisions: readonly Side[];
  /**
   * Makes of what servers of other revisions answer what this package's types say: `conversions` of
   * `@mcpwright/protocol/conversions`, or a choice of them. Default: nothing is converted, which `onerror` is told.
   */
  readonly conversions?: Conversions;
}

/** What servers tell a client, by method. */
export interface ServerNotificationMap extends ServerNotifications {
  /** Up to 2025-11-25. */
  [NOTIFICATIONS_ELICITATION_COMPLETE]: { elicitationId: string };
}

/** What servers may ask of a client, by method. */
export interface ServerRequestMap {
  [ELICITATION_CREATE]: { params: ElicitRequestParams; result: ElicitResult };
  [SAMPLING_CREATE_MESSAGE]: { params: CreateMessageRequestParams; result: CreateMessageResult };
  [ROOTS_LIST]: { params: object; result: ListRootsResult };
}
