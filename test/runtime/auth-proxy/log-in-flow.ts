/** An OAuth proxy with its pages, whose users log in at a real provider (oidc-provider); both on loopback ports. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";
import { onTestFinished } from "vitest";
import { type AuthServer, startAuthServer } from "../../auth-server/auth-server.js";
import { createOAuthProxy } from "../../../runtime/src/auth-proxy/create-oauth-proxy.js";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import type { OAuthProxy } from "../../../runtime/src/auth-proxy/oauth-proxy.js";
import type { OAuthProxyOptions } from "../../../runtime/src/auth-proxy/oauth-proxy-options.js";
import { oidc } from "../../../runtime/src/auth-proxy/providers/oidc.js";
import type { UpstreamProvider } from "../../../runtime/src/auth-proxy/upstream-provider.js";

export const webRedirect = "https://client.example/callback";
export const loopbackRedirect = "http://127.0.0.1:9/callback";

export interface FlowProxy {
  readonly proxy: OAuthProxy;
  readonly issuer: string;
  readonly provider: AuthServer;
  readonly upstream: UpstreamProvider;
  readonly errors: Error[];
  /** To put another proxy in the place of this one. */
  readonly http: Server;
}

export async function startFlow(
  given: { readonly [Name in keyof OAuthProxyOptions]?: OAuthProxyOptions[Name] } = {},
  accessTokenSeconds?: number,
): Promise<FlowProxy> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await startAuthServer({
    ...(accessTokenSeconds !== undefined && { accessTokenSeconds }),
    clients: [
      {
        client_id: "proxy",
        client_secret: "secret-of-the-proxy",
        redirect_uris: [`${issuer}/callback`],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
    ],
  });
  const upstream = oidc({
    issuer: provider.issuer,
    clientId: "proxy",
    clientSecret: "secret-of-the-proxy",
    name: "Acme",
    authorizationParameters: { prompt: "consent" },
  });
  const errors: Error[] = [];
  const proxy = await createOAuthProxy({
    ...flowOptions(issuer, upstream),
    onerror: (error) => errors.push(error),
    ...given,
  });
  server.on("request", proxy.listener);
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await provider.close();
  });
  return { proxy, issuer, provider, upstream, errors, http: server };
}

/** The options of a proxy with three known clients. */
export function flowOptions(issuer: string, upstream: UpstreamProvider): OAuthProxyOptions {
  return {
    issuer,
    resource: `${issuer}/mcp`,
    upstream,
    scopes: { "files:read": "Read your files", "files:write": "Change your files" },
    secrets: ["a secret of the tests, which is long enough"],
    store: new MemoryProxyStore(),
    clients: [
      { clientId: "web", clientName: "Web client", redirectUris: [webRedirect, "https://client.example/other"] },
      { clientId: "desktop", clientName: "<b>Desktop</b> \u202Eclient", redirectUris: [loopbackRedirect] },
      { clientId: "other", redirectUris: [webRedirect] },
    ],
  };
}

/** An authorization request of a client. */
export async function authorizationUrl(
  { issuer }: FlowProxy,
  { clientId = "web", redirectUri = webRedirect, scope = "files:read", prompt = "" } = {},
): Promise<{ readonly url: URL; readonly verifier: string }> {
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(`${issuer}/authorize`);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state: "state of the client",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(prompt !== "" && { prompt }),
  }).toString();
  return { url, verifier };
}

/** A browser without a window: cookies by host and path, redirects, forms. */
export class Browser {
  readonly cookies = new Map<string, { readonly value: string; readonly path: string; readonly port: string }>();
  /** The texts of the pages and the headers of all responses. */
  readonly log: string[] = [];

  async load(url: URL | string, init: RequestInit = {}): Promise<Response> {
    const at = new URL(url);
    const headers = new Headers(init.headers);
    headers.set("cookie", this.#cookiesFor(at));
    const response = await fetch(at, { redirect: "manual", ...init, headers });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      const path = /; path=([^;]+)/i.exec(text)?.[1] ?? "/";
      const key = `${at.port} ${name} ${path}`;
      if (value === "") this.cookies.delete(key);
      else this.cookies.set(key, { value: `${name}=${value}`, path, port: at.port });
    }
    this.log.push(
      `${at.href} ${response.status} ${JSON.stringify([...response.headers])} ${await response.clone().text()}`,
    );
    return response;
  }

