import { reportUserErrorTo } from "../../connection/error-reporting.js";
import type { Authenticated, HttpRequest } from "../../http-server/host-adapter.js";
import type { HttpAuthorization } from "../../http-server/http-authorization.js";
import type { JSONRPCRequest } from "../../jsonrpc/message-types.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { assertMethods } from "../../options/assert-methods.js";
import type { Principal } from "../../transport/principal.js";
import { Admissions } from "../admissions.js";
import { AuthInfo } from "../auth-info.js";
import { checkScopes } from "../check-scopes.js";
import { assertNotExpired } from "../check-token-facts.js";
import { withoutToken } from "../error-without-token.js";
import type { AuthorizationPolicy, AuthorizationRefusal, HttpReply } from "../gate/authorization-policy.js";
import { authorizeHttp } from "../gate/authorize-http.js";
import type { RefusedRequest } from "../refused-request.js";
import { Refusals } from "../refusals.js";
import { readCredentials } from "../request-credentials.js";
import {
  getOAuthProtectedResourceMetadataUrl,
  metadataPath,
  parseResource,
  rootMetadataPath,
} from "../resource-identifier.js";
import { metadataReply } from "../resource-metadata-document.js";
import { ScopeHierarchy } from "../scope-hierarchy.js";
import { InvalidTokenError, TokenVerificationError } from "../token-errors.js";
import { type AccessTokenInfo, principalOf } from "./access-token-info.js";
import { checkAudience } from "./check-audience.js";

const noEnd =
  "requireOwnTokens rejected a token without an end: verifyAccessToken must return expiresAt, in seconds since 1970";

/** Verifies access tokens of which only your program knows anything. */
export interface AccessTokenCheck {
  /**
   * @throws InvalidTokenError when the token is not accepted: the client gets 401
   * @throws TokenVerificationError when it cannot be verified now: the client gets 503 and may repeat the request
   */
  verifyAccessToken(token: string): AccessTokenInfo | Promise<AccessTokenInfo>;
}

/** Options of `requireOwnTokens`. */
export interface OwnTokensOptions {
  readonly verifier: AccessTokenCheck;
  /**
   * Your statement that `verifier` rejects tokens that were issued for other servers. Nothing else can check that, except for JWTs and
   * for tokens whose `resource` the verifier returns.
   */
  readonly audience: "checked-by-verifier";
  /** The scopes that every request needs. Default: none. */
  readonly requiredScopes?: readonly string[];
  /** The canonical URI of this MCP server (RFC 8707), with which the audience of JWTs and the `resource` of tokens are compared. Default: none; tokens with an audience are not accepted. */
  readonly resource?: string | URL;
  /** The audiences that tokens may have instead, for authorization servers that use other names than URLs. Default: `resource`. */
  readonly audiences?: readonly string[];
  /** The issuers that clients get tokens from. With `resource`, the metadata of the resource are served (RFC 9728). Default: none. */
  readonly authorizationServers?: readonly string[];
  /** The `scopes_supported` of the metadata. Default: `requiredScopes`. */
  readonly scopesSupported?: readonly string[];
  /** The name of this MCP server for users, in the metadata. Default: none. */
  readonly resourceName?: string;
  /** Where the metadata are that your program serves itself. Default: those of `authorizationServers`, or none. */
  readonly resourceMetadataUrl?: string;
  /** Receives errors of the verifier, and what it returns that cannot be used. Default: `console.error`. */
  readonly onerror?: (error: Error) => void;
  /** Receives each rejected request, for logs and metrics. */
  readonly onRefused?: (request: RefusedRequest) => void;
}

/**
 * Accepts requests with an access token that a function of your own verifies, such as an API key, or an opaque token that only your database
 * knows. Pass the result as the option `authorization` to `serveHttp` or `createMcpHandler`; in handlers, `tokenInfoOf` has the token. For
 * tokens that an authorization server issues for this server, use `requireBearerAuth`.
 *
 * Also requests without a token get the error `invalid_token`, as from the official SDK.
 * @throws SdkError `INVALID_CONFIGURATION`
 * @example
 * ```ts
 * const authorization = requireOwnTokens({
 *   verifier: {
 *     verifyAccessToken(token) {
 *       const owner = owners.get(token);
 *       if (!owner) throw new InvalidTokenError("inactive", "the key does not exist");
 *       return { token, clientId: owner, scopes: ["read"], expiresAt: Date.now() / 1000 + 60 };
 *     },
 *   },
 *   audience: "checked-by-verifier",
 * });
 * await serveHttp(server, { port: 3000, authorization });
 * ```
 */
