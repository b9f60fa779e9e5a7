/** Attacks on codes and tokens that need several processes, a stolen proof, another key, or a confidential client without its secret. */
import { join } from "node:path";
import * as oauth from "oauth4webapi";
import { describe, expect, onTestFinished, test } from "vitest";
import { requireBearerAuth } from "../../../runtime/src/auth-server.js";
import { MemoryProxyStore } from "../../../runtime/src/auth-proxy/memory-proxy-store.js";
import type { ProxyStore } from "../../../runtime/src/auth-proxy/proxy-store.js";
import { SqliteProxyStore } from "../../../runtime/src/auth-proxy/sqlite-proxy-store.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { McpServer } from "../../../runtime/src/server.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { authorize, logIn, metadataOf, nativeClient, redeem, refresh, register, requestToken } from "./log-in.js";
import { openDatabase, sqlite } from "../sqlite/open-database.js";
import { http, redirectUri, startProxy, type StartedProxy } from "./started-proxy.js";

/** Opens one store twice, as two processes do. */
type OpenTwice = () => readonly [ProxyStore, ProxyStore];

const stores: readonly (readonly [string, boolean, OpenTwice])[] = [
  [
    "store",
    true,
    () => {
      const store = new MemoryProxyStore();
      return [store, store];
    },
  ],
  [
    "database",
    sqlite !== undefined,
    () => {
      const path = join(temporaryFolder("proxies"), "proxy.db");
      const open = (): SqliteProxyStore => new SqliteProxyStore(openDatabase(path));
      const [one, other] = [open(), open()];
      onTestFinished(() => {
        one.close();
        other.close();
      });
      return [one, other];
    },
  ],
];

describe.each(stores.filter(([, isAvailable]) => isAvailable))("two proxies with one %s", (_name, _is, openTwice) => {
  /** Proxies with one issuer, as processes behind a load balancer. @returns their URLs */
  async function startTwo(): Promise<{ readonly first: StartedProxy; readonly urls: readonly string[] }> {
    const [one, other] = openTwice();
    const first = await startProxy({ store: one });
    const { issuer, resource } = first;
    const second = await startProxy({ store: other, issuer, resource, allowedHosts: "any" });
    const { port } = second.http.address() as { readonly port: number };
    return { first, urls: [issuer, `http://127.0.0.1:${port}`] };
  }

  test("redeem a code once, and revoke its tokens", async () => {
    const { first, urls } = await startTwo();
    for (let times = 0; times < 5; times++) {
      const code = await authorize(first, await register(first.issuer));
      const answers = await Promise.all([...urls, ...urls, ...urls].map((url) => redeem(url, code)));
      const issued = answers.filter(({ status }) => status === 200);
      expect(issued.length).toBeLessThanOrEqual(1);
      for (const { body } of issued)
        await expect(
          first.proxy.verifier.verifyAccessToken(String(body["access_token"]), { resource: first.resource }),
        ).rejects.toMatchObject({ reason: "inactive" });
    }
  });

  test("accept a refresh token once, and then revoke everything of its log-in", async () => {
    const { first, urls } = await startTwo();
    for (let times = 0; times < 5; times++) {
      const tokens = await logIn(first);
      const answers = await Promise.all([...urls, ...urls, ...urls].map((url) => refresh(url, tokens)));
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      const known = [tokens.access_token, ...answers.map(({ body }) => body["access_token"])];
      for (const token of known.filter((one) => typeof one === "string"))
        await expect(first.proxy.verifier.verifyAccessToken(token, { resource: first.resource })).rejects.toMatchObject(
          {
            reason: "inactive",
          },
        );
    }
  });

  test("know the tokens of each other, and their end", async () => {
    const { first, urls } = await startTwo();
    const tokens = await logIn(first);
    const other = await refresh(urls[1] ?? "", tokens);
    expect(other.status).toBe(200);
    const token = String(other.body["access_token"]);
    const { verifier } = first.proxy;
    expect(await verifier.verifyAccessToken(token, { resource: first.resource })).toMatchObject({ subject: "ada" });
    const body = new URLSearchParams({ token, client_id: tokens.client.client_id });
    expect((await fetch(`${urls[1]}/revoke`, { method: "POST", body })).status).toBe(200);
    await expect(verifier.verifyAccessToken(token, { resource: first.resource })).rejects.toMatchObject({
      reason: "inactive",
    });
  });
});

