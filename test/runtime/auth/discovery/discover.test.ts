import { describe, expect, test } from "vitest";
import { discover, type DiscoveryRequest } from "../../../../runtime/src/auth/discovery/discover.js";
import type { DiscoveredServer } from "../../../../runtime/src/auth/discovery/discovered-server.js";
import type { OAuthOptions } from "../../../../runtime/src/auth/oauth-options.js";
import { fakeNetwork, type FakeNetwork, type Reply, serverMetadata, status } from "./fake-network.js";

const server = "https://mcp.example/mcp";
const pathForm = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
const rootForm = "https://mcp.example/.well-known/oauth-protected-resource";
const auth = "https://auth.example";
const oauthForm = `${auth}/.well-known/oauth-authorization-server`;
const openidForm = `${auth}/.well-known/openid-configuration`;

function resourceMetadata(more: object = {}): object {
  return { resource: server, authorization_servers: [auth], ...more };
}

interface Given {
  readonly replies: Readonly<Record<string, Reply>>;
  readonly header?: string;
  readonly url?: string;
  readonly options?: OAuthOptions;
  readonly storedIssuer?: string;
}

function start({ replies, header, url = server, options, storedIssuer }: Given): {
  readonly network: FakeNetwork;
  readonly found: Promise<DiscoveredServer>;
} {
  const network = fakeNetwork(replies);
  const request: DiscoveryRequest = {
    url: new URL(url),
    wwwAuthenticate: header,
    options: { ...options, fetch: network.fetch },
    signal: new AbortController().signal,
    storedIssuer,
  };
  return { network, found: discover(request) };
}

