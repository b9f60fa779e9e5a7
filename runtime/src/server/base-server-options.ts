import type { AnyExtensions } from "../connection/known-messages.js";
import type { Extension } from "@mcpwright/protocol/contract";
import type { LoggingLevel, ServerCapabilities } from "../authoring.js";
import type { Logger } from "../connection/logger.js";
import type { ConnectionOptions } from "../connection/connection-options.js";
import type { ServerBackplane } from "../http-server/server-backplane.js";
import type { StateKey } from "../request-state/state-sealer.js";
import type { RequestContext } from "../connection/request-context.js";
import type { CacheHint } from "./cache-hint.js";
import type { ClientDescription } from "./client-description.js";
import type { SuspensionOptions } from "./suspension-options.js";

/** The options of a server that its connections use. */
export interface BaseServerOptions<Extensions extends readonly Extension[] = AnyExtensions> extends ConnectionOptions {
  /**
   * Extensions of the protocol, each laid over the revisions that it is for. Clients of these revisions receive the id in
   * `capabilities.extensions`, and can call its methods when they declare it, too.
   * @example `[withSettings(rankExtension, { maxItems: 50 })]`
   */
  readonly extensions?: Extensions;
  /**
   * Writes a structured log: connections and sessions, refused requests, and everything that `onerror` gets; a logger of pino, or any with
   * its interface. It never gets params, results, tokens or ids of sessions. Default: no log.
   */
  readonly logger?: Logger;
  /** The capabilities of the server. Methods of undeclared features are not found. */
  readonly capabilities?: ServerCapabilities;
  /** Instructions for the client's model on how to use the server; a function is called for each client, with its request. */
  readonly instructions?: string | ((context: RequestContext<ClientDescription>) => string | undefined);
  /** The minimum log level for handshake-era clients that have not set one. Default: `"info"`. */
  readonly logLevel?: LoggingLevel;
  /** Whether a handshake with an unsupported version gets an error instead of the newest version. Default: `false`. */
  readonly rejectUnknownVersions?: boolean;
  /** Whether every stateless-era result contains the server's name and version. Default: `true`. */
  readonly includeServerInfo?: boolean;
  /** Cache hints by method, for results that contain none. Default: `ttlMs` 0, `cacheScope` `"private"`. */
  readonly cacheHints?: Readonly<Record<string, CacheHint>>;
  /** Milliseconds to wait for the response to an input request in the handshake era. Default: `600_000`. */
  readonly inputTimeoutMs?: number;
  /** Maximum number of rounds of input requests per request. Default: `10`. */
  readonly maxRounds?: number;
  /** Keys that seal `requestState`: the first key seals, all keys open. Default: a random key of this process. */
  readonly stateKeys?: readonly StateKey[];
  /** Milliseconds after which a `requestState` expires. Default: `900_000`. */
  readonly stateTtlMs?: number;
  /**
   * The state that the nodes of the server share, or that one node keeps: a `Backplane` of `@mcpwright/runtime/backplane`. Clients can then
   * resume streams, and a `requestState` can be used once. Close servers that you no longer need: from its first client until `close()`,
   * each server follows the changes that the others share. Default: a `requestState` can be used again until it expires, unless a handler
   * waited for it.
   */
  readonly backplane?: ServerBackplane | undefined;
  /** Limits on handlers that wait for input in the stateless era. Use `false` with several nodes: handlers cannot wait. */
  readonly suspension?: SuspensionOptions | false;
}

export function instructionsOf(
  { instructions }: Pick<BaseServerOptions, "instructions">,
  context: RequestContext<ClientDescription>,
): string | undefined {
  return typeof instructions === "function" ? instructions(context) : instructions;
}
