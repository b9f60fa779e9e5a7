/** An OAuth proxy on a free loopback port, whose users consent and log in without pages. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";
import { onTestFinished } from "vitest";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import { assembleProxy, type OAuthProxy } from "../../../runtime/src/auth-proxy/oauth-proxy.js";
import type { OAuthProxyOptions } from "../../../runtime/src/auth-proxy/oauth-proxy-options.js";
import type { PageParts, PendingAuthorization, ProxyFlow } from "../../../runtime/src/auth-proxy/proxy-pages.js";
import { BrowserCookies } from "../../../runtime/src/auth-proxy/pages/browser-cookies.js";
import { hashOf, randomSecret } from "../../../runtime/src/auth-proxy/random-ids.js";
import type { ProxyStore } from "../../../runtime/src/auth-proxy/proxy-store.js";
import type { UpstreamProvider } from "../../../runtime/src/auth-proxy/upstream-provider.js";

export const redirectUri = "http://127.0.0.1:9/callback";
export const http = { [oauth.allowInsecureRequests]: true };

const unreachable = (): never => {
  throw new Error("the provider is not asked");
};

export const fakeUpstream: UpstreamProvider = {
  issuer: "https://upstream.example",
  name: "Upstream",
  scopes: [],
  authorizationUrl: unreachable,
  finish: unreachable,
  refresh: unreachable,
};

/** What the user does on the consent page. */
export type Decide = (pending: PendingAuthorization) => { readonly accountId: string } | "refuse";

export interface StartedProxy {
  readonly parts: PageParts;
  readonly proxy: OAuthProxy;
  readonly issuer: string;
  readonly resource: string;
  readonly store: ProxyStore;
  readonly errors: Error[];
  /** The requests that users have seen. */
  readonly seen: PendingAuthorization[];
  readonly http: Server;
}

export type ProxyTestOptions = { readonly [Name in keyof OAuthProxyOptions]?: OAuthProxyOptions[Name] | undefined } & {
  /** The path of the issuer. Default: none. */
  readonly path?: string;
  readonly decide?: Decide;
};

/** Starts a proxy; it is closed when the test ends. */
export async function startProxy({ path = "", decide, ...given }: ProxyTestOptions = {}): Promise<StartedProxy> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${origin}${path}`;
  const resource = `${origin}/mcp`;
  const store = given.store ?? new MemoryProxyStore();
  const errors: Error[] = [];
  const seen: PendingAuthorization[] = [];
  const options = {
    issuer,
    resource,
    upstream: fakeUpstream,
    scopes: { "files:read": "Read your files", "files:write": "Change your files" },
    secrets: ["a secret of the tests, which is long enough"],
    store,
    onerror: (error) => errors.push(error),
    ...given,
  } as OAuthProxyOptions;
  let received: PageParts | undefined;
  const proxy = assembleProxy(options, (parts) => {
    received = parts;
    return fakeFlow(parts, seen, decide ?? (() => ({ accountId: "ada" })));
  });
  if (!received) throw new Error("the proxy has created no pages");
  server.on("request", proxy.listener);
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { proxy, parts: received, issuer, resource, store, errors, seen, http: server };
}

/** Decides as soon as the browser loads the page. */
function fakeFlow({ options, pending }: PageParts, seen: PendingAuthorization[], decide: Decide): ProxyFlow {
  const cookies = new BrowserCookies(String(options.issuer).startsWith("https:"));
  const secret = randomSecret();
  const browser = { cookieName: "login-fake", browserHash: hashOf(secret) };
  return {
    async handle(request: IncomingMessage, response: ServerResponse) {
      const found = await pending.ofBrowser(request, response);
      if (!found) {
        response.writeHead(400).end("no authorization request waits for this browser");
        return true;
      }
      seen.push(found);
      const decision = decide(found);
      const location =
        decision === "refuse"
          ? await pending.refuse(found.uid, "access_denied", "the user refused")
          : await pending.approve(found.uid, decision.accountId, found.scopes, browser);
      response.writeHead(303, { location, "set-cookie": cookies.set(browser.cookieName, secret) }).end();
      return true;
    },
    tokensOf: (accountId) =>
      Promise.resolve({
        accessToken: `upstream of ${accountId}`,
        expiresAt: undefined,
        scopes: [],
        issuer: fakeUpstream.issuer,
        subject: accountId,
      }),
  };
}

/** A browser: follows redirects at the origin of the proxy, with cookies per path. */
export class TestBrowser {
  readonly #cookies: { readonly name: string; readonly value: string; readonly path: string }[] = [];

  /** @returns the URL of the client that the proxy redirects to, or the last page */
  async visit(url: URL | string): Promise<{ readonly location?: URL; readonly page?: Response }> {
    const { origin } = new URL(url);
    let at = new URL(url);
    for (let steps = 0; steps < 10; steps++) {
      const page = await this.load(at);
      const location = page.headers.get("location");
      if (location === null) return { page };
      at = new URL(location, at);
      if (at.origin !== origin) return { location: at };
    }
    throw new Error("the redirects do not end");
  }

  async load(url: URL | string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const cookie = this.#cookies
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const headers = new Headers(init.headers);
    headers.set("cookie", cookie);
    const response = await fetch(url, { redirect: "manual", ...init, headers });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      const path = /; path=([^;]+)/i.exec(text)?.[1] ?? "/";
      const at = this.#cookies.findIndex((cookie) => cookie.name === name && cookie.path === path);
      if (at >= 0) this.#cookies.splice(at, 1);
      if (value !== "") this.#cookies.push({ name, value, path });
    }
    return response;
  }
}