describe("the requests of discovery", () => {
  const named = "https://mcp.example/custom/metadata/location.json";
  test.each<[string, Given, readonly string[], Partial<DiscoveredServer>]>([
    [
      "the URL in the challenge, and no other form",
      {
        header: `Bearer error="invalid_token", resource_metadata="${pathForm}"`,
        replies: { [pathForm]: resourceMetadata(), [oauthForm]: serverMetadata(auth) },
      },
      [pathForm, oauthForm],
      { issuer: auth, resource: server },
    ],
    [
      "the path form without a URL in the challenge, and OpenID Connect metadata",
      {
        header: 'Bearer error="invalid_token"',
        replies: { [pathForm]: resourceMetadata(), [openidForm]: serverMetadata(auth) },
      },
      [pathForm, oauthForm, openidForm],
      { issuer: auth },
    ],
    [
      "the root form after the path form, and an issuer with a path",
      {
        replies: {
          [rootForm]: { resource: "https://mcp.example", authorization_servers: [`${auth}/tenant1`] },
          [`${oauthForm}/tenant1`]: serverMetadata(`${auth}/tenant1`),
        },
      },
      [pathForm, rootForm, `${oauthForm}/tenant1`],
      { issuer: `${auth}/tenant1`, resource: "https://mcp.example" },
    ],
    [
      "a custom URL in the challenge, and OpenID Connect metadata below the issuer",
      {
        header: `Bearer resource_metadata="${named}"`,
        replies: {
          [named]: resourceMetadata({ authorization_servers: [`${auth}/tenant1`] }),
          [`${auth}/tenant1/.well-known/openid-configuration`]: serverMetadata(`${auth}/tenant1`),
        },
      },
      [named, `${oauthForm}/tenant1`, `${openidForm}/tenant1`, `${auth}/tenant1/.well-known/openid-configuration`],
      { issuer: `${auth}/tenant1` },
    ],
    [
      "a server without resource metadata, and metadata at its origin",
      {
        replies: {
          "https://mcp.example/.well-known/oauth-authorization-server": serverMetadata("https://mcp.example", {
            token_endpoint: "https://mcp.example/oauth/token",
          }),
        },
      },
      [pathForm, rootForm, "https://mcp.example/.well-known/oauth-authorization-server"],
      { issuer: "https://mcp.example", resource: undefined, scopesSupported: undefined, acceptsDpop: false },
    ],
    [
      "a server without resource metadata whose issuer ends with a slash",
      {
        replies: {
          "https://mcp.example/.well-known/oauth-authorization-server": serverMetadata("https://mcp.example/"),
        },
      },
      [pathForm, rootForm, "https://mcp.example/.well-known/oauth-authorization-server"],
      { issuer: "https://mcp.example/" },
    ],
    [
      "a server without any metadata",
      { replies: {} },
      [pathForm, rootForm, "https://mcp.example/.well-known/oauth-authorization-server"],
      {
        issuer: "https://mcp.example",
        metadata: {
          issuer: "https://mcp.example",
          authorization_endpoint: "https://mcp.example/authorize",
          token_endpoint: "https://mcp.example/token",
          registration_endpoint: "https://mcp.example/register",
        },
        resource: undefined,
      },
    ],
    [
      "a server at the root of its host",
      {
        url: "https://mcp.example",
        replies: {
          [rootForm]: { resource: "https://mcp.example/", authorization_servers: [auth] },
          [oauthForm]: serverMetadata(auth),
        },
      },
      [rootForm, oauthForm],
      { resource: "https://mcp.example/" },
    ],
    [
      "a server with a query",
      {
        url: `${server}?tenant=7`,
        replies: { [rootForm]: resourceMetadata(), [oauthForm]: serverMetadata(auth) },
      },
      [`${pathForm}?tenant=7`, rootForm, oauthForm],
      { resource: server },
    ],
    [
      "a server whose path ends with a slash",
      {
        url: `${server}/`,
        replies: { [pathForm]: resourceMetadata(), [oauthForm]: serverMetadata(auth) },
      },
      [`${pathForm}/`, pathForm, oauthForm],
      { resource: server },
    ],
    [
      "servers on this machine",
      {
        url: "http://localhost:3000/mcp",
        replies: {
          "http://localhost:3000/.well-known/oauth-protected-resource/mcp": {
            resource: "http://localhost:3000/mcp",
            authorization_servers: ["http://127.0.0.1:4000"],
          },
          "http://127.0.0.1:4000/.well-known/oauth-authorization-server": serverMetadata("http://127.0.0.1:4000"),
        },
      },
      [
        "http://localhost:3000/.well-known/oauth-protected-resource/mcp",
        "http://127.0.0.1:4000/.well-known/oauth-authorization-server",
      ],
      { issuer: "http://127.0.0.1:4000" },
    ],
    [
      "a site that responds to unknown paths with its start page",
      {
        replies: {
          [pathForm]: () => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
          [rootForm]: resourceMetadata(),
          [oauthForm]: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
          [openidForm]: serverMetadata(auth),
        },
      },
      [pathForm, rootForm, oauthForm, openidForm],
      { issuer: auth },
    ],
    [
      "metadata of another issuer at the first well-known URL",
      {
        replies: {
          [pathForm]: resourceMetadata({ authorization_servers: [`${auth}/tenant1`] }),
          [`${oauthForm}/tenant1`]: serverMetadata(auth),
          [`${openidForm}/tenant1`]: serverMetadata(`${auth}/tenant1`),
        },
      },
      [pathForm, `${oauthForm}/tenant1`, `${openidForm}/tenant1`],
      { issuer: `${auth}/tenant1` },
    ],
    [
      "a well-known URL of the authorization server that fails",
      {
        replies: { [pathForm]: resourceMetadata(), [oauthForm]: status(502), [openidForm]: serverMetadata(auth) },
      },
      [pathForm, oauthForm, openidForm],
      { issuer: auth },
    ],
  ])("%s", async (_case, given, requests, expected) => {
    const { network, found } = start(given);
    await expect(found).resolves.toMatchObject(expected);
    expect(network.requests).toEqual(requests);
  });

  test("the version header is sent for the revision that demands it, and nowhere else", async () => {
    const { network, found } = start({ replies: {} });
    const { rules } = await found;
    expect(network.headers.map((headers) => headers.get("mcp-protocol-version"))).toEqual([null, null, rules.revision]);
    expect(rules).toMatchObject({ resourceMetadata: false, resourceParameter: false });
  });

  test("requests have neither credentials nor cookies, and follow no redirect by themselves", async () => {
    const { network, found } = start({ replies: {} });
    await found;
    for (const [index, init] of network.inits.entries()) {
      expect(init).toMatchObject({ method: "GET", redirect: "manual" });
      expect(network.headers[index]?.has("authorization")).toBe(false);
      expect(network.headers[index]?.has("cookie")).toBe(false);
    }
  });
});

