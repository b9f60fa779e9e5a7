import type { FetchLike } from "../shared/transport.js";
import { auth } from "./auth/auth.js";
import { extractWWWAuthenticateParams } from "./auth/challenge.js";
import { type DpopSession, isDpopNonceChallenge } from "./auth/dpop.js";
import { UnauthorizedError } from "./auth/errors.js";
import type { OAuthClientProvider } from "./auth/provider.js";

/** Wraps a `fetch`. */
export type Middleware = (next: FetchLike) => FetchLike;

/** Combines middleware; the first is the outermost. */
export const applyMiddlewares =
  (...middleware: Middleware[]): Middleware =>
  (next) =>
    middleware.reduce((inner, outer) => outer(inner), next);

export const createMiddleware =
  (handler: (next: FetchLike, input: string | URL, init?: RequestInit) => Promise<Response>): Middleware =>
  (next) =>
  (input, init) =>
    handler(next, input, init);

/**
 * Adds the token of a provider, and gets another one when the server rejects it.
 * @param baseUrl the server that the tokens are for. Default: the origin of each request
 */
export const withOAuth =
  (provider: OAuthClientProvider, baseUrl?: string | URL): Middleware =>
  (outer) =>
  async (input, init) => {
    const next = provider.dpop ? withDpopFromProvider(provider)(outer) : outer;
    const send = async (): Promise<Response> => {
      const headers = new Headers(init?.headers);
      const tokens = await provider.tokens();
      if (tokens) headers.set("Authorization", `Bearer ${tokens.access_token}`);
      return next(input, { ...init, headers });
    };
    const response = await send();
    if (response.status !== 401) return response;
    let second: Response;
    try {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      const serverUrl = baseUrl ?? new URL(input).origin;
      const result = await auth(provider, { serverUrl, resourceMetadataUrl, scope, fetchFn: outer });
      if (result === "REDIRECT")
        throw new UnauthorizedError("Authentication requires user authorization - redirect initiated");
      second = await send();
    } catch (error) {
      if (error instanceof UnauthorizedError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw Object.assign(new UnauthorizedError(`Failed to re-authenticate: ${reason}`), { cause: error });
    }
    if (second.status === 401) throw new UnauthorizedError(`Authentication failed for ${String(input)}`);
    return second;
  };

export type DpopTokenSource = () => string | undefined | Promise<string | undefined>;
export type DpopSessionSource = DpopSession | (() => DpopSession | undefined | Promise<DpopSession | undefined>);

/** Adds a token with a proof of possession (RFC 9449), and sends a request again when the server asks for a nonce. */
export const withDpop =
  (session: DpopSessionSource, getToken: DpopTokenSource): Middleware =>
  (next) =>
  async (input, init) => {
    const dpop = typeof session === "function" ? await session() : session;
    const accessToken = await getToken();
    if (!dpop || accessToken === undefined) return next(input, init);
    const send = async (): Promise<Response> => {
      const headers = new Headers(init?.headers);
      headers.set("Authorization", `DPoP ${accessToken}`);
      headers.set("DPoP", await dpop.buildProof({ htm: init?.method ?? "GET", htu: input, accessToken }));
      const response = await next(input, { ...init, headers });
      dpop.observeNonce(response, input);
      return response;
    };
    const response = await send();
    return isDpopNonceChallenge(response) ? send() : response;
  };

/** Does the same with the key and the tokens of a provider. */
export const withDpopFromProvider = (provider: OAuthClientProvider): Middleware =>
  withDpop(
    () => provider.dpop?.(),
    async () => (await provider.tokens())?.access_token,
  );

export type RequestLogger = (input: {
  method: string;
  url: string | URL;
  status: number;
  statusText: string;
  /** Milliseconds. */
  duration: number;
  requestHeaders?: Headers;
  responseHeaders?: Headers;
  error?: Error;
}) => void;

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- as in the official SDK, whose programs assign it to other types
export type LoggingOptions = {
  /** Default: writes to the console. */
  logger?: RequestLogger;
  includeRequestHeaders?: boolean;
  includeResponseHeaders?: boolean;
  /** The lowest status that is logged. Failures without a response always are. Default: 0. */
  statusLevel?: number;
};

function headerLines(title: string, headers: Headers | undefined): string {
  if (!headers) return "";
  return `\n  ${title} Headers: {${Array.from(headers, ([name, value]) => `${name}: ${value}`).join(", ")}}`;
}

const consoleLogger: RequestLogger = ({ method, url, status, statusText, duration, error, ...headers }) => {
  const outcome = error ? `failed: ${error.message}` : `${status} ${statusText}`;
  const more = headerLines("Request", headers.requestHeaders) + headerLines("Response", headers.responseHeaders);
  const line = `HTTP ${method} ${String(url)} ${outcome} (${duration}ms)${more}`;
  // eslint-disable-next-line no-console -- the purpose of the default logger
  console[error || status >= 400 ? "error" : "log"](line);
};

export const withLogging =
  (options: LoggingOptions = {}): Middleware =>
  (next) =>
  async (input, init) => {
    const { logger = consoleLogger, statusLevel = 0, includeRequestHeaders, includeResponseHeaders } = options;
    const startedAt = performance.now();
    const request = {
      method: init?.method ?? "GET",
      url: input,
      ...(includeRequestHeaders && { requestHeaders: new Headers(init?.headers) }),
    };
    try {
      const response = await next(input, init);
      const { status, statusText, headers } = response;
      const duration = performance.now() - startedAt;
      if (status >= statusLevel)
        logger({
          ...request,
          status,
          statusText,
          duration,
          ...(includeResponseHeaders && { responseHeaders: headers }),
        });
      return response;
    } catch (error) {
      const duration = performance.now() - startedAt;
      logger({ ...request, status: 0, statusText: "Network Error", duration, error: error as Error });
      throw error;
    }
  };
