import type { ServerContext } from "../shared/contexts.js";
import type { jsonSchemaValidator } from "../shared/json-schema-validator.js";
import type { ServerCapabilities } from "../types/index.js";
import type { ProtocolOptions } from "../shared/request-options.js";

export type CacheScope = "public" | "private";

/** How long clients may keep a result, in milliseconds, and for whom. */
export interface CacheHint {
  ttlMs?: number;
  cacheScope?: CacheScope;
}

export type CacheableResultMethod =
  "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" | "resources/read" | "server/discover";

export type ServerOptions = ProtocolOptions & {
  capabilities?: ServerCapabilities;
  /** Instructions for the client's model on how to use the server. */
  instructions?: string;
  /** Checks what users enter in forms. Default: the checks of the runtime. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** Cache hints for results that contain none. */
  cacheHints?: Partial<Record<CacheableResultMethod, CacheHint>>;
  /** How handlers that return `inputRequired` are served to clients with a session. */
  inputRequired?: {
    /** Maximum number of rounds. Default: `8`. */
    maxRounds?: number;
    /** Milliseconds to wait for the responses of a round. Default: `600_000`. */
    roundTimeoutMs?: number;
    /** Whether input requests are sent to these clients as requests. Default: `true`. */
    legacyShim?: boolean;
  };
  requestState?: {
    /** Called with the state that a client has sent back. Throws when it is invalid; a value that it returns is what handlers get. */
    verify?: (state: string, ctx: ServerContext) => unknown;
  };
};