export function requireOwnTokens(options: OwnTokensOptions): HttpAuthorization {
  assertMethods(options.verifier, ["verifyAccessToken"], "verifier must be an object with a method verifyAccessToken");
  if ((options.audience as unknown) !== "checked-by-verifier")
    throw new SdkError(
      "INVALID_CONFIGURATION",
      'audience must be "checked-by-verifier", which says that verifyAccessToken rejects tokens for other servers; otherwise use requireBearerAuth',
    );
  return authorizeHttp(new OwnTokens(options));
}

class OwnTokens implements AuthorizationPolicy {
  readonly publicPaths: readonly string[] = [];
  readonly #options: OwnTokensOptions;
  readonly #accepted: readonly string[] | undefined;
  readonly #document: HttpReply | undefined;
  readonly #requiredScopes: readonly string[];
  readonly #admissions: Admissions<object>;
  readonly #refusals: Refusals;

  constructor(options: OwnTokensOptions) {
    const { authorizationServers, resourceMetadataUrl, resourceName, audiences, onRefused } = options;
    const resource = options.resource === undefined ? undefined : parseResource(options.resource);
    const requiredScopes = checkScopes(options.requiredScopes ?? [], "requiredScopes");
    const scopes = checkScopes(options.scopesSupported ?? requiredScopes, "scopesSupported");
    this.#options = options;
    this.#requiredScopes = requiredScopes;
    this.#accepted = audiences ?? (resource && [resource.text]);
    this.#admissions = new Admissions(requiredScopes, new ScopeHierarchy());
    if (authorizationServers) {
      if (!resource) throw new SdkError("INVALID_CONFIGURATION", "authorizationServers need the option resource");
      this.publicPaths = [...new Set([metadataPath(resource.url), rootMetadataPath])];
      this.#document = metadataReply({
        resource: resource.text,
        authorization_servers: [...authorizationServers],
        scopes_supported: scopes.length > 0 ? scopes : undefined,
        bearer_methods_supported: ["header"],
        resource_name: resourceName,
      });
    }
    this.#refusals = new Refusals({
      resourceMetadataUrl:
        resourceMetadataUrl ?? (this.#document && resource ? getOAuthProtectedResourceMetadataUrl(resource.text) : ""),
      requiredScopes,
      challengeGrantedScopes: true,
      schemes: "Bearer",
      algorithms: [],
      onRefused,
      reportError: (error) => reportUserErrorTo(options, error),
    });
  }

  publicDocument(path: string): HttpReply {
    return (this.publicPaths.includes(path) ? this.#document : undefined) ?? { status: 404, headers: {} };
  }

  restore(facts: Principal): Principal {
    const info = new AuthInfo("", facts as AuthInfo);
    Object.freeze(info);
    return this.#admissions.admit(info).info;
  }

  async authenticate(request: HttpRequest): Promise<Authenticated | AuthorizationRefusal> {
    const credentials = readCredentials(request);
    if (credentials.kind === "malformed") return this.#refusals.malformed(request, credentials.problem);
    const token = credentials.kind === "token" ? credentials.token : "";
    try {
      if (credentials.kind === "none")
        throw new InvalidTokenError("malformed", "Send an access token in the Authorization header");
      if (credentials.scheme !== "Bearer")
        throw new InvalidTokenError("malformed", "This server accepts access tokens with the scheme Bearer only");
      return this.#admissions.admit(await this.#verify(token)).authenticated;
    } catch (error) {
      if (error instanceof InvalidTokenError)
        return this.#refusals.invalidToken(request, token, error, { scheme: "Bearer" });
      reportUserErrorTo(this.#options, withoutToken(error, token));
      return error instanceof TokenVerificationError
        ? this.#refusals.notVerified(request)
        : this.#refusals.failed(request);
    }
  }

  authorize(
    request: HttpRequest,
    messages: readonly JSONRPCRequest[],
    scopes: readonly string[],
  ): AuthorizationRefusal | undefined {
    const admission = this.#admissions.find(request.principal);
    if (!admission) return this.#refusals.withoutToken(request);
    const required = [...new Set([...this.#requiredScopes, ...scopes])];
    const missing = required.filter((scope) => !admission.scopes.has(scope));
    return missing.length === 0
      ? undefined
      : this.#refusals.insufficientScope(request, admission.info, { required, missing }, messages);
  }

  async #verify(token: string): Promise<AuthInfo> {
    const principal = principalOf(await this.#options.verifier.verifyAccessToken(token));
    const { expiresAt, audience } = principal;
    if (!Number.isFinite(expiresAt)) {
      reportUserErrorTo(this.#options, new SdkError("INVALID_CONFIGURATION", noEnd));
      throw new InvalidTokenError("claims", "The access token has no end");
    }
    assertNotExpired(expiresAt, 0);
    checkAudience(token, audience, this.#accepted);
    return principal;
  }
}
