import { reportUserErrorTo } from "../connection/error-reporting.js";
import type { Authenticated, HttpHeaders, HttpRequest } from "../http-server/host-adapter.js";
import type { HostedServer } from "../http-server/hosted-server.js";
import type { AuthorizationGate, HttpAuthorization } from "../http-server/http-authorization.js";
import type { JSONRPCRequest } from "../jsonrpc/message-types.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import type { Principal } from "../transport/principal.js";
import { Admissions } from "./admissions.js";
import { AuthInfo, type TokenFacts } from "./auth-info.js";
import type { BearerAuthOptions } from "./bearer-auth-options.js";
import type { BearerAuthSettings } from "./bearer-auth-settings.js";
import { KnownCredentials } from "./known-credentials.js";
import { DpopNonceError } from "./dpop/dpop-nonce-error.js";
import { withoutToken } from "./error-without-token.js";
import type { AuthorizationPolicy, AuthorizationRefusal, HttpReply } from "./gate/authorization-policy.js";
import { PolicyGate } from "./gate/policy-gate.js";
import { Refusals } from "./refusals.js";
import { readCredentials } from "./request-credentials.js";
import type { TokenScheme } from "./token-credentials.js";
import { getOAuthProtectedResourceMetadataUrl, metadataPath, rootMetadataPath } from "./resource-identifier.js";
import { metadataReply } from "./resource-metadata-document.js";
import { checkScopes } from "./check-scopes.js";
import { InvalidTokenError, TokenVerificationError } from "./token-errors.js";
import { VerifiedTokens } from "./verified-tokens.js";

/** How often the same reason is reported, in milliseconds. */
const reportIntervalMs = 1_000;

/** An OAuth resource server: decides about the requests to one endpoint. `requireBearerAuth` makes one. */
export class ResourceServer<Claims extends object> implements HttpAuthorization, AuthorizationPolicy {
  readonly resource: string;
  readonly resourceMetadataUrl: string;
  readonly publicPaths: readonly string[];
  readonly #options: BearerAuthOptions<Claims>;
  readonly #settings: BearerAuthSettings;
  readonly #document: HttpReply;
  readonly #maxTokenLength: number;
  readonly #tokens: VerifiedTokens<Claims>;
  readonly #known: KnownCredentials;
  readonly #refusals: Refusals;
  readonly #admissions: Admissions<Claims>;
  /** Requests that share a verification share its error; it is reported once. */
  readonly #reported = new WeakSet<object>();
  /** The last reason why tokens could not be verified: while an issuer is down, each request has the same. */
  #lastReason = { message: "", at: 0 };

