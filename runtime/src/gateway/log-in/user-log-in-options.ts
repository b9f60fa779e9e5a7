import type { AuthorizationParameters, CredentialStore, PreRegisteredClient } from "../../auth.js";
import type { AuthorizationPolicy } from "../../auth-server.js";
import type { FetchLike } from "../../http-client/fetch-like.js";

/** The members of what `requireBearerAuth` returns that the log-in uses. */
export interface GatewayAuthorization extends Pick<AuthorizationPolicy, "authenticate" | "publicDocument"> {
  readonly resource: string;
  readonly resourceMetadataUrl: string;
}

/** The options of `createUserLogIn`. */
export interface UserLogInOptions {
  /**
   * The page of the gateway where log-ins begin, as browsers reach it, such as `https://gateway.example.com/log-in`: https, or http on a
   * loopback address. Serve it with `fetch` or `listener`, as all paths below it.
   */
  readonly url: string;
  /**
   * What authenticates the clients of the gateway, as `requireBearerAuth` returned it. The user who opens a link logs in at the same
   * authorization server, so that only the user who asked can go on.
   */
  readonly authorization: GatewayAuthorization;
  /**
   * Keeps the tokens of all users, links and log-ins in progress. Nodes share one. The values are secret. Default: a new
   * `MemoryCredentialStore`, so that log-ins end with the process.
   */
  readonly store?: CredentialStore;
  /**
   * The gateway as a client of its own authorization server, if it was registered there by hand, with the redirect URI `<url>/signed-in`.
   * Default: the metadata document that is served at `<url>/client`, or a dynamic registration.
   */
  readonly client?: PreRegisteredClient;
  /** The name that users see on consent pages. Default: `"MCP gateway"`. */
  readonly clientName?: string;
  /** Sends the requests to authorization servers. Default: the global `fetch`; pass `guardedFetch` unless you trust all servers. */
  readonly fetch?: FetchLike;
  /** Milliseconds that one request to an authorization server may take. Default: 10,000. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds that a request waits for the log-in, once the client has opened the link, in revisions in which it asks by input requests.
   * Afterwards it asks again. Default: 50,000.
   */
  readonly waitMs?: number;
  /** Receives failures that no user sees, such as those of the store. Default: the `onerror` of the gateway. */
  readonly onerror?: (error: Error) => void;
}

/** What is different at one server. */
export interface ServerLogInOptions {
  /**
   * The gateway as a client of the server's authorization server, if it was registered there by hand, with the redirect URI
   * `<url>/callback`. Default: the metadata document that is served at `<url>/client`, or a dynamic registration.
   */
  readonly client?: PreRegisteredClient;
  /** Scopes to request besides those that the server names. Default: none. */
  readonly scopes?: readonly string[];
  /** Additional parameters of authorization requests, such as `audience`. Default: none. */
  readonly authorizationParameters?: AuthorizationParameters;
  /** Authorizes dynamic registrations where they are not open to everybody (RFC 7591, section 3). Default: none. */
  readonly initialAccessToken?: string;
  /**
   * Sends the requests to the server's authorization server, so that each server can be trusted with other addresses. Default: `fetch` of
   * `createUserLogIn`.
   */
  readonly fetch?: FetchLike;
}
