import {
  allowInsecureRequests,
  type AuthorizationServer,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  type Client,
  customFetch,
  OperationProcessingError,
  ResponseBodyError,
  type TokenEndpointResponse,
  UnsupportedOperationError,
} from "oauth4webapi";
import { cleanErrorCode, cleanErrorText } from "../../auth/error-text.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { UpstreamError } from "../upstream-error.js";
import type { UpstreamContext, UpstreamRequest, UpstreamTokenSet, UpstreamUser } from "../upstream-provider.js";
import { boundedRequest } from "./bounded-request.js";
import { ProviderAuthentication } from "./client-authentication.js";
import type { ProviderOptions } from "./provider-options.js";

/** A request of oauth4webapi. */
interface LibraryRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: BodyInit | null | undefined;
}

/** Options of requests that oauth4webapi sends. */
export interface LibraryOptions {
  readonly [customFetch]: (url: string, init: LibraryRequest) => Promise<Response>;
  readonly [allowInsecureRequests]: boolean;
}

/** About a hundred years: a date that every clock can represent. */
const maxLifetimeMs = 3e12;
/** Parameters that protect a log-in. */
const ownParameters = new Set([
  "client_id",
  "code_challenge",
  "code_challenge_method",
  "nonce",
  "redirect_uri",
  "response_mode",
  "response_type",
  "scope",
  "state",
]);

/** The proxy as a client of a provider: what all kinds of providers have in common. */
export class ProviderClient {
  readonly client: Client;
  readonly authentication: ProviderAuthentication;

  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(
    readonly name: string,
    readonly scopes: readonly string[],
    readonly options: ProviderOptions,
  ) {
    const { clientId, authorizationParameters = {} } = Object(options) as ProviderOptions;
    if (typeof clientId !== "string" || clientId === "")
      throw new SdkError("INVALID_CONFIGURATION", `${name}: clientId must be the id that the provider assigned`);
    for (const parameter of Object.keys(authorizationParameters))
      if (ownParameters.has(parameter))
        throw new SdkError("INVALID_CONFIGURATION", `${name}: authorizationParameters must not contain ${parameter}`);
    this.authentication = new ProviderAuthentication(name, options);
    this.client = { client_id: clientId };
  }

  /** @param isLoopback whether the provider has a URL of this machine with http */
  library(context: UpstreamContext, isLoopback: boolean): LibraryOptions {
    return {
      [customFetch]: (url, { method, headers, body }) =>
        this.request(new URL(url), { method, headers, ...(body && { body }) }, context),
      [allowInsecureRequests]: isLoopback,
    };
  }

  async request(url: URL, init: RequestInit, context: UpstreamContext): Promise<Response> {
    return boundedRequest(url, init, this.options.fetch, context, this.authentication.secrets);
  }

  async authorizationUrl(endpoint: string | undefined, request: UpstreamRequest): Promise<URL> {
    if (endpoint === undefined) throw this.invalid("has no authorization_endpoint in its metadata");
    const url = new URL(endpoint);
    const parameters = {
      ...this.options.authorizationParameters,
      response_type: "code",
      client_id: this.client.client_id,
      redirect_uri: request.redirectUri,
      state: request.state,
      code_challenge: await calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: "S256",
      ...(this.scopes.length > 0 && { scope: this.scopes.join(" ") }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url;
  }

  /** @throws UpstreamError `invalid` when the token cannot be used */
  readTokens(response: TokenEndpointResponse): UpstreamTokenSet {
    const { access_token: accessToken, token_type: type, expires_in: lifetime, refresh_token: refreshToken } = response;
    if (type !== "bearer") throw this.invalid("sent a token that is not a bearer token");
    if (!/^[\x21-\x7e]+$/.test(accessToken))
      throw this.invalid("sent a token with characters that a header cannot carry");
    return {
      accessToken,
      ...(refreshToken !== undefined && { refreshToken }),
      ...(lifetime !== undefined && { expiresAt: Date.now() + Math.min(lifetime * 1_000, maxLifetimeMs) }),
      scopes:
        response.scope === undefined ? this.scopes : response.scope.split(/[\s,]+/).filter((scope) => scope !== ""),
    };
  }

  /** @throws UpstreamError `denied` */
  async assertAccepted(user: UpstreamUser): Promise<void> {
    const { acceptUser } = this.options;
    // Only `true` accepts: a function without types that forgets to return does not let everybody in.
    const isAccepted: unknown = acceptUser === undefined || (await acceptUser(user));
    if (isAccepted !== true) throw new UpstreamError("denied", `this account of ${this.name} may not use the service`);
  }

  invalid(problem: string): UpstreamError {
    return new UpstreamError("invalid", `${this.name} ${problem}`);
  }

  /** Runs work with oauth4webapi, and converts its errors: their causes contain responses. */
  async run<Result>(work: () => Promise<Result>, secrets: readonly string[] = []): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.#convert(error, [...this.authentication.secrets, ...secrets]);
    }
  }

  #convert(error: unknown, secrets: readonly string[]): unknown {
    if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
      const code = cleanErrorCode(error.error, secrets) ?? "unknown_error";
      const description = cleanErrorText(error.error_description, secrets);
      const detail = description === undefined ? code : `${code} (${description})`;
      if (error instanceof AuthorizationResponseError)
        return code === "access_denied"
          ? new UpstreamError("denied", `the log-in at ${this.name} was refused`, { error: code })
          : new UpstreamError("refused", `${this.name} refused the log-in: ${detail}`, { error: code });
      return new UpstreamError("refused", `the token endpoint of ${this.name} refused the request: ${detail}`, {
        error: code,
      });
    }
    // These messages name members, not their values.
    if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)
      return this.invalid(`sent an invalid response: ${error.message}`);
    return error;
  }
}

/** Whether a URL is one of this machine with http, which needs no encryption. */
export function isLoopbackHttp(url: string): boolean {
  return /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/i.test(url);
}

/** Metadata of the provider, whose endpoints receive secrets. @throws UpstreamError `invalid` */
export function assertSecureEndpoints(client: ProviderClient, metadata: AuthorizationServer, issuer: string): void {
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
    const url = metadata[name];
    if (typeof url !== "string" || !(url.startsWith("https://") || (isLoopbackHttp(url) && isLoopbackHttp(issuer))))
      throw client.invalid(`must have an https URL for ${name} in its metadata`);
  }
}
