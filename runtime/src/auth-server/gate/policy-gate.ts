import { reportUserErrorTo } from "../../connection/error-reporting.js";
import type { HttpRequestInfo } from "../../transport/message-extra.js";
import type { Authenticated, HttpRequest, Responder } from "../../http-server/host-adapter.js";
import type { HostedServer } from "../../http-server/hosted-server.js";
import type { AuthorizationGate } from "../../http-server/http-authorization.js";
import type { StandingStream } from "../../http-server/kept-alive-stream.js";
import { isValidPrincipal } from "../../http-server/principal-key.js";
import type { ScopeGate } from "../../http-server/scoped-features.js";
import { HttpRejection } from "../../http-server/rejection.js";
import { ErrorCode, ProtocolError, SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { JSONRPCRequest } from "../../jsonrpc/message-types.js";
import type { Principal } from "../../transport/principal.js";
import { isPromiseLike } from "../../timing/is-promise-like.js";
import { withTimeLimit } from "../../timing/with-time-limit.js";
import type { AuthorizationPolicy, AuthorizationRefusal } from "./authorization-policy.js";
import { ExpiringStreams } from "./expiring-streams.js";
import { assertScopes, requiredScopes } from "./required-scopes.js";

/** How long the authentication of a request may take, in milliseconds. */
const patienceMs = 30_000;

/** Applies a policy, and the scopes of tools, resources and prompts, to the requests of an endpoint. */
export class PolicyGate implements AuthorizationGate, ScopeGate {
  readonly #streams = new ExpiringStreams();

  /** @throws SdkError `INVALID_CONFIGURATION` when the scopes of a registered item are not valid */
  constructor(
    readonly server: HostedServer,
    readonly policy: AuthorizationPolicy,
  ) {
    assertScopes(server.features ?? {});
  }

  isPublic({ url }: HttpRequest): boolean {
    return this.policy.publicPaths.includes(pathOf(url));
  }

  receive(
    request: HttpRequest,
    responder: Responder,
    next: (rejection?: HttpRejection) => boolean,
  ): boolean | Promise<boolean> {
    try {
      if (this.isPublic(request)) {
        this.#servePublic(request, responder);
        return false;
      }
      // Browsers send preflight requests without credentials.
      const waiting = request.method === "OPTIONS" ? undefined : this.#authenticate(request);
      if (waiting)
        return waiting.then(
          () => next(),
          (error: unknown) => next(this.#rejectionFor(error)),
        );
    } catch (error) {
      return next(this.#rejectionFor(error));
    }
    return next();
  }

  /** Responds with a public document, or explains how to get it. */
  #servePublic({ method, url }: HttpRequest, responder: Responder): void {
    const allow = { allow: "GET, HEAD, OPTIONS", "access-control-allow-origin": "*" };
    if (method === "OPTIONS") {
      const cors = { "access-control-allow-methods": "GET, HEAD", "access-control-allow-headers": "*" };
      return responder.respond(204, { ...allow, ...cors, "access-control-max-age": "86400" });
    }
    if (method !== "GET" && method !== "HEAD") throw new HttpRejection(405, "Method Not Allowed", allow);
    const { status, headers, body } = this.policy.publicDocument(pathOf(url));
    responder.respond(status, { ...headers, ...allow }, method === "GET" ? body : undefined);
  }

  #authenticate(request: HttpRequest): void | Promise<void> {
    if (request.principal) throw invalid("pass either a principal or the option authorization, not both");
    const found = this.policy.authenticate(request);
    if (!isPromiseLike(found)) return this.#accept(request, found);
    return withTimeLimit(found, patienceMs, busy).then((later) => this.#accept(request, later));
  }

  #accept(request: HttpRequest, found: Authenticated | AuthorizationRefusal): void {
    accept(request, found);
    if (request.principal) this.server.features?.gates?.set(request.principal, this);
  }

  grantedScopes(principal: Principal): ReadonlySet<string> {
    const { scopes } = principal as { readonly scopes?: unknown };
    return this.policy.grantedScopes?.(principal) ?? new Set(Array.isArray(scopes) ? (scopes as string[]) : []);
  }

  refusalFor(
    { http, principal }: { readonly http: HttpRequestInfo; readonly principal: Principal },
    message: JSONRPCRequest,
    scopes: readonly string[],
  ): HttpRejection | undefined {
    const { url, remoteAddress } = http;
    const header = (name: string): string | undefined => http.header(name);
    try {
      const refusal = this.policy.authorize(
        { method: "POST", url, remoteAddress, header, principal },
        [message],
        scopes,
      );
      return refusal && rejectionOf(refusal);
    } catch (error) {
      return this.#rejectionFor(error);
    }
  }

  assertAuthorized(request: HttpRequest, message?: unknown): void {
    const refusal = this.#refusalOf(request, message);
    if (refusal) throw refusal;
  }

  #refusalOf(request: HttpRequest, message: unknown): HttpRejection | undefined {
    try {
      // Without it, an adapter has ignored the promise that `receiveHead` returned.
      if (!request.authenticated) throw invalid("the adapter must wait for receiveHead");
      const { features = {} } = this.server;
      const messages = Array.isArray(message) ? message.filter(isRequest) : isRequest(message) ? [message] : [];
      const needed = messages.flatMap((one) => requiredScopes(features, one));
      const refusal = this.policy.authorize(request, messages, needed.length > 1 ? [...new Set(needed)] : needed);
      return refusal && rejectionOf(refusal);
    } catch (error) {
      return this.#rejectionFor(error);
    }
  }

  restore(facts: Principal): Principal {
    const principal = this.policy.restore?.(facts) ?? facts;
    this.server.features?.gates?.set(principal, this);
    return principal;
  }

  watch(stream: StandingStream, { authenticated }: HttpRequest): void {
    this.#streams.set(stream, authenticated?.expiresAt);
  }

  forget(stream: StandingStream): void {
    this.#streams.delete(stream);
  }

  /** Reports an error of the policy or of the host. Returns a rejection as it is. */
  #rejectionFor(error: unknown): HttpRejection {
    if (error instanceof HttpRejection) return error;
    reportUserErrorTo(this.server.options, error);
    return new HttpRejection(500, new ProtocolError(ErrorCode.InternalError, "Internal error"));
  }
}

/** @throws HttpRejection when the policy refuses the request */
function accept(request: HttpRequest, found: Authenticated | AuthorizationRefusal): void {
  if ("status" in found) throw rejectionOf(found);
  const { principal } = found;
  // An invalid principal is a bug of the policy. If it were accepted, several users could share sessions.
  if (!isValidPrincipal(principal))
    throw invalid("principal.issuer and principal.subject must be non-empty strings", principal);
  request.principal = principal;
  request.authenticated = found;
}

function invalid(message: string, data?: unknown): SdkError {
  return new SdkError("INVALID_CONFIGURATION", message, data);
}

function busy(): HttpRejection {
  const error = new ProtocolError(ErrorCode.InternalError, "Authentication takes too long; try again later");
  return new HttpRejection(503, error, { "retry-after": "5" });
}

function rejectionOf({ status, message, headers }: AuthorizationRefusal): HttpRejection {
  return new HttpRejection(
    status,
    status < 500 ? message : new ProtocolError(ErrorCode.InternalError, message),
    headers,
  );
}

/** Whether a value may be run as a request; the others get no handler. */
function isRequest(message: unknown): message is JSONRPCRequest {
  return isObject(message) && "id" in message && "method" in message;
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
