import type { LoggingLevel, ServerCapabilities } from "../authoring.js";
import type { ConnectionOptions } from "../connection/connection-options.js";
import type { StateKey } from "../request-state/state-sealer.js";
import type { CacheHint } from "./cache-hint.js";
import type { SuspensionOptions } from "./suspension-options.js";

/** Remembers which `requestState` was used, for all processes that share the keys. */
export interface StateStore {
  /** Marks a state as used. Returns false when it was used before. `expiresAt`: when it may be forgotten, epoch milliseconds. */
  consume(id: string, expiresAt: number): boolean | Promise<boolean>;
}

/** The options of a server that its connections use. */
export interface BaseServerOptions extends ConnectionOptions {
  /** What the server offers. Of features without a capability the methods do not exist. */
  readonly capabilities?: ServerCapabilities;
  /** How to use the server, for the client's model. */
  readonly instructions?: string;
  /** The least level that handshake-era clients get before they set one. Default `info`. */
  readonly logLevel?: LoggingLevel;
  /** Answer a handshake with a version that is not served with an error instead of with the newest. Default false. */
  readonly rejectUnknownVersions?: boolean;
  /** Name the server in every result of the stateless era. Default true. */
  readonly includeServerInfo?: boolean;
  /** Cache hints by method, for results that carry none. Default: not to be kept, private. */
  readonly cacheHints?: Readonly<Record<string, CacheHint>>;
  /** Milliseconds that the user gets for an answer, in the handshake era. Default 600,000. */
  readonly inputTimeoutMs?: number;
  /** Rounds of questions that one request may lead to. Default 10. */
  readonly maxRounds?: number;
  /** Keys that seal `requestState`: the first seals, all open. Default: one that lives as long as the process. */
  readonly stateKeys?: readonly StateKey[];
  /** Milliseconds that a `requestState` can be used. Default 900,000. */
  readonly stateTtlMs?: number;
  /** Refuses the second use of a `requestState`. Default: only that of a suspended handler is refused. */
  readonly stateStore?: StateStore;
  /** Bounds on handlers that wait for answers in the stateless era; `false`, for servers of many nodes: they may not wait. */
  readonly suspension?: SuspensionOptions | false;
}
