import { type AuthorizationPolicy, authorizeHttp } from "../../../runtime/src/auth-server.js";
import type { HttpAuthorization, HttpRequest } from "../../../runtime/src/server/http.js";
import type { Host, Sent } from "./hosts.js";

/** A principal of the fake, with what its token allows. */
export interface Sender {
  readonly issuer: string;
  readonly subject: string;
  readonly scopes: readonly string[];
}

interface FakeOptions {
  /** Milliseconds from each request until its token expires. Default: no end. */
  readonly lifetimeMs?: number;
  /** Waits before the sender is known. Default: it is known at once. */
  readonly before?: (request: HttpRequest) => Promise<unknown>;
}

/** A principal, with the scopes of its token. */
export function sender(subject: string, scopes = "", issuer = "https://issuer.example"): Sender {
  return { issuer, subject, scopes: scopes.split(" ").filter(Boolean) };
}

/** The header of a sender. */
export function bearer(...of: Parameters<typeof sender>): string {
  return `Bearer ${JSON.stringify(sender(...of))}`;
}

/** A host to which the principals of requests are sent as tokens. */
export function withTokens(host: Host): Host {
  const convert = ({ principal, ...sent }: Sent): Sent =>
    principal ? { ...sent, headers: { ...sent.headers, authorization: `Bearer ${JSON.stringify(principal)}` } } : sent;
  return { ...host, send: (sent) => host.send(convert(sent)) };
}

/** An authorization whose tokens are the names of their senders. */
export class FakeAuthorization implements AuthorizationPolicy, HttpAuthorization {
  readonly publicPaths = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"];
  /** The methods of the requests and the scopes, per call of `authorize`. */
  readonly asked: (readonly [methods: string, scopes: string])[] = [];
  authenticated = 0;
  /** When the last token expires. */
  expiresAt = Infinity;

  constructor(readonly options: FakeOptions = {}) {}

  gateFor(...[server]: Parameters<HttpAuthorization["gateFor"]>): ReturnType<HttpAuthorization["gateFor"]> {
    return authorizeHttp(this).gateFor(server);
  }

  publicDocument(path: string): ReturnType<AuthorizationPolicy["publicDocument"]> {
    return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify({ path }) };
  }

  authenticate(request: HttpRequest): ReturnType<AuthorizationPolicy["authenticate"]> {
    const { before } = this.options;
    return before ? before(request).then(() => this.#sender(request)) : this.#sender(request);
  }

  authorize(
    { principal }: HttpRequest,
    messages: Parameters<AuthorizationPolicy["authorize"]>[1],
    scopes: readonly string[],
  ): ReturnType<AuthorizationPolicy["authorize"]> {
    this.asked.push([messages.map(({ method }) => method).join(" "), scopes.join(" ")]);
    const missing = scopes.filter((scope) => !(principal as Sender).scopes.includes(scope));
    const headers = { "www-authenticate": `Bearer error="insufficient_scope", scope="${missing.join(" ")}"` };
    return missing.length === 0 ? undefined : { status: 403, message: "insufficient scope", headers };
  }

  #sender(request: HttpRequest): Awaited<ReturnType<AuthorizationPolicy["authenticate"]>> {
    this.authenticated++;
    const [, token] = /^Bearer (\{.*\})$/.exec(request.header("authorization") ?? "") ?? [];
    if (token === undefined)
      return { status: 401, message: "a token is missing", headers: { "www-authenticate": "Bearer" } };
    this.expiresAt = Date.now() + (this.options.lifetimeMs ?? Infinity);
    return {
      principal: JSON.parse(token) as Sender,
      ...(this.expiresAt < Infinity && { expiresAt: this.expiresAt }),
      headers: { "dpop-nonce": "next" },
    };
  }
}
