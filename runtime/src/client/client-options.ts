import type { AnyExtensions, AnyRevisions } from "../connection/known-messages.js";
import type { Conversions, Extension, Side } from "@mcpwright/protocol/contract";
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
import type { Explanation } from "../connection/explain-issues.js";
import type { SdkError } from "../jsonrpc/errors.js";
import type { JsonSchemaValidator } from "../schema/json-schema-validator.js";
import type { EraMemory } from "./connect-options.js";
import type { ResponseCache } from "./response-cache.js";

export interface ClientOptions<Extensions extends readonly Extension[] = AnyExtensions> extends ConnectionOptions {
  /**
   * Extensions of the protocol, each laid over the revisions that it is for. Servers of these revisions receive the id in
   * `capabilities.extensions`. A method of an extension is sent only to servers that declare it, too.
   * @example `[withSettings(rankExtension, { locale: "de" })]`
   */
  readonly extensions?: Extensions;
  /** The capabilities of the client; `setRequestHandler` adds the handlers. */
  readonly capabilities?: ClientCapabilities;
  /** Keeps results as long as servers allow. Default: no cache. */
  readonly cache?: ResponseCache;
  /** The name of the server in the cache. Clients that use the same name share its entries. Default: a random name. */
  readonly cacheKey?: string;
  /** The user whose private results are cached, separately for each token. Default: a random name per connection. */
  readonly principal?: string;
  /**
   * Remembers the eras of servers, so that clients that share it do not probe a known server again. A wrong era is detected.
   * Default: none.
   * @example `new Map<string, Era>()`
   */
  readonly eras?: EraMemory;
  /**
   * Whether a request is sent once more when its response is lost with a stream or a session: one that only reads, and a
   * call of a tool that the server lists with `readOnlyHint` or `idempotentHint`. Default: `true`.
   */
  readonly repeatLost?: boolean;
  /**
   * How often one request may return `input_required` before it fails; with 0, handlers answer no input request in results.
   * Default: 10.
   */
  readonly maxRounds?: number;
  /**
   * Whether a call that a server of 2025-11-25 rejects because the user must visit URLs first (-32042) waits for the user, by the handler of
   * `elicitation/create`, and is sent again. Otherwise it fails with a `RemoteUrlElicitationRequiredError`. Default: `true`.
   */
  readonly completeUrlElicitations?: boolean;
  /**
   * Checks structured tool output against the schemas that the server has listed. A schema that cannot be compiled is
   * reported to `onerror` and `onUncheckedTool`, and the output is not checked. Default: no check.
   */
  readonly jsonSchemaValidator?: JsonSchemaValidator;
  /**
   * Called when the result of a tool is not checked, because its output schema cannot be compiled: it has an unknown dialect,
   * for example. The call comes before the first such result is returned, and again after the tools are listed again.
   * `problem.data` is the schema, `problem.cause` the error of the validator.
   */
  readonly onUncheckedTool?: (name: string, problem: SdkError) => void;
  /**
   * Called with each item of a list that cannot be used, and with the reason; the other items are kept. The reason names the
   * invalid members if the option `findIssues` is set.
   */
  readonly onInvalidItem?: (item: unknown, method: string, problem: Explanation) => void;
  /** Restarts a server that has ended without `close`. Calls wait meanwhile, for `timeoutMs` each. Default: no restart. */
  readonly restart?: RestartOptions;
  /**
   * Called when a server ends the stream of changes: without an error if the server has ended it itself, for example because
   * it shuts down. The client opens the stream again as long as the connection is open. Handshake servers have no such stream.
   */
  readonly onStreamEnd?: (error: Error | undefined) => void;
  /** Called when a connection has ended; with an error unless it was closed. */
  readonly onclose?: (error: Error | undefined) => void;
}

export interface RestartOptions {
  /** Failed attempts in a row before the client gives up. Default: 3. */
  readonly attempts?: number;
  /** Milliseconds before the first attempt; the pause doubles with each further attempt. Default: 500. */
  readonly pauseMs?: number;
  /** Called when the last attempt has failed, after `onclose`: calls fail from now on. */
  readonly onGiveUp?: (error: Error) => void;
}

export interface CoreClientOptions<
  Sides extends readonly Side[] = AnyRevisions,
  Extensions extends readonly Extension[] = AnyExtensions,
> extends ClientOptions<Extensions> {
  /** The revisions to support: each is the `clientSide` of `@mcpwright/protocol/<revision>`. */
  readonly revisions: Sides;
  /**
   * Converts messages of servers of other revisions to the types of this package: `conversions` of
   * `@mcpwright/protocol/conversions`, or some of them. Default: no conversion, which is reported to `onerror`.
   */
  readonly conversions?: Conversions;
}

/** The params of notifications from servers, by method. */
export interface ServerNotificationMap extends ServerNotifications {
  /** Up to 2025-11-25. */
  [NOTIFICATIONS_ELICITATION_COMPLETE]: { elicitationId: string };
}

/** The params and results of requests from servers, by method. */
export interface ServerRequestMap {
  [ELICITATION_CREATE]: { params: ElicitRequestParams; result: ElicitResult };
  [SAMPLING_CREATE_MESSAGE]: { params: CreateMessageRequestParams; result: CreateMessageResult };
  [ROOTS_LIST]: { params: object; result: ListRootsResult };
}
