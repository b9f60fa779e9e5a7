/** The way of a user through the OAuth proxy: consent, log-in at a real provider, back to the client. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";
import { expect, onTestFinished, test } from "vitest";
import { createOAuthProxy } from "../../../runtime/src/auth-proxy/create-oauth-proxy.js";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import type { OAuthProxy } from "../../../runtime/src/auth-proxy/oauth-proxy.js";
import type { OAuthProxyOptions } from "../../../runtime/src/auth-proxy/oauth-proxy-options.js";
import { oidc } from "../../../runtime/src/auth-proxy/providers/oidc.js";
import { type AuthServer, startAuthServer } from "../../auth-server/auth-server.js";
import { authorizationUrl, metadataOf, redeem, register } from "./log-in.js";
import { type LoadedPage, PageUser } from "./page-user.js";
import { redirectUri } from "./started-proxy.js";

interface Started {
  readonly proxy: OAuthProxy;
  readonly issuer: string;
  readonly resource: string;
  readonly provider: AuthServer;
  readonly store: MemoryProxyStore;
  readonly errors: Error[];
}

/** A proxy before a provider without registration. */
async function start(options: Partial<OAuthProxyOptions> = {}): Promise<Started> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resource = `${issuer}/mcp`;
  const clientSecret = "the secret of the proxy at the provider";
  const provider = await startAuthServer({
    clients: [{ client_id: "proxy", client_secret: clientSecret, redirect_uris: [`${issuer}/callback`] }],
  });
  onTestFinished(() => provider.close());
  const store = new MemoryProxyStore();
  const errors: Error[] = [];
  const proxy = await createOAuthProxy({
    issuer,
    resource,
    upstream: oidc({ name: "Provider", issuer: provider.issuer, clientId: "proxy", clientSecret }),
    scopes: { "files:read": "Read your files", "files:write": "Change your files" },
    secrets: ["a secret of the tests, which is long enough"],
    store,
    onerror: (error) => errors.push(error),
    ...options,
  });
  server.on("request", proxy.listener);
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { proxy, issuer, resource, provider, store, errors };
}

/** Asks for authorization, and loads the consent page. */
async function ask(
  started: Started,
  user: PageUser,
  parameters: Readonly<Record<string, string>> = {},
): Promise<{ page: LoadedPage; client: oauth.Client; verifier: string }> {
  const client = await register(started.issuer);
  const verifier = oauth.generateRandomCodeVerifier();
  return { client, verifier, page: await user.open(await authorizationUrl(started, client, verifier, parameters)) };
}

/** Consents and logs in. @returns the response of the token endpoint, and the tokens of the client */
async function logInThroughPages(started: Started, user = new PageUser(), login = "ada") {
  const { page, client, verifier } = await ask(started, user);
  const provider = await user.submit(page, { decision: "allow" });
  const { url } = await user.logIn(provider, login);
  const metadata = await metadataOf(started.issuer);
  const parameters = oauth.validateAuthResponse(metadata, client, url, "state of the client");
  const { status, body } = await redeem(started.issuer, { client, verifier, parameters, callback: url, redirectUri });
  expect(status).toBe(200);
  return { client, access_token: String(body["access_token"]), refresh_token: String(body["refresh_token"]) };
}

test("a user consents, logs in at the provider, and the client gets tokens of the proxy", async () => {
  const started = await start();
  const { proxy, resource, errors } = started;
  const tokens = await logInThroughPages(started);
  const info = await proxy.verifier.verifyAccessToken(tokens.access_token, { resource });
  expect(info).toMatchObject({ issuer: started.issuer, scopes: ["files:read"], clientId: tokens.client.client_id });
  const upstream = await proxy.upstreamTokens({ issuer: info.issuer, subject: info.subject });
  expect(upstream).toMatchObject({ issuer: started.provider.issuer, subject: "ada" });
  expect(Object.keys(upstream)).not.toContain("refreshToken");
  expect(errors).toEqual([]);
});