  constructor(options: BearerAuthOptions<Claims>, settings: BearerAuthSettings) {
    const { verifier, maxTokenBytes = 16_384, maxCachedTokens = 10_000, verificationTimeoutMs = 20_000 } = options;
    const { resource, requiredScopes, hierarchy, schemes, proofs } = settings;
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
    this.#known = new KnownCredentials((verifier.cacheMs ?? 0) > 0 ? maxCachedTokens : 0);
    this.#admissions = new Admissions(requiredScopes, hierarchy);
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

  gateFor(server: HostedServer): AuthorizationGate {
    return new PolicyGate(server, this);
  }

  publicDocument(path: string): HttpReply {
    return this.publicPaths.includes(path) ? this.#document : { status: 404, headers: {} };
  }

  infoOf({ principal }: { readonly principal?: Principal | undefined }): AuthInfo<Claims> | undefined {
    return this.#admissions.find(principal)?.info;
  }

  grantedScopes(principal: Principal): ReadonlySet<string> {
    return this.#admissions.find(principal)?.scopes ?? new Set();
  }

  restore(facts: Principal): Principal {
    const info = new AuthInfo("", facts as TokenFacts<Claims>);
    Object.freeze(info);
    return this.#admissions.admit(info).info;
  }

  authenticate(
    request: HttpRequest,
  ): Authenticated | AuthorizationRefusal | Promise<Authenticated | AuthorizationRefusal> {
    const credentials = readCredentials(request, this.#known);
    if (credentials.kind === "none") return this.#withNonce(this.#refusals.withoutToken(request));
    if (credentials.kind === "malformed") return this.#refusals.malformed(request, credentials.problem);
    const { token, scheme } = credentials;
    if (token.length > this.#maxTokenLength) {
      const message = `The access token has more than ${this.#maxTokenLength} characters`;
      return this.#refusals.invalidToken(request, token, new InvalidTokenError("malformed", message), { scheme });
    }
    try {
      const info = this.#tokens.verify(token);
      if (info instanceof AuthInfo) {
        this.#known.add(credentials);
        return this.#admit(request, scheme, info);
      }
      return info
        .then((verified) => this.#admit(request, scheme, verified))
        .catch((error: unknown) => this.#refuseToken(request, token, scheme, error));
    } catch (error) {
      return this.#refuseToken(request, token, scheme, error);
    }
  }

  authorize(
    request: HttpRequest,
    messages: readonly JSONRPCRequest[],
    scopes: readonly string[],
  ): AuthorizationRefusal | undefined {
    // Nothing else is served, also when a host passes a principal of its own.
    const admission = this.#admissions.find(request.principal);
    if (!admission) return this.#refusals.withoutToken(request);
    const { info } = admission;
    if (scopes.length === 0 && admission.missing.length === 0 && !this.#options.operationScopes) return undefined;
    const required = this.#requiredScopes(messages, scopes, info);
    if (!required) return this.#refusals.failed(request);
    const missing = required.filter((scope) => !admission.scopes.has(scope));
    return missing.length === 0
      ? undefined
      : this.#refusals.insufficientScope(request, info, { required, missing }, messages);
  }

  /** Returns all scopes that requests need; undefined when the user's code fails. */
  #requiredScopes(
    messages: readonly JSONRPCRequest[],
    scopes: readonly string[],
    info: AuthInfo<Claims>,
  ): readonly string[] | undefined {
    const { operationScopes } = this.#options;
    try {
      const dynamic = operationScopes ? messages.flatMap((message) => operationScopes(message, info)) : [];
      const checked = checkScopes(dynamic, "the result of operationScopes");
      return [...new Set([...this.#settings.requiredScopes, ...scopes, ...checked])];
    } catch (error) {
      this.#report(error, info.token);
      return undefined;
    }
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
    return isBound ? this.#admitBound(request, info, keyThumbprint) : this.#admissions.admit(info).authenticated;
  }

  async #admitBound(
    request: HttpRequest,
    info: AuthInfo<Claims>,
    keyThumbprint: string,
  ): Promise<Authenticated | AuthorizationRefusal> {
    const { proofs } = this.#settings;
    const { method, url } = request;
    const { token } = info;
    const end = url.indexOf("?");
    const path = end < 0 ? url : url.slice(0, end);
    try {
      await proofs.verify(request.header("dpop"), { method, path, token, keyThumbprint });
    } catch (error) {
      return this.#refuseToken(request, token, "DPoP", error);
    }
    return this.#withNonce(this.#admissions.admit(info).authenticated);
  }

  /** Adds the newest nonce for DPoP proofs, so that the next request of the client has one (RFC 9449, section 8.2). */
  #withNonce<Outcome extends { readonly headers?: HttpHeaders }>(outcome: Outcome): Outcome | Promise<Outcome> {
    const add = (nonce: string | undefined): Outcome =>
      nonce === undefined ? outcome : { ...outcome, headers: { ...outcome.headers, "dpop-nonce": nonce } };
    const nonce = this.#settings.proofs.nonce();
    return isPromiseLike(nonce) ? nonce.then(add) : add(nonce);
  }

  #refuseToken(
    request: HttpRequest,
    token: string,
    scheme: TokenScheme,
    error: unknown,
  ): AuthorizationRefusal | Promise<AuthorizationRefusal> {
    if (error instanceof InvalidTokenError) {
      const code = error instanceof DpopNonceError ? "use_dpop_nonce" : undefined;
      const refusal = this.#refusals.invalidToken(request, token, error, { scheme }, code);
      return error.reason === "proof" ? this.#withNonce(refusal) : refusal;
    }
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
    if (error instanceof TokenVerificationError) {
      const { message } = error;
      const at = Date.now();
      if (message === this.#lastReason.message && at < this.#lastReason.at + reportIntervalMs) return;
      this.#lastReason = { message, at };
    }
    reportUserErrorTo(this.#options, withoutToken(error, token));
  }
}

function mismatch(message: string): InvalidTokenError {
  return new InvalidTokenError("malformed", message);
}