  /** Follows redirects until there is a page, or another host. */
  async follow(
    start: URL | string,
    origins: readonly string[],
  ): Promise<{ readonly url: URL; readonly response?: Response }> {
    let url = new URL(start);
    for (let steps = 0; steps < 20; steps++) {
      if (!origins.includes(url.origin)) return { url };
      const response = await this.load(url);
      const next = response.headers.get("location");
      if (next === null) return { url, response };
      url = new URL(next, url);
    }
    throw new Error("the redirects do not end");
  }

  /** Posts the form of the consent page. @returns the URL to which the page leads */
  async decide(url: URL, page: string, decision: string, fields: Readonly<Record<string, string>> = {}): Promise<URL> {
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const body = new URLSearchParams({ csrf, decision, ...fields });
    const response = await this.load(url, { method: "POST", body });
    const text = await response.text();
    const next = /id="continue" href="([^"]+)"/.exec(text)?.[1];
    if (next === undefined) throw new Error(`${response.status} ${text}`);
    return new URL(unescapeHtml(next));
  }

  /** Logs in at the provider, and answers its consent page. @returns the URL that the provider redirects to */
  async logInAtProvider(start: URL, login = "ada", refuses = false): Promise<URL> {
    let at = await this.follow(start, [start.origin]);
    for (let steps = 0; at.response && steps < 10; steps++) {
      const text = await at.response.text();
      const action = /<form [^>]*action="([^"]+)"/.exec(text)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
      const cancel = /href="([^"]+)">\[ Cancel \]/.exec(text)?.[1];
      if (action === undefined || prompt === undefined || cancel === undefined) throw new Error(text);
      if (refuses) {
        at = await this.follow(new URL(cancel, at.url), [start.origin]);
        continue;
      }
      const url = new URL(action, at.url);
      const posted = await this.load(url, {
        method: "POST",
        body: new URLSearchParams({ prompt, login, password: "any" }),
      });
      at = await this.follow(new URL(posted.headers.get("location") ?? "", url), [start.origin]);
    }
    return at.url;
  }

  /** The whole log-in. @returns the URL of the client */
  async logIn(
    flow: FlowProxy,
    request: Parameters<typeof authorizationUrl>[1] = {},
    { login = "ada", remember = false, refuses = false } = {},
  ): Promise<{ readonly url: URL; readonly verifier: string }> {
    const { url, verifier } = await authorizationUrl(flow, request);
    const consent = await this.follow(url, [flow.issuer]);
    if (!consent.response) throw new Error(`no page: ${consent.url.href}`);
    const next = await this.decide(
      consent.url,
      await consent.response.text(),
      "allow",
      remember ? { remember: "yes" } : {},
    );
    const callback = await this.logInAtProvider(next, login, refuses);
    return { url: (await this.follow(callback, [flow.issuer])).url, verifier };
  }

  #cookiesFor({ port, pathname }: URL): string {
    return [...this.cookies.values()]
      .filter(
        (cookie) =>
          cookie.port === port &&
          (pathname === cookie.path ||
            pathname.startsWith(cookie.path.endsWith("/") ? cookie.path : `${cookie.path}/`)),
      )
      .sort((one, other) => other.path.length - one.path.length)
      .map(({ value }) => value)
      .join("; ");
  }
}

export function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}

/** Redeems the code of a log-in. @returns the members of the token response */
export async function redeem(
  { issuer }: FlowProxy,
  { url, verifier }: { readonly url: URL; readonly verifier: string },
  { clientId = "web", redirectUri = webRedirect } = {},
): Promise<{ readonly access_token: string; readonly refresh_token: string }> {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: url.searchParams.get("code") ?? "",
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
  });
  const response = await fetch(`${issuer}/token`, { method: "POST", body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as { access_token: string; refresh_token: string };
}
