import type { IncomingMessage, ServerResponse } from "node:http";
import type { OAuthProxyOptions } from "./oauth-proxy-options.js";
import type { ProxyStore } from "./proxy-store.js";
import type { Sealer } from "./sealer.js";
import type { UpstreamAccess } from "./upstream-tokens.js";

/** The pages that users see, and the redirect of the provider. */
export interface ProxyPages {
  /** Serves the consent page and the provider's callback. @returns false for other paths */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** The pages, and the tokens that log-ins at the provider gave. */
export interface ProxyFlow extends ProxyPages {
  /**
   * Returns the provider's access token of an account, refreshed when it has expired.
   * @param rejected an access token that the provider has refused: it is not returned again
   */
  tokensOf(accountId: string, rejected?: string): Promise<UpstreamAccess>;
}

/** An authorization request that waits for the user. */
export interface PendingAuthorization {
  readonly uid: string;
  readonly clientId: string;
  /** As the client states it; it proves nothing. Escape it. */
  readonly clientName: string | undefined;
  /** How the client is known: `known` in advance, by its own registration, or by its metadata document. */
  readonly clientKind: "known" | "registered" | "document";
  readonly redirectUri: string;
  /** The requested scopes, each one of the option `scopes`. */
  readonly scopes: readonly string[];
  /** Whether the client wants the consent page to be shown again (`prompt=consent`). */
  readonly promptsConsent: boolean;
  /** The `Date.now()` at which it ends. */
  readonly expiresAt: number;
}

/** The errors with which an authorization can end (RFC 6749, section 4.1.2.1). */
export type AuthorizationFailure = "access_denied" | "server_error" | "temporarily_unavailable";

/** The browser in which a user has consented and logged in, known by a cookie of the pages. */
export interface ApprovingBrowser {
  readonly cookieName: string;
  /** The hash of the secret in the cookie. */
  readonly browserHash: string;
}

/** The authorization requests that wait for the user: neither expired nor answered. */
export interface PendingAuthorizations {
  /** The request with the path `/consent/<uid>` of this browser: its cookie proves that the browser began it. */
  ofBrowser(request: IncomingMessage, response: ServerResponse): Promise<PendingAuthorization | undefined>;
  /** Any request that waits. Only for callers that have checked the browser in another way. */
  find(uid: string): Promise<PendingAuthorization | undefined>;
  /**
   * Grants scopes to the client, on behalf of a user.
   * @param scopes of those requested
   * @param browser the only one that gets the code
   * @returns the URL to redirect this browser to, or undefined when the request has expired
   */
  approve(
    uid: string,
    accountId: string,
    scopes: readonly string[],
    browser: ApprovingBrowser,
  ): Promise<string | undefined>;
  /** @returns the URL to redirect this browser to, or undefined when the request has expired */
  refuse(uid: string, error: AuthorizationFailure, description: string): Promise<string | undefined>;
}

/** What the pages work with. */
export interface PageParts {
  readonly options: OAuthProxyOptions;
  readonly store: ProxyStore;
  readonly sealer: Sealer;
  /** The issuer identifier, as the metadata state it: without a slash at its end. */
  readonly issuer: string;
  /** The path of the issuer without a slash at its end: `""` for most. `/consent/<uid>` and `/callback` are below it. */
  readonly basePath: string;
  /** The longest time that a log-in can serve its client, in seconds. */
  readonly grantSeconds: number;
  readonly pending: PendingAuthorizations;
  /** Revokes all tokens of an account, so that its clients have to log in again. */
  readonly revokeAccount: (accountId: string) => Promise<void>;
  /** Reports an error that is not the client's. */
  readonly report: (error: unknown) => void;
}
