import { describe, expect, test } from "vitest";
import type { AuthProvider, Authorization, AuthorizedRequest } from "../../../runtime/src/client/http.js";
import { clientFor, connected } from "./clients.js";
import { complete, fakeServer, result, type Script, stateless } from "./fake-server.js";

const answers: Script = stateless((seen, reply) =>
  reply.json(result(seen.message.id, complete({ tools: [], ttlMs: 0, cacheScope: "private" }))),
);

describe("authProvider accepts", () => {
  test.each<readonly [string, Authorization]>([
    ["a token", "secret"],
    ["a function", () => "secret"],
    ["an async function", () => Promise.resolve("secret")],
    ["a provider", { token: () => "secret" }],
    ["an async provider", { token: () => Promise.resolve("secret") }],
  ])("%s", async (_name, authProvider) => {
    const server = await fakeServer(answers);
    const { client } = await connected(server, {}, { authProvider });
    await client.listTools();
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer secret", "Bearer secret"]);
  });
});

describe("a provider with headers of its own", () => {
  test("makes them for each attempt, and sees each response", async () => {
    const server = await fakeServer((seen, reply) => {
      const nonce = { "dpop-nonce": `n${server.seen.length}` };
      if (server.seen.length === 1)
        return reply.status(401, "", { "www-authenticate": 'DPoP error="use_dpop_nonce"', ...nonce });
      if (server.seen.length === 2) return reply.status(307, "", { location: "/other", ...nonce });
      reply.response.setHeader("dpop-nonce", nonce["dpop-nonce"]);
      return answers(seen, reply);
    });
    const requests: AuthorizedRequest[] = [];
    let nonce: string | null = null;
    const authProvider: AuthProvider = {
      token: () => "t",
      headers(token, request) {
        requests.push(request);
        return { Authorization: `DPoP ${token}`, DPoP: `proof-${requests.length}-${nonce ?? ""}` };
      },
      onResponse: (response) => (nonce = response.headers.get("dpop-nonce")),
      onUnauthorized: () => true,
    };
    const { client } = await connected(server, {}, { authProvider });
    await client.listTools();
    expect(server.seen.map(({ headers: { authorization, dpop } }) => [authorization, dpop])).toEqual([
      ["DPoP t", "proof-1-"],
      ["DPoP t", "proof-2-n1"],
      ["DPoP t", "proof-3-n2"],
      ["DPoP t", "proof-4-n3"],
    ]);
    expect(requests.map(({ method, url, server: { href } }) => [method, url.pathname, href])).toEqual([
      ["POST", "/mcp", server.url],
      ["POST", "/mcp", server.url],
      ["POST", "/other", server.url],
      ["POST", "/mcp", server.url],
    ]);
  });
});

describe("an invalid token is reported without being shown", () => {
  test.each([
    ["a line break at its end", "secret\n", /U\+000A.*trim it/],
    ["CR and LF", "secret\r\nx-evil: 1", /U\+000D/],
    ["a space", "Bearer secret", /U\+0020/],
    ["a letter that is not ASCII", "secrét", /U\+00E9/],
    ["nothing", "", /empty/],
    ["a number", 5 as unknown as string, /must be a string/],
    ["null", null as unknown as string, /must be a string/],
  ])("%s", async (_name, token, message) => {
    const server = await fakeServer(answers);
    const { client, transport } = clientFor(server, { authProvider: () => token });
    const error = await client.connect(transport).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: "INVALID_CONFIGURATION", message: expect.stringMatching(message) as string });
    expect(JSON.stringify([error, String((error as Error).stack)])).not.toContain("secr");
    expect(server.seen).toEqual([]);
  });
});
