import { cleanErrorText } from "../auth/error-text.js";
import { callHook } from "../connection/error-reporting.js";
import type { HttpRequest } from "../http-server/host-adapter.js";
import type { JSONRPCRequest } from "../jsonrpc/message-types.js";
import type { AuthInfo } from "./auth-info.js";
import type { AuthorizationRefusal } from "./gate/authorization-policy.js";
import { type ChallengeParameters, descriptionText, formatChallenge } from "./challenge-header.js";
import { hideToken, secretsOf } from "./error-without-token.js";
import type { RefusedOperation, RefusedRequest } from "./refused-request.js";
import type { TokenScheme } from "./token-credentials.js";
import { isResourceScope } from "./check-scopes.js";
import type { InvalidTokenError } from "./token-errors.js";

export interface RefusalOptions {
  readonly resourceMetadataUrl: string;
  readonly requiredScopes: readonly string[];
  /** Whether challenges for insufficient scopes also name those that the token has. */
  readonly challengeGrantedScopes: boolean;
  /** Which schemes the challenges name. */
  readonly schemes: "Bearer" | "DPoP" | "both";
  /** The algorithms of DPoP proofs. */
  readonly algorithms: readonly string[];
  readonly onRefused: ((request: RefusedRequest) => void) | undefined;
  readonly reportError: (error: unknown) => void;
}

/** The members of an entry for the log that the caller knows. */
type Entry = Omit<RefusedRequest, "correlationId" | "method" | "remoteAddress">;

/** The scheme of the request, and whether its token is bound to a key. */
export interface PresentedToken {
  readonly scheme: TokenScheme;
  readonly isBound?: boolean;
}

/** The longest list of granted scopes that a challenge repeats: HTTP clients limit the headers that they read. */
const maxGrantedText = 2_048;

/** The responses to requests that are not authorized (MCP, authorization: error handling; RFC 6750, section 3). */
export class Refusals {
  readonly #options: RefusalOptions;

  constructor(options: RefusalOptions) {
    this.#options = options;
  }

  /** Without credentials, a challenge has no `error` (RFC 6750, section 3.1). */
  withoutToken(request: HttpRequest): AuthorizationRefusal {
    const message = "Unauthorized: send an access token in the Authorization header";
    return this.#refuse(request, { status: 401, error: undefined, message }, this.#challenge({}));
  }

  malformed(request: HttpRequest, problem: string): AuthorizationRefusal {
    const parameters = { error: "invalid_request", error_description: problem };
    return this.#refuse(
      request,
      { status: 400, error: parameters.error, message: `Bad Request: ${problem}` },
      this.#challenge(parameters),
    );
  }

  /** @param token the token itself, which a verifier may have repeated in its message */
  invalidToken(
    request: HttpRequest,
    token: string,
    { reason, message }: Pick<InvalidTokenError, "reason" | "message">,
    presented: PresentedToken,
    error = reason === "proof" ? "invalid_dpop_proof" : "invalid_token",
  ): AuthorizationRefusal {
    const description = cleanErrorText(message, secretsOf(token)) ?? "The access token is not accepted";
    return this.#refuse(
      request,
      { status: 401, error, message: `Unauthorized: ${description}`, reason },
      this.#challenge({ error, error_description: description, scope: this.#endpointScope }, presented),
    );
  }

  /** Names all scopes of the operation at once, so that the client has to log in only once for it. */
  insufficientScope(
    request: HttpRequest,
    info: AuthInfo<object>,
    { required, missing }: { readonly required: readonly string[]; readonly missing: readonly string[] },
    messages: readonly JSONRPCRequest[],
  ): AuthorizationRefusal {
    const { issuer, subject, clientId, scopes: granted, keyThumbprint, token } = info;
    const description = `The access token lacks the scope ${missing.join(" ")}`;
    const scheme = keyThumbprint === undefined ? "Bearer" : "DPoP";
    const parameters = {
      error: "insufficient_scope",
      error_description: description,
      scope: [...new Set([...this.#repeated(granted), ...required])].join(" "),
    };
    return this.#refuse(
      request,
      {
        status: 403,
        error: parameters.error,
        message: `Forbidden: ${description}`,
        principal: { issuer, subject },
        clientId,
        operations: messages.map((message) => describeOperation(message, token)),
        requiredScopes: required,
        grantedScopes: granted,
        missingScopes: missing,
      },
      this.#challenge(parameters, { scheme }),
    );
  }

  /** The token may be valid: the client must not throw it away. */
  notVerified(request: HttpRequest): AuthorizationRefusal {
    const message = "Service Unavailable: the access token cannot be verified now; try again later";
    return this.#refuse(request, { status: 503, error: undefined, message }, { "retry-after": "5" });
  }

  /** A fault of this server, about which the client learns nothing. */
  failed(request: HttpRequest): AuthorizationRefusal {
    return this.#refuse(request, { status: 500, error: undefined, message: "Internal error" }, {});
  }

  get #endpointScope(): string {
    return this.#options.requiredScopes.join(" ");
  }

  #repeated(granted: readonly string[]): readonly string[] {
    if (!this.#options.challengeGrantedScopes) return [];
    const scopes = granted.filter(isResourceScope);
    return scopes.join(" ").length > maxGrantedText ? [] : scopes;
  }

  /**
   * One challenge per scheme that can be used; the error belongs to the scheme of the request (RFC 9449, section 7.2). Bearer is
   * first, because some clients read only the first.
   */
  #challenge(
    { error, error_description, scope = this.#endpointScope }: ChallengeParameters,
    { scheme, isBound = false }: Partial<PresentedToken> = {},
  ): Readonly<Record<string, string>> {
    const { schemes, algorithms, resourceMetadataUrl } = this.#options;
    const hasBearer = schemes !== "DPoP";
    const hasDpop = schemes !== "Bearer" || scheme === "DPoP" || isBound;
    const failed = hasBearer && hasDpop ? (scheme ?? "Bearer") : hasBearer ? "Bearer" : "DPoP";
    const one = (named: TokenScheme): string =>
      formatChallenge(named, {
        error: named === failed ? error : undefined,
        scope,
        resource_metadata: resourceMetadataUrl,
        // Last, because some clients take the first text that looks like a parameter.
        error_description:
          named === failed && error_description !== undefined ? descriptionText(error_description) : "",
        algs: named === "DPoP" ? algorithms.join(" ") : undefined,
      });
    const challenges = [...(hasBearer ? [one("Bearer")] : []), ...(hasDpop ? [one("DPoP")] : [])];
    return { "www-authenticate": challenges.join(", ") };
  }

  #refuse(
    { method, remoteAddress }: HttpRequest,
    entry: Entry,
    headers: Readonly<Record<string, string>>,
  ): AuthorizationRefusal {
    const { status, message } = entry;
    const { onRefused } = this.#options;
    if (!onRefused) return { status, message, headers };
    const correlationId = crypto.randomUUID();
    const logged: RefusedRequest = { correlationId, ...entry, method, remoteAddress };
    callHook(() => onRefused(logged), this.#options.reportError);
    return { status, message, headers: { ...headers, "x-correlation-id": correlationId } };
  }
}

/** The request is not validated yet. */
function describeOperation(message: JSONRPCRequest, token: string): RefusedOperation {
  const { method, params } = message as { readonly method: unknown; readonly params?: unknown };
  const { name, uri } = Object(params) as Readonly<Record<string, unknown>>;
  const textOf = (value: unknown): string | undefined =>
    typeof value === "string" ? hideToken(value, token).slice(0, 200) : undefined;
  return { method: textOf(method) ?? "", name: textOf(name) ?? textOf(uri) };
}
