import type { FetchLike } from "../http-client/fetch-like.js";
import type { CredentialStore } from "./credential-store.js";

/** Options of all providers that log in to authorization servers. */
export interface OAuthOptions {
  /** Where credentials are kept. Default: a new `MemoryCredentialStore`. */
  readonly store?: CredentialStore;
  /** Sends requests for metadata and tokens. Default: the global `fetch`; `guardedFetch` on servers. */
  readonly fetch?: FetchLike;
  /** Scopes to request besides those that the MCP server names. */
  readonly scopes?: readonly string[];
  /** Milliseconds that one request to the authorization server may take. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Milliseconds that a user may take to log in, while requests wait. Default: 300,000. */
  readonly loginTimeoutMs?: number;
  /** The largest metadata document or token response, in bytes. Default: 256 KiB. */
  readonly maxDocumentBytes?: number;
  /**
   * Whether tokens are bound to a key of this client (RFC 9449). `"auto"` binds them when both the MCP server and the
   * authorization server announce DPoP. Default: `"auto"`.
   */
  readonly dpop?: boolean | "auto";
  /**
   * Chooses one of the authorization servers that the MCP server lists, by its issuer; undefined accepts none.
   * Also called for an MCP server that is its own authorization server, with its origin. Default: the first one, or the one
   * whose tokens are stored.
   */
  readonly selectIssuer?: (issuers: readonly string[], url: URL) => string | undefined | Promise<string | undefined>;
  /**
   * Whether a server without any metadata may be its own authorization server, with the default endpoints of 2025-03-26.
   * A server that had metadata before may not.
   * Default: true.
   */
  readonly defaultEndpoints?: boolean;
  /** Receives failures that do not fail a request, such as a stored record that cannot be read. */
  readonly onerror?: (error: Error) => void;
}