describe("the choice of an authorization server", () => {
  const second = "https://second.example";
  const replies = {
    [pathForm]: resourceMetadata({ authorization_servers: [auth, second] }),
    [oauthForm]: serverMetadata(auth),
    [`${second}/.well-known/oauth-authorization-server`]: serverMetadata(second),
  };

  test.each<[string, Omit<Given, "replies">, string]>([
    ["the first one", {}, auth],
    ["the one with stored tokens", { storedIssuer: second }, second],
    ["the first one when the stored one is not listed", { storedIssuer: "https://old.example" }, auth],
    ["the one that the application selects", { options: { selectIssuer: (issuers) => issuers[1] } }, second],
    [
      "the one that the application selects, not the stored one",
      { storedIssuer: second, options: { selectIssuer: (issuers) => Promise.resolve(issuers[0]) } },
      auth,
    ],
  ])("takes %s", async (_case, given, issuer) => {
    await expect(start({ replies, ...given }).found).resolves.toMatchObject({ issuer });
  });

  test.each([
    ["none", undefined],
    ["one that is not listed", "https://other.example"],
    ["another spelling", `${auth}/`],
  ])("fails when the application selects %s", async (_case, selected) => {
    const { network, found } = start({ replies, options: { selectIssuer: () => selected } });
    await expect(found).rejects.toMatchObject({ reason: "server-not-accepted" });
    expect(network.requests).toEqual([pathForm]);
  });

  test("asks the application about a server without resource metadata, too", async () => {
    const asked: string[] = [];
    const options: OAuthOptions = { selectIssuer: (issuers) => void asked.push(...issuers) };
    await expect(start({ replies: {}, options }).found).rejects.toMatchObject({ reason: "server-not-accepted" });
    expect(asked).toEqual(["https://mcp.example"]);
  });

  test.each([
    ["has tokens of default endpoints", "https://mcp.example", true],
    ["has no tokens", undefined, true],
    ["has tokens of a server in metadata that is gone", auth, false],
  ])("assumes default endpoints for a server without metadata when the client %s", async (_case, issuer, is) => {
    const { found } = start({ replies: {}, ...(issuer !== undefined && { storedIssuer: issuer }) });
    if (is) await expect(found).resolves.toMatchObject({ issuer: "https://mcp.example" });
    else await expect(found).rejects.toMatchObject({ reason: "metadata-not-found" });
  });

  test("passes on the error of the application", async () => {
    const error = new Error("no choice");
    const options = { selectIssuer: () => Promise.reject(error) };
    await expect(start({ replies, options }).found).rejects.toBe(error);
  });
});

describe("what the documents announce", () => {
  test.each<[string, object, string | undefined, Partial<DiscoveredServer>]>([
    ["no scopes", {}, undefined, { scopesSupported: undefined }],
    ["scopes", { scopes_supported: ["a", "b", 7, ""] }, undefined, { scopesSupported: ["a", "b"] }],
    ["scopes of a wrong type", { scopes_supported: "a b" }, undefined, { scopesSupported: undefined }],
    ["no DPoP", { dpop_signing_alg_values_supported: [] }, "Bearer", { acceptsDpop: false }],
    ["DPoP in the algorithms", { dpop_signing_alg_values_supported: ["ES256"] }, undefined, { acceptsDpop: true }],
    ["DPoP as required", { dpop_bound_access_tokens_required: true }, undefined, { acceptsDpop: true }],
    ["DPoP in the challenge", {}, 'Bearer scope="a", dpop algs="ES256"', { acceptsDpop: true }],
  ])("%s", async (_case, more, header, expected) => {
    const { found } = start({
      replies: { [pathForm]: resourceMetadata(more), [oauthForm]: serverMetadata(auth) },
      ...(header !== undefined && { header }),
    });
    await expect(found).resolves.toMatchObject(expected);
  });
});
