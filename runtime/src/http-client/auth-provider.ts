import type { FetchLike } from "./fetch-like.js";

/**
 * Authorizes the requests to a server: an object with a token, a token, or a function that returns one. Tokens are sent as
 * `Authorization: Bearer`.
 */
export type Authorization = AuthProvider | string | (() => string | undefined | Promise<string | undefined>);

/** Provides tokens, and reacts when the server rejects them. One provider may authorize requests to several servers. */
export interface AuthProvider {
  /**
   * Returns the token for the next request; undefined for none. Several requests may ask at the same time. When the caller
   * of one of them aborts, the transport stops waiting for it; the others still wait.
   */
  token(use?: TokenUse): string | undefined | Promise<string | undefined>;
  /**
   * Returns the headers that carry the token, for one HTTP request. Called again for each retry and redirect, so that a
   * proof of possession (RFC 9449) can be bound to the method, the URL and the time. Default: `Authorization: Bearer`.
   */
  headers?(token: string, request: AuthorizedRequest): AuthHeaders | Promise<AuthHeaders>;
  /** Called with each response, also successful ones, before its body is read: it may carry a `DPoP-Nonce`. */
  onResponse?(response: Response, request: AuthorizedRequest): void;
  /**
   * Called when the server has rejected a request that lacks a token, a valid token or a scope. Get a better token here.
   * Requests of the same transport that are rejected in the meantime wait for the same call, and share its failure. Not called
   * for the end of a session.
   * @returns `false` to give up; any other value to send the request again, with the result of `token`
   * @throws the error with which the request fails
   */
  onUnauthorized?(challenge: AuthChallenge): unknown;
}

export type AuthHeaders = Readonly<Record<string, string>>;

/** The use of a token: the server that will receive it. */
export interface TokenUse {
  /** The URL of the server. */
  readonly url: URL;
}

/** One HTTP request, as far as authorization has to know it. */
export interface AuthorizedRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** The URL of this HTTP request; differs from the server's after a redirect. */
  readonly url: URL;
  /** The URL of the server that the transport connects to. */
  readonly server: URL;
}

export interface AuthChallenge {
  /** 401, or 403 for a missing scope. */
  readonly status: number;
  /** The `WWW-Authenticate` header, with which authorization starts. */
  readonly wwwAuthenticate: string | undefined;
  /** The URL of the server that the transport connects to. */
  readonly url: URL;
  /** The rejected token. */
  readonly token: string | undefined;
  /** The JSON-RPC method and what it addresses, such as `tools/call deploy`; undefined for requests without a message. */
  readonly operation: string | undefined;
  /** The response, with at most the first 64 KiB of its body. */
  readonly response: Response;
  /** The `fetch` of the transport. */
  readonly fetch: FetchLike;
}
