import type {
  ClientCapabilities,
  DiscoverResult,
  ListChangedHandlers,
  SubscriptionFilter,
  Tool,
} from "../types/index.js";
import type { jsonSchemaValidator } from "../shared/json-schema-validator.js";
import type { ProtocolOptions, RequestOptions } from "../shared/request-options.js";
import type { CacheMode, ResponseCacheStore } from "./response-cache.js";

/** How a connection opens: with `initialize` (up to 2025-11-25), or without. */
export type ProtocolEra = "legacy" | "modern";

/** What is known about a server before `connect`. */
export type PriorDiscovery =
  /** The result of `getDiscoverResult()` of an earlier connection: `connect` sends nothing. */
  | { kind: "modern"; discover: DiscoverResult }
  /** `connect` begins with the handshake. */
  | { kind: "legacy" };

export interface VersionNegotiationProbeOptions {
  /** Milliseconds to wait for a response to the probe. */
  timeoutMs?: number;
  /** The runtime decides itself when a probe is worth a second attempt. */
  maxRetries?: number;
}

/** `legacy`: the handshake only; `auto`: a probe first, then the handshake; `pin`: this revision only. */
export type VersionNegotiationMode = "legacy" | "auto" | { pin: string };

export interface VersionNegotiationOptions {
  /** Default: `legacy`. */
  mode?: VersionNegotiationMode;
  probe?: VersionNegotiationProbeOptions;
}

/** How results that ask for input are handled. */
export interface InputRequiredOptions {
  /** Whether handlers answer them. Default: `true`. */
  autoFulfill?: boolean;
  /** How often one request may ask. Default: 10. */
  maxRounds?: number;
}

export type ClientOptions = ProtocolOptions & {
  capabilities?: ClientCapabilities;
  /** Checks the structured output of tools against the schemas that the server has listed. Default: Ajv. */
  jsonSchemaValidator?: jsonSchemaValidator;
  versionNegotiation?: VersionNegotiationOptions;
  inputRequired?: InputRequiredOptions;
  /** Called when lists of the server change; opens a subscription where the revision needs one. */
  listChanged?: ListChangedHandlers;
  /** The most pages of a list; 0 for no limit. Default: 64. */
  listMaxPages?: number;
  /** Keeps results as long as servers allow. Default: in memory, for this client and connection. */
  responseCacheStore?: ResponseCacheStore;
  /** Separates the private results of users in a shared store. */
  cachePartition?: string;
  /** Milliseconds that results are kept whose server names no time. Default: 0. */
  defaultCacheTtlMs?: number;
};

export type ConnectOptions = RequestOptions & {
  /** Skips the probe. */
  prior?: PriorDiscovery;
};

export type CacheableRequestOptions = RequestOptions & {
  /** Default: `use`. */
  cacheMode?: CacheMode;
};

export type CallToolRequestOptions = RequestOptions & {
  /** The tool, where the client has not listed it. */
  toolDefinition?: Tool;
};

/** An open stream of changes, which the handlers of notifications get. */
export interface McpSubscription {
  /** The part of the filter that the server grants. */
  readonly honoredFilter: SubscriptionFilter;
  close(): Promise<void>;
  /** Why the stream has ended: closed here, closed by the server in order, or cut. */
  readonly closed: Promise<"local" | "graceful" | "remote">;
}

/** The kinds of elicitation that a client declares. */
export function getSupportedElicitationModes(capabilities: ClientCapabilities["elicitation"]): {
  supportsFormMode: boolean;
  supportsUrlMode: boolean;
} {
  const { form, url } = capabilities ?? {};
  // Without any mode, the capability means forms.
  return {
    supportsFormMode: capabilities !== undefined && (form !== undefined || url === undefined),
    supportsUrlMode: url !== undefined,
  };
}
