import { reportUserErrorTo } from "../connection/error-reporting.js";
import type {
  Authenticated,
  AuthorizationRefusal,
  HttpAuthorization,
  HttpReply,
} from "../http-server/http-authorization.js";
import type { HttpRequest } from "../http-server/host-adapter.js";
import type { JSONRPCRequest } from "../jsonrpc/message-types.js";
import type { Principal } from "../transport/principal.js";
import { AuthInfo } from "./auth-info.js";
import type { BearerAuthOptions } from "./bearer-auth-options.js";
import { type BearerAuthSettings, checkBearerAuthOptions } from "./bearer-auth-settings.js";
import { DpopNonceError } from "./dpop/dpop-nonce-error.js";
import { withoutToken } from "./error-without-token.js";
import { Refusals } from "./refusals.js";
import { readCredentials, type TokenScheme } from "./request-credentials.js";
import { getOAuthProtectedResourceMetadataUrl, metadataPath, rootMetadataPath } from "./resource-identifier.js";
import { metadataReply } from "./resource-metadata-document.js";
import { checkScopes } from "./scope-names.js";
import { InvalidTokenError, TokenVerificationError } from "./token-errors.js";
import { VerifiedTokens } from "./verified-tokens.js";

/** The authorization of an endpoint by access tokens. Pass it as the option `authorization` to `serveHttp` or `createMcpHandler`. */
export interface BearerAuth<Claims extends object = Readonly<Record<string, unknown>>> extends HttpAuthorization {
  /** The canonical URI of the MCP server, as it was configured. */
  readonly resource: string;
  /** Where clients find the metadata of the MCP server (RFC 9728). */
  readonly resourceMetadataUrl: string;
  /**
   * Returns the access token's members for a handler, typed by the verifier; undefined when the request did not come through this
   * authorization, for example over stdio.
   * @example
   * ```ts
   * server.registerTool("whoami", {}, (context) => {
   *   const info = authorization.infoOf(context);
   *   return { content: [{ type: "text", text: info ? `${info.subject} with ${info.scopes.join(" ")}` : "local user" }] };
   * });
   * ```
   */
  infoOf(context: { readonly principal?: Principal | undefined }): AuthInfo<Claims> | undefined;
}

/**
 * Makes an MCP server an OAuth resource server (MCP, authorization): it accepts requests with an access token only, checks scopes,
 * answers other requests with the challenge from which clients learn how to log in, and publishes its metadata (RFC 9728).
 * @throws SdkError `INVALID_CONFIGURATION` with the option that is invalid, and the remedy
 * @example
 * ```ts
 * const authorization = requireBearerAuth({
 *   resource: "https://mcp.example.com/mcp",
 *   verifier: jwtVerifier({ issuer: "https://auth.example.com" }),
 *   requiredScopes: ["files:read"],
 * });
 * server.registerTool("delete", { scopes: ["files:write"], inputSchema }, async ({ path }, context) => {
 *   const info = authorization.infoOf(context);
 *   await remove(path, info?.subject);
 *   return { content: [] };
 * });
 * await serveHttp(server, { port: 3000, allowedHosts: ["mcp.example.com"], authorization });
 * ```
 */
export function requireBearerAuth<Claims extends object = Readonly<Record<string, unknown>>>(
  options: BearerAuthOptions<Claims>,
): BearerAuth<Claims> {
  return new ResourceServer(options, checkBearerAuthOptions(options));
}

/** What the scopes of a token allow, computed once per verified token. */
interface Admission {
  readonly scopes: ReadonlySet<string>;
  /** The scopes of the endpoint that it lacks. */
  readonly missing: readonly string[];
  readonly authenticated: Authenticated;
}

