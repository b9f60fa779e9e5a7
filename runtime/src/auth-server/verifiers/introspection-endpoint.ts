import { allowInsecureRequests, customFetch, introspectionRequest } from "oauth4webapi";
import type { AuthorizationServer, CustomFetchOptions } from "oauth4webapi";
import { parseJsonObject } from "../../jsonrpc/parse-json-object.js";
import { AuthorizationError } from "../../auth/auth-errors.js";
import type { ClientAuthentication } from "../../auth/client-identity/client-authentication.js";
import { cleanErrorCode } from "../../auth/error-text.js";
import { limitedRequest, type ReadResponse } from "../../auth/tokens/limited-request.js";
import { secretsOfRequest } from "../../auth/tokens/secrets-of-request.js";
import type { FetchLike } from "../../http-client/fetch-like.js";
import { TokenVerificationError } from "../token-errors.js";
import { CachedDocument } from "./cached-document.js";
import { findIssuerMetadata, type IssuerMetadata, metadataUrl } from "./issuer-metadata.js";

type Members = Readonly<Record<string, unknown>>;

export interface IntrospectionEndpointOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
  /** Default: `introspection_endpoint` in the metadata of the issuer. */
  readonly endpoint: URL | undefined;
  readonly fetch: FetchLike;
  readonly timeoutMs: number;
  readonly maxDocumentBytes: number;
  readonly onerror: ((error: Error) => void) | undefined;
}

/** Milliseconds after which the metadata of the issuer is requested again, and between two requests for it. */
const metadataTimes = { maxAgeMs: 3_600_000, cooldownMs: 30_000 };
/** Milliseconds during which equal failures are one error. */
const sameErrorMs = 1_000;
const jsonLimits = { maxDepth: 32, maxValues: 20_000 };

/** Asks an authorization server about tokens (RFC 7662). */
export class IntrospectionEndpoint {
  readonly #options: IntrospectionEndpointOptions;
  readonly #metadata: CachedDocument<IssuerMetadata>;
  #last: { readonly error: TokenVerificationError; readonly since: number } | undefined;

  constructor(options: IntrospectionEndpointOptions) {
    const { issuer, fetch, timeoutMs, maxDocumentBytes: maxBytes, onerror } = options;
    this.#options = options;
    this.#metadata = new CachedDocument((signal) => findIssuerMetadata(issuer, { fetch, maxBytes, signal }), {
      what: `The metadata of the issuer ${issuer}`,
      timeoutMs,
      onerror,
      ...metadataTimes,
    });
  }

  /**
   * @returns the members of the response without those that are null
   * @throws TokenVerificationError when the authorization server cannot be asked, or does not accept this server as a client; the
   * abort reason of `signal`; what a function of the options throws
   */
  async introspect(token: string, signal: AbortSignal = new AbortController().signal): Promise<Members> {
    const { issuer, clientId, authentication, endpoint } = this.#options;
    try {
      const { url, members } = endpoint
        ? { url: endpoint, members: {} }
        : endpointOf(await this.#metadata.get(signal), issuer);
      const metadata = { ...members, issuer, introspection_endpoint: url.href } as AuthorizationServer;
      const authenticate = authentication.choose({ issuer, metadata });
      let outcome: Members = {};
      await introspectionRequest(metadata, { client_id: clientId }, authenticate, token, {
        additionalParameters: { token_type_hint: "access_token" },
        [allowInsecureRequests]: url.protocol === "http:",
        [customFetch]: async (_url, init) => {
          const { response, members } = await this.#send(url, init, signal);
          outcome = members;
          return response;
        },
      });
      return outcome;
    } catch (error) {
      // Its message contains no secret; but it is of the client's side, and not for servers.
      if (error instanceof AuthorizationError) throw this.#same(new TokenVerificationError(error.message));
      throw error instanceof TokenVerificationError ? this.#same(error) : error;
    }
  }

  /** Returns the last error if it was the same a moment ago: an error is reported once, and a flood of tokens must not flood the log. */
  #same(error: TokenVerificationError): TokenVerificationError {
    const { error: last, since = 0 } = this.#last ?? {};
    if (last?.message === error.message && performance.now() - since < sameErrorMs) return last;
    this.#last = { error, since: performance.now() };
    return error;
  }

  async #send(
    url: URL,
    { body, headers, method }: CustomFetchOptions<"POST", URLSearchParams>,
    signal: AbortSignal,
  ): Promise<{ readonly response: Response; readonly members: Members }> {
    const { fetch, timeoutMs, maxDocumentBytes } = this.#options;
    const secrets = secretsOfRequest(body, headers);
    const limits = { fetch, timeoutMs, maxDocumentBytes };
    const read = await limitedRequest(url, { body, headers, method }, limits, secrets, signal);
    return { response: read.response, members: readMembers(read, url, secrets) };
  }
}

function endpointOf(found: IssuerMetadata, issuer: string): { readonly url: URL; readonly members: Members } {
  const { members } = found;
  try {
    const url = metadataUrl(found, "introspection_endpoint");
    // The names that the choice of the client's authentication reads.
    const methods = members["introspection_endpoint_auth_methods_supported"];
    const algorithms = members["introspection_endpoint_auth_signing_alg_values_supported"];
    return {
      url,
      members: {
        token_endpoint_auth_methods_supported: methods ?? members["token_endpoint_auth_methods_supported"],
        token_endpoint_auth_signing_alg_values_supported:
          algorithms ?? members["token_endpoint_auth_signing_alg_values_supported"],
      },
    };
  } catch (error) {
    throw new TokenVerificationError(`The issuer ${issuer} offers no introspection: ${(error as Error).message}`);
  }
}

/** @throws TokenVerificationError */
function readMembers({ response, text }: ReadResponse, url: URL, secrets: readonly string[]): Members {
  const { status, headers } = response;
  const fail = (problem: string): TokenVerificationError =>
    new TokenVerificationError(`The introspection endpoint ${url.origin}${url.pathname} ${problem}`);
  // A signed response (RFC 9701) would have to be verified, too.
  if (headers.get("content-type")?.toLowerCase().includes("token-introspection+jwt"))
    throw fail("sent a signed response (RFC 9701), although JSON was requested");
  const body = parseJsonObject(text, jsonLimits);
  if (status !== 200) {
    // Some servers do not respond about JWTs, because their content is known (RFC 7009, section 2.2.1, has the code).
    if (status === 400 && body?.["error"] === "unsupported_token_type") return { active: false };
    const code = cleanErrorCode(body?.["error"], secrets);
    throw fail(`responded with status ${status}${code === undefined ? "" : `, ${code}`}`);
  }
  if (typeof body?.["active"] !== "boolean") throw fail("sent no JSON object with true or false for active");
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
