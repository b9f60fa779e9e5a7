import { reportUserErrorTo } from "../connection/error-reporting.js";
import { ErrorCode, ProtocolError, SdkError } from "../jsonrpc/errors.js";
import { isObject } from "../jsonrpc/guards.js";
import type { JSONRPCRequest } from "../jsonrpc/message-types.js";
import { isPromiseLike } from "../timing/is-promise-like.js";
import { withTimeLimit } from "../timing/with-time-limit.js";
import type { Authenticated, HttpRequest, Responder } from "./host-adapter.js";
import type { HostedServer } from "./hosted-server.js";
import type { AuthorizationRefusal, HttpAuthorization } from "./http-authorization.js";
import { isValidPrincipal } from "./principal-key.js";
import { HttpRejection } from "./rejection.js";
import { requiredScopes } from "./required-scopes.js";

/** How long the authentication of a request may take, in milliseconds. */
const patienceMs = 30_000;

/** Applies the option `authorization`, and the scopes of tools, resources and prompts, to the requests of an endpoint. */
export class AuthorizationGate {
  /** Whether scopes without an authorization have been reported. */
  #hasReported = false;

  constructor(
    readonly server: HostedServer,
    readonly authorization: HttpAuthorization | undefined,
  ) {}

  /** Whether a request is for a document that needs no authorization. */
  isPublic({ url }: HttpRequest): boolean {
    return this.authorization?.publicPaths.includes(pathOf(url)) === true;
  }

  /** Responds with a public document, or explains how to get it. */
  servePublic({ method, url }: HttpRequest, responder: Responder): void {
    const allow = { allow: "GET, HEAD, OPTIONS", "access-control-allow-origin": "*" };
    if (method === "OPTIONS") {
      const cors = { "access-control-allow-methods": "GET, HEAD", "access-control-allow-headers": "*" };
      return responder.respond(204, { ...allow, ...cors, "access-control-max-age": "86400" });
    }
    if (method !== "GET" && method !== "HEAD") throw new HttpRejection(405, "Method Not Allowed", allow);
    this.#attempt(() => {
      const reply = this.authorization?.publicDocument(pathOf(url));
      if (reply)
        responder.respond(reply.status, { ...reply.headers, ...allow }, method === "GET" ? reply.body : undefined);
    });
  }

  /**
   * Authenticates the sender of a request.
   * @returns a promise only when that takes time
   * @throws HttpRejection
   */
  authenticate(request: HttpRequest): void | Promise<void> {
    const { principal } = request;
    const { authorization } = this;
    if (!authorization) return principal && this.#assertValid(principal);
    if (principal) throw this.#failure(invalid("pass either a principal or the option authorization, not both"));
    return this.#attempt(() => {
      const found = authorization.authenticate(request);
      return isPromiseLike(found) ? this.#wait(request, found) : this.#accept(request, found);
    });
  }

  async #wait(request: HttpRequest, found: Promise<Authenticated | AuthorizationRefusal>): Promise<void> {
    try {
      this.#accept(request, await withTimeLimit(found, patienceMs, busy));
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** @throws HttpRejection when the sender may not send the requests of a message or batch */
  assertAuthorized(request: HttpRequest, message?: unknown): void {
    const { features = {} } = this.server;
    const messages = Array.isArray(message) ? message.filter(isRequest) : isRequest(message) ? [message] : [];
    const needed = messages.flatMap((one) => requiredScopes(features, one));
    const scopes = needed.length > 1 ? [...new Set(needed)] : needed;
    const { authorization } = this;
    if (authorization) {
      // Without it, an adapter has ignored the promise that `receiveHead` returned.
      if (!request.authenticated) throw this.#failure(invalid("the adapter must wait for receiveHead"));
      const refusal = this.#attempt(() => authorization.authorize(request, messages, scopes));
      if (refusal) throw rejectionOf(refusal);
      return;
    }
    const { scopes: granted = [] } = (request.principal ?? {}) as { readonly scopes?: readonly string[] };
    if (scopes.every((scope) => granted.includes(scope))) return;
    if (!this.#hasReported)
      reportUserErrorTo(
        this.server.options,
        invalid("tools, resources or prompts with scopes are served without the option authorization; set it"),
      );
    this.#hasReported = true;
    throw new HttpRejection(403, `Forbidden: this needs the scopes ${scopes.join(" ")}`);
  }

  #accept(request: HttpRequest, found: Authenticated | AuthorizationRefusal): void {
    if ("status" in found) throw rejectionOf(found);
    this.#assertValid(found.principal);
    request.principal = found.principal;
    request.authenticated = found;
  }

  #assertValid(principal: Authenticated["principal"]): void {
    // An invalid principal is a bug of the host. If it were accepted, several users could share sessions.
    if (!isValidPrincipal(principal))
      throw this.#failure(invalid("principal.issuer and principal.subject must be non-empty strings", principal));
  }

  /** Calls the authorization. Reports what it throws, except rejections. */
  #attempt<Result>(call: () => Result): Result {
    try {
      return call();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Reports an error of the host's or the user's code. Returns a rejection as it is. */
  #failure(error: unknown): HttpRejection {
    if (error instanceof HttpRejection) return error;
    reportUserErrorTo(this.server.options, error);
    return new HttpRejection(500, new ProtocolError(ErrorCode.InternalError, "Internal error"));
  }
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