class ResourceServer<Claims extends object> implements BearerAuth<Claims> {
  readonly resource: string;
  readonly resourceMetadataUrl: string;
  readonly publicPaths: readonly string[];
  readonly #options: BearerAuthOptions<Claims>;
  readonly #settings: BearerAuthSettings;
  readonly #document: HttpReply;
  readonly #maxTokenLength: number;
  readonly #tokens: VerifiedTokens<Claims>;
  readonly #refusals: Refusals;
  readonly #admissions = new WeakMap<object, Admission>();
  /** Requests that share a verification share its error; it is reported once. */
  readonly #reported = new WeakSet<object>();

  constructor(options: BearerAuthOptions<Claims>, settings: BearerAuthSettings) {
    const { verifier, maxTokenBytes = 16_384, maxCachedTokens = 10_000, verificationTimeoutMs = 30_000 } = options;
    const { resource, requiredScopes, schemes, proofs } = settings;
    this.#options = options;
    this.#settings = settings;
    this.#maxTokenLength = maxTokenBytes;
    this.resource = resource.text;
    this.resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resource.text);
    this.publicPaths = [...new Set([metadataPath(resource.url), rootMetadataPath])];
    this.#document = metadataReply(settings.document);
    this.#tokens = new VerifiedTokens({
      verifier,
      resource: resource.text,
      issuers: verifier.issuers,
      audiences: verifier.audiences ?? [resource.text],
      maxCachedTokens,
      timeoutMs: verificationTimeoutMs,
    });
    this.#refusals = new Refusals({
      resourceMetadataUrl: this.resourceMetadataUrl,
      requiredScopes,
      challengeGrantedScopes: options.challengeGrantedScopes ?? true,
      schemes,
      algorithms: proofs.algorithms,
      onRefused: options.onRefused,
      reportError: (error) => reportUserErrorTo(options, error),
    });
  }

  publicDocument(path: string): HttpReply {
    return this.publicPaths.includes(path) ? this.#document : { status: 404, headers: {} };
  }

  infoOf({ principal }: { readonly principal?: Principal | undefined }): AuthInfo<Claims> | undefined {
    return this.#isOwn(principal) ? principal : undefined;
  }

  authenticate(
    request: HttpRequest,
  ): Authenticated | AuthorizationRefusal | Promise<Authenticated | AuthorizationRefusal> {
    const credentials = readCredentials(request);
    if (credentials.kind === "none") return this.#refusals.withoutToken(request);
    if (credentials.kind === "malformed") return this.#refusals.malformed(request, credentials.problem);
    const { token, scheme } = credentials;
    if (token.length > this.#maxTokenLength) {
      const message = `The access token has more than ${this.#maxTokenLength} characters`;
      return this.#refusals.invalidToken(request, token, new InvalidTokenError("malformed", message), { scheme });
    }
    const refuse = (error: unknown): AuthorizationRefusal | Promise<AuthorizationRefusal> =>
      this.#refuseToken(request, token, scheme, error);
    try {
      const info = this.#tokens.verify(token);
      if (info instanceof AuthInfo) return this.#admit(request, scheme, info);
      return info.then((verified) => this.#admit(request, scheme, verified)).catch(refuse);
    } catch (error) {
      return refuse(error);
    }
  }

  authorize(
    request: HttpRequest,
    messages: readonly JSONRPCRequest[],
    scopes: readonly string[],
  ): AuthorizationRefusal | undefined {
    const { principal } = request;
    const { operationScopes } = this.#options;
    // Nothing else is served, also when a host passes a principal of its own.
    if (!this.#isOwn(principal)) return this.#refusals.withoutToken(request);
    const admission = this.#admission(principal);
    if (scopes.length === 0 && !operationScopes && admission.missing.length === 0) return undefined;
    let required: readonly string[];
    try {
      const dynamic = operationScopes ? messages.flatMap((message) => operationScopes(message)) : [];
      required = [
        ...new Set([
          ...this.#settings.requiredScopes,
          ...scopes,
          ...checkScopes(dynamic, "the result of operationScopes"),
        ]),
      ];
    } catch (error) {
      this.#report(error, principal.token);
      return this.#refusals.failed(request);
    }
    const missing = required.filter((scope) => !admission.scopes.has(scope));
    return missing.length === 0
      ? undefined
      : this.#refusals.insufficientScope(request, principal, { required, missing }, messages);
  }

  /** Compares the scheme with the token, and checks the proof of a bound one. */
  #admit(
    request: HttpRequest,
    scheme: TokenScheme,
    info: AuthInfo<Claims>,
  ): Authenticated | AuthorizationRefusal | Promise<Authenticated | AuthorizationRefusal> {
    const { keyThumbprint, token } = info;
    const isBound = keyThumbprint !== undefined;
    if (!isBound && this.#settings.schemes === "DPoP")
      return this.#refusals.invalidToken(
        request,
        token,
        mismatch("This server accepts only access tokens that are bound to a key (DPoP)"),
        { scheme },
      );
    if (isBound !== (scheme === "DPoP")) {
      const problem = isBound
        ? "The access token is bound to a key: send it with the scheme DPoP and a proof of the key"
        : "The access token is not bound to a key: send it with the scheme Bearer";
      return this.#refusals.invalidToken(request, token, mismatch(problem), { scheme, isBound });
    }
    return isBound ? this.#admitBound(request, info, keyThumbprint) : this.#accept(request, info);
  }

  async #admitBound(
    request: HttpRequest,
    info: AuthInfo<Claims>,
    keyThumbprint: string,
  ): Promise<Authenticated | AuthorizationRefusal> {
    const { proofs } = this.#settings;
    const { method, url } = request;
    const [path = url] = url.split("?", 1);
    await proofs.verify(request.header("dpop"), { method, path, token: info.token, keyThumbprint });
    const accepted = this.#accept(request, info);
    const nonce = await proofs.nonce();
    return nonce === undefined ? accepted : { ...accepted, headers: { ...accepted.headers, "dpop-nonce": nonce } };
  }

  #accept(request: HttpRequest, info: AuthInfo<Claims>): Authenticated | AuthorizationRefusal {
    const { missing, authenticated } = this.#admission(info);
    // Of a POST, `authorize` names all scopes at once: those of the endpoint and those of the operation.
    if (missing.length === 0 || request.method === "POST") return authenticated;
    return this.#refusals.insufficientScope(request, info, { required: this.#settings.requiredScopes, missing }, []);
  }

  #admission(info: AuthInfo<Claims>): Admission {
    const known = this.#admissions.get(info);
    if (known) return known;
    const { hierarchy, requiredScopes } = this.#settings;
    const scopes = hierarchy.expand(info.scopes);
    const admission: Admission = {
      scopes,
      missing: requiredScopes.filter((scope) => !scopes.has(scope)),
      authenticated: { principal: info, expiresAt: info.expiresAt * 1_000 },
    };
    this.#admissions.set(info, admission);
    return admission;
  }

  #isOwn(principal: Principal | undefined): principal is AuthInfo<Claims> {
    return principal !== undefined && this.#admissions.has(principal);
  }

  #refuseToken(
    request: HttpRequest,
    token: string,
    scheme: TokenScheme,
    error: unknown,
  ): AuthorizationRefusal | Promise<AuthorizationRefusal> {
    if (error instanceof DpopNonceError) {
      const { headers, ...refusal } = this.#refusals.invalidToken(request, token, error, { scheme }, "use_dpop_nonce");
      return { ...refusal, headers: { ...headers, "dpop-nonce": error.nonce } };
    }
    if (error instanceof InvalidTokenError) return this.#refusals.invalidToken(request, token, error, { scheme });
    this.#report(error, token);
    return error instanceof TokenVerificationError
      ? this.#refusals.notVerified(request)
      : this.#refusals.failed(request);
  }

  #report(error: unknown, token: string): void {
    if (typeof error === "object" && error !== null) {
      if (this.#reported.has(error)) return;
      this.#reported.add(error);
    }
    reportUserErrorTo(this.#options, withoutToken(error, token));
  }
}

function mismatch(message: string): InvalidTokenError {
  return new InvalidTokenError("malformed", message);
}
