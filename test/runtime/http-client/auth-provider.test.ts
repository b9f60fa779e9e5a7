import { describe, expect, test } from "vitest";
import {
  type AuthChallenge,
  type Authorization,
  type AuthorizedRequest,
  type AuthProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type TokenUse,
} from "../../../runtime/src/client/http.js";
import { RemoteError, SdkError } from "../../../runtime/src/jsonrpc/errors.js";
import type { JSONRPCMessage } from "../../../runtime/src/jsonrpc/message-types.js";
import { clientFor, connected } from "./clients.js";
import { complete, fakeServer, result, type Script, stateless } from "./fake-server.js";

const answers: Script = stateless((seen, reply) =>
  reply.json(result(seen.message.id, complete({ tools: [], ttlMs: 0, cacheScope: "private" }))),
);

class Wallet implements AuthProvider {
  readonly #current = "secret";

  token(): string {
    return this.#current;
  }
}

describe("authProvider accepts", () => {
  test.each<readonly [string, Authorization]>([
    ["a token", "secret"],
    ["a function", () => "secret"],
    ["an async function", () => Promise.resolve("secret")],
    ["a provider", { token: () => "secret" }],
    ["an object with a method that needs `this`", new Wallet()],
    ["an async provider", { token: () => Promise.resolve("secret") }],
  ])("%s", async (_name, authProvider) => {
    const server = await fakeServer(answers);
    const { client } = await connected(server, {}, { authProvider });
    await client.listTools();
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer secret", "Bearer secret"]);
    // A token must not be in a URL, which servers log (MCP 2026-07-28, authorization: token requirements).
    expect(server.seen.map(({ path }) => path)).toEqual(Array(2).fill(new URL(server.url).pathname));
  });

  test("a function that has no token yet", async () => {
    const server = await fakeServer(answers);
    const wallet: { token?: string } = {};
    const { client } = await connected(server, {}, { authProvider: () => wallet.token });
    wallet.token = "secret";
    await client.listTools();
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, "Bearer secret"]);
  });

  test("a provider, which learns the server", async () => {
    const server = await fakeServer(answers);
    const uses: (TokenUse | undefined)[] = [];
    await connected(server, {}, { authProvider: { token: (use) => void uses.push(use) } });
    expect(uses).toEqual([{ url: new URL(server.url) }]);
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

describe("an invalid token is reported without being shown:", () => {
  test.each<readonly [string, unknown]>([
    ["a line break at its end", "secret\n"],
    ["CR and LF", "secret\r\nx-evil: 1"],
    ["a space", "Bearer secret"],
    ["a letter that is not ASCII", "secr\u00e9t"],
    ["NUL", "secret\0"],
    ["nothing", ""],
    ["a number", 5],
    ["null", null],
  ])("%s", async (_name, token) => {
    const server = await fakeServer(answers);
    const { client, transport } = clientFor(server, { authProvider: () => token as string });
    const error = await client.connect(transport).catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      code: "INVALID_CONFIGURATION",
      message: expect.stringContaining("the token must be a string without spaces and line breaks") as string,
    });
    expect(JSON.stringify([error, (error as Error).stack, (error as Error).cause])).not.toContain("secr");
    expect(server.seen).toEqual([]);
  });

  test.each<readonly [string, Record<string, string>]>([
    ["a value with CR and LF", { authorization: "DPoP secret\r\nx-evil: 1" }],
    ["a name with a space", { "secret header": "x" }],
    ["a name with a line break", { "secret\nx": "x" }],
    ["a value that is not Latin-1", { dpop: "secret\u4e00" }],
  ])("a header, %s", async (_name, headers) => {
    const server = await fakeServer(answers);
    const { client, transport } = clientFor(server, { authProvider: { token: () => "t", headers: () => headers } });
    const error = await client.connect(transport).catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      code: "INVALID_CONFIGURATION",
      message: "authProvider: `headers` returned a name or value that is not valid in HTTP",
    });
    expect(JSON.stringify([error, (error as Error).stack, (error as Error).cause])).not.toContain("secret");
    expect(server.seen).toEqual([]);
  });

  test.each<readonly [string, unknown]>([
    ["a token", "secret\n"],
    ["an empty token", ""],
    ["an object without token", {}],
    ["null", null],
    ["a number", 5],
  ])("the transport rejects %s at once", (_name, authProvider) => {
    const options = { authProvider: authProvider as Authorization };
    for (const Transport of [StreamableHTTPClientTransport, SSEClientTransport])
      expect(() => new Transport("http://localhost/mcp", options)).toThrow(
        expect.objectContaining({
          code: "INVALID_CONFIGURATION",
          message: expect.not.stringContaining("secret") as string,
        }),
      );
  });
});

