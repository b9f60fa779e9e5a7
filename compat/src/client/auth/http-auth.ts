import type { AuthChallenge, AuthorizedRequest, AuthProvider as NativeProvider } from "@mcpwright/runtime/client/http";
import { SdkErrorCode, SdkHttpError } from "../../shared/errors.js";
import { createFetchWithInit, type FetchLike } from "../../shared/transport.js";
import { auth } from "./auth.js";
import { computeScopeUnion, isStrictScopeSuperset } from "./authorization-request.js";
import { readCallback } from "./callback.js";
import { challengeParams } from "./challenge.js";
import { type DpopSession, isDpopNonceChallenge } from "./dpop.js";
import { InsufficientScopeError, UnauthorizedError } from "./errors.js";
import { type AuthProvider, isOAuthProvider, type OAuthClientProvider } from "./provider.js";

/** Options of a transport that concern authorization. */
export interface HttpAuthOptions {
  readonly authProvider?: AuthProvider | OAuthClientProvider | undefined;
  readonly skipIssuerMetadataValidation?: boolean | undefined;
  readonly requestInit?: RequestInit | undefined;
  readonly fetch?: FetchLike | undefined;
  /** Whether a 403 with `insufficient_scope` starts another log-in. Default: `reauthorize`. */
  readonly onInsufficientScope?: "reauthorize" | "throw" | undefined;
  /** How often. Default: 1. */
  readonly maxStepUpRetries?: number | undefined;
}

/** Authorizes the requests of a transport with the provider of a program. */
export class HttpAuth implements NativeProvider {
  readonly #oauth: OAuthClientProvider | undefined;
  readonly #fetch: FetchLike;
  #resourceMetadataUrl: URL | undefined;
  #scope: string | undefined;
  /** Whether no request has been accepted since the last log-in. */
  #isUnproven = false;
  #stepUps = 0;
  #dpop: DpopSession | undefined;

  constructor(
    readonly provider: AuthProvider | OAuthClientProvider,
    readonly url: URL,
    readonly options: HttpAuthOptions,
  ) {
    if (isOAuthProvider(provider)) this.#oauth = provider;
    this.#fetch = createFetchWithInit(options.fetch, options.requestInit);
  }

  async token(): Promise<string | undefined> {
    if (!this.#oauth) return (this.provider as AuthProvider).token();
    this.#dpop = await this.#oauth.dpop?.();
    return (await this.#oauth.tokens())?.access_token;
  }

  async headers(token: string, { method, url }: AuthorizedRequest): Promise<Record<string, string>> {
    if (!this.#dpop) return { authorization: `Bearer ${token}` };
    const dpop = await this.#dpop.buildProof({ htm: method, htu: url, accessToken: token });
    return { authorization: `DPoP ${token}`, dpop };
  }

  onResponse(response: Response, { url }: AuthorizedRequest): void {
    this.#dpop?.observeNonce(response, url);
    if (!response.ok) return;
    this.#isUnproven = false;
    this.#stepUps = 0;
  }

  /** Gets a better token. @throws the error with which the request fails */
  async onUnauthorized({ status, wwwAuthenticate, response }: AuthChallenge): Promise<void> {
    if (this.#dpop && isDpopNonceChallenge(response)) return;
    const challenge = challengeParams(wwwAuthenticate);
    if (challenge.resourceMetadataUrl) this.#resourceMetadataUrl = challenge.resourceMetadataUrl;
    if (status === 403) return this.#stepUp(challenge, response);
    this.#scope = computeScopeUnion(this.#scope, challenge.scope);
    if (this.#isUnproven)
      throw new SdkHttpError(SdkErrorCode.ClientHttpAuthentication, "Server returned 401 after re-authentication", {
        status,
        statusText: response.statusText,
      });
    const { provider } = this;
    if (this.#oauth) await this.#authorize({ scope: this.#scope });
    else if (!(provider as AuthProvider).onUnauthorized) throw new UnauthorizedError();
    else await (provider as AuthProvider).onUnauthorized?.({ response, serverUrl: this.url, fetchFn: this.#fetch });
    this.#isUnproven = true;
  }

  async #stepUp(challenge: ReturnType<typeof challengeParams>, response: Response): Promise<void> {
    const { onInsufficientScope = "reauthorize", maxStepUpRetries = 1 } = this.options;
    const { scope: requiredScope, resourceMetadataUrl, errorDescription } = challenge;
    if (!this.#oauth || onInsufficientScope === "throw")
      throw new InsufficientScopeError({ requiredScope, resourceMetadataUrl, errorDescription });
    if (this.#stepUps >= maxStepUpRetries)
      throw new SdkHttpError(
        SdkErrorCode.ClientHttpForbidden,
        `Server returned 403 insufficient_scope after step-up re-authorization (retry limit ${maxStepUpRetries} reached)`,
        { status: 403, statusText: response.statusText || "Forbidden" },
      );
    this.#stepUps++;
    const granted = (await this.#oauth.tokens())?.scope;
    this.#scope = computeScopeUnion(this.#scope, granted, requiredScope);
    await this.#authorize({ scope: this.#scope, forceReauthorization: isStrictScopeSuperset(this.#scope, granted) });
  }

  /** Completes a log-in with the response to the authorization request, or with the code in it. */
  async finish(response: URLSearchParams | string, iss: string | undefined): Promise<void> {
    if (!this.#oauth) throw new UnauthorizedError("finishAuth requires an OAuthClientProvider");
    const read =
      typeof response === "string"
        ? { authorizationCode: response, iss }
        : await readCallback(response, this.#oauth, this.url, this.#fetch);
    await this.#authorize({ ...read, scope: this.#scope }, "Failed to authorize");
  }

  /** @throws UnauthorizedError when the user was sent to log in */
  async #authorize(
    what: {
      scope?: string | undefined;
      forceReauthorization?: boolean;
      authorizationCode?: string;
      iss?: string | undefined;
    },
    problem?: string,
  ): Promise<void> {
    const oauth = this.#oauth;
    if (!oauth) throw new UnauthorizedError();
    const result = await auth(oauth, {
      serverUrl: this.url,
      resourceMetadataUrl: this.#resourceMetadataUrl,
      skipIssuerMetadataValidation: this.options.skipIssuerMetadataValidation,
      fetchFn: this.#fetch,
      ...what,
    });
    if (result !== "AUTHORIZED") throw new UnauthorizedError(problem);
  }
}