describe("a token that is bound to a key", () => {
  interface Bound {
    readonly started: StartedProxy;
    readonly client: oauth.Client;
    readonly metadata: oauth.AuthorizationServer;
    readonly accessToken: string;
    readonly refreshToken: string;
    readonly own: oauth.DPoPHandle;
  }

  async function newKey(client: oauth.Client): Promise<oauth.DPoPHandle> {
    return oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
  }

  async function bind(): Promise<Bound> {
    const started = await startProxy();
    const client = await register(started.issuer);
    const metadata = await metadataOf(started.issuer);
    const own = await newKey(client);
    const { verifier, parameters } = await authorize(started, client);
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      { ...http, DPoP: own },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, response);
    return {
      started,
      client,
      metadata,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? "",
      own,
    };
  }

  test("is refreshed with a proof of this key only", async () => {
    const { client, metadata, refreshToken, own } = await bind();
    for (const DPoP of [undefined, await newKey(client)]) {
      const more = { ...http, ...(DPoP && { DPoP }) };
      const refused = await oauth.refreshTokenGrantRequest(metadata, client, oauth.None(), refreshToken, more);
      expect([refused.status, await refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    }
    const options = { ...http, DPoP: own };
    const accepted = await oauth.refreshTokenGrantRequest(metadata, client, oauth.None(), refreshToken, options);
    expect([accepted.status, await accepted.json()]).toMatchObject([200, { token_type: "DPoP" }]);
  });

  test.each<[string, string, Readonly<Record<string, string>>]>([
    ["with the scheme Bearer", "Bearer", {}],
    ["with the scheme DPoP and no proof", "DPoP", {}],
    ["with a proof that is none", "DPoP", { dpop: "e30.e30.e30" }],
  ])("is not accepted by the MCP server %s", async (_name, scheme, headers) => {
    const { started, accessToken } = await bind();
    const { resource, proxy } = started;
    for (const dpop of [undefined, false] as const) {
      const handler = createMcpHandler(new McpServer({ name: "files", version: "1.0.0" }), {
        authorization: requireBearerAuth({ resource, verifier: proxy.verifier, ...(dpop === false && { dpop }) }),
      });
      onTestFinished(() => handler.close(0));
      const response = await handler.fetch(
        new Request(resource, {
          method: "POST",
          headers: {
            authorization: `${scheme} ${accessToken}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...headers,
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
        }),
      );
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).not.toContain(accessToken);
    }
  });

  test("belongs to a request that named its key: the code is not redeemed with another one, or none", async () => {
    const started = await startProxy();
    const client = await register(started.issuer);
    const metadata = await metadataOf(started.issuer);
    const own = await newKey(client);
    const code = await authorize(started, client, { dpop_jkt: await own.calculateThumbprint() });
    const redeemWith = (DPoP?: oauth.DPoPHandle): Promise<Response> =>
      oauth.authorizationCodeGrantRequest(metadata, client, oauth.None(), code.parameters, redirectUri, code.verifier, {
        ...http,
        ...(DPoP && { DPoP }),
      });
    expect((await redeemWith()).status).toBe(400);
    const [other, again] = [
      await newKey(client),
      await authorize(started, client, { dpop_jkt: await own.calculateThumbprint() }),
    ];
    expect((await redeemWith(other)).status).toBe(400);
    expect(again.parameters.get("code")).not.toBe(code.parameters.get("code"));
  });
});

/** RFC 9449, section 5.2. */
describe("a client that wants bound tokens only", () => {
  const metadata = { ...nativeClient, dpop_bound_access_tokens: true };
  const id = "https://client.example/metadata.json";
  const kinds: Readonly<Record<string, () => Promise<readonly [StartedProxy, oauth.Client]>>> = {
    "registered itself": async () => {
      const started = await startProxy();
      return [started, await register(started.issuer, metadata)];
    },
    "has a metadata document": async () => {
      const document = { ...metadata, client_id: id };
      const fetch = () => Promise.resolve(Response.json(document));
      return [await startProxy({ metadataDocuments: { fetch } }), { client_id: id }];
    },
  };

  test.each(Object.entries(kinds))("and %s gets none without a proof", async (_kind, start) => {
    const [started, client] = await start();
    const { issuer } = started;
    expect(await redeem(issuer, await authorize(started, client))).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    const proof = { ...http, DPoP: oauth.DPoP(client, await oauth.generateKeyPair("ES256")) };
    const { verifier, parameters } = await authorize(started, client);
    const response = await oauth.authorizationCodeGrantRequest(
      await metadataOf(issuer),
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      proof,
    );
    expect([response.status, await response.json()]).toMatchObject([200, { token_type: "DPoP" }]);
  });
});

describe("a confidential client", () => {
  const clientSecret = "secret-of-the-client-0123456789";
  const basic = (id: string, secret: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
  });
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>])[] = [
    ["without its secret", {}, { client_id: "service" }],
    ["with an empty secret", basic("service", ""), {}],
    ["with another secret", basic("service", `${clientSecret}x`), {}],
    ["with a part of its secret", basic("service", clientSecret.slice(0, -1)), {}],
    ["with the secret of a public client", basic("public", clientSecret), {}],
    [
      "with two ways to authenticate",
      basic("service", clientSecret),
      { client_id: "service", client_secret: clientSecret },
    ],
    ["as another client in the body", basic("service", clientSecret), { client_id: "public" }],
    [
      "with an assertion",
      {},
      { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", client_assertion: "e30.e30." },
    ],
  ];

  test.each(rows)("gets no token %s, and no token of it is revoked", async (_name, headers, more) => {
    const started = await startProxy({
      clients: [
        { clientId: "service", clientSecret, redirectUris: [redirectUri] },
        { clientId: "public", redirectUris: [redirectUri] },
      ],
    });
    const client = { client_id: "service" };
    const code = await authorize(started, client);
    const post = async (path: string, body: Readonly<Record<string, string>>, own = headers): Promise<Response> =>
      fetch(`${started.issuer}${path}`, { method: "POST", headers: own, body: new URLSearchParams(body) });
    const grant = {
      grant_type: "authorization_code",
      code: code.parameters.get("code") ?? "",
      code_verifier: code.verifier,
      redirect_uri: redirectUri,
    };
    const refused = await post("/token", { ...grant, ...more });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.text()).not.toContain(clientSecret);
    const accepted = await post("/token", grant, basic("service", clientSecret));
    expect(accepted.status).toBe(200);
    const { access_token } = (await accepted.json()) as { readonly access_token: string };
    await post("/revoke", { token: access_token, ...more });
    const facts = await started.proxy.verifier.verifyAccessToken(access_token, { resource: started.resource });
    expect(facts.clientId).toBe("service");
  });
});

test("a grant of another kind gives nothing", async () => {
  const started = await startProxy();
  const { client_id } = await register(started.issuer);
  for (const grant_type of [
    "client_credentials",
    "password",
    "implicit",
    "urn:ietf:params:oauth:grant-type:device_code",
    "urn:ietf:params:oauth:grant-type:token-exchange",
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
    "urn:openid:params:grant-type:ciba",
  ])
    expect(
      await requestToken(started.issuer, {
        grant_type,
        client_id,
        scope: "files:read",
        username: "ada",
        password: "x",
      }),
    ).toMatchObject({ status: 400, body: { error: "unsupported_grant_type" } });
});