describe("the challenge names the operation", () => {
  const params = { uri: "file:///a", name: "deploy" };
  test.each<readonly [string, JSONRPCMessage | readonly JSONRPCMessage[], string]>([
    ["a tool", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "deploy" } }, "tools/call deploy"],
    ["a prompt", { jsonrpc: "2.0", id: 1, method: "prompts/get", params: { name: "brief" } }, "prompts/get brief"],
    ["a resource", { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "a:b" } }, "resources/read a:b"],
    ["neither", { jsonrpc: "2.0", id: 1, method: "tools/list" }, "tools/list"],
    ["another type", { jsonrpc: "2.0", id: 1, method: "x", params: { name: 5 } }, "x"],
    ["a notification", { jsonrpc: "2.0", method: "notifications/x" }, "notifications/x"],
    ["a batch: of its first message", [{ jsonrpc: "2.0", id: 1, method: "tools/call", params }], "tools/call deploy"],
  ])("%s", async (_name, message, operation) => {
    const server = await fakeServer((_seen, reply) => reply.status(401));
    const challenges: AuthChallenge[] = [];
    const onUnauthorized = (challenge: AuthChallenge): boolean => challenges.push(challenge) < 0;
    const transport = new StreamableHTTPClientTransport(server.url, {
      authProvider: { token: () => undefined, onUnauthorized },
    });
    await transport.start();
    await transport.send(message).catch(() => undefined);
    await transport.close();
    expect(challenges.map((one) => one.operation)).toEqual([operation]);
  });
});

describe("an error of the provider", () => {
  const known = ["AUTHORIZATION_FAILED", "UNAUTHORIZED", "INSUFFICIENT_SCOPE", "INVALID_CONFIGURATION"] as const;
  const others: readonly Error[] = [
    new Error("no network"),
    // As errors of the server, these would decide its era or reconnect.
    new SdkError("HTTP_ERROR", "404", { status: 404 }),
    new SdkError("RESPONSE_LOST", "lost"),
    new SdkError("CONNECTION_CLOSED", "gone"),
    new SdkError("SESSION_LOST", "gone"),
    new RemoteError(-32601, "no method"),
  ];
  const methods = ["token", "headers", "onResponse", "onUnauthorized"] as const;

  function failing(method: (typeof methods)[number], error: Error, isAsync: boolean): AuthProvider {
    const fail = (): never => {
      if (isAsync) return Promise.reject(error) as never;
      throw error;
    };
    return { token: () => "t", [method]: fail };
  }

  test.each(methods.flatMap((method) => [true, false].map((isAsync) => ({ method, isAsync }))))(
    "of $method fails the request and never decides the era (async: $isAsync)",
    async ({ method, isAsync }) => {
      const server = await fakeServer((_seen, reply) => reply.status(401));
      for (const error of [...known.map((code) => new SdkError(code, "why")), ...others]) {
        server.seen.length = 0;
        const { client, transport } = clientFor(server, { authProvider: failing(method, error, isAsync) });
        const outcome: unknown = await client.connect(transport).catch((failure: unknown) => failure);
        if (known.some((code) => (error as SdkError).code === code)) expect(outcome).toBe(error);
        else {
          expect(outcome).toMatchObject({ code: "SEND_FAILED", cause: error });
          expect((outcome as Error).message).toContain("the authProvider failed: ");
        }
        expect(server.story).toEqual(method === "token" || method === "headers" ? [] : ["server/discover"]);
      }
    },
  );
});
