import { describe, expect, test } from "vitest";
import type { AuthChallenge, AuthProvider } from "../../../runtime/src/client/http.js";
import { clientFor, connected } from "./clients.js";
import { complete, fakeServer, handshake, result, type Script, stateless, until } from "./fake-server.js";

const tools = complete({ tools: [], ttlMs: 0, cacheScope: "private" });
const R4 = "2025-11-25";

/** Accepts requests with the token; a called tool requires another one. */
function guarded(token: () => string, then: Script, callToken?: string): Script {
  return (seen, reply) => {
    const given = seen.headers.authorization;
    if (callToken !== undefined && seen.message.method === "tools/call" && given !== `Bearer ${callToken}`)
      return reply.status(403, "", { "www-authenticate": 'Bearer error="insufficient_scope", scope="write"' });
    if (given === `Bearer ${token()}` || given === `Bearer ${callToken ?? ""}`) return then(seen, reply);
    return reply.status(401, "who?", { "www-authenticate": 'Bearer resource_metadata="https://a.example/x"' });
  };
}

const answers: Script = stateless((seen, reply) =>
  reply.json(result(seen.message.id, seen.message.method === "tools/call" ? complete({ content: [] }) : tools)),
);

/** Has no token until the server challenges it. */
class Wallet implements AuthProvider {
  readonly challenges: AuthChallenge[] = [];
  current: string | undefined;

  constructor(readonly next: (challenge: AuthChallenge) => unknown) {}

  token(): string | undefined {
    return this.current;
  }

  async onUnauthorized(challenge: AuthChallenge): Promise<unknown> {
    this.challenges.push(challenge);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const next = this.next(challenge);
    if (typeof next === "string") this.current = next;
    return typeof next === "string" ? undefined : next;
  }
}

describe("a provider of authorization", () => {
  test("is called for every request", async () => {
    let asked = 0;
    const server = await fakeServer(guarded(() => `t${asked}`, answers));
    const { client } = await connected(server, {}, { authProvider: { token: () => `t${++asked}` } });
    await client.listTools();
    await client.listTools();
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer t1", "Bearer t2", "Bearer t3"]);
  });

  test("is called for a 401 on the probe; the repeated probe decides the era", async () => {
    const server = await fakeServer(guarded(() => "good", answers));
    const wallet = new Wallet(() => "good");
    const { client } = await connected(server, {}, { authProvider: wallet });
    expect(client.era).toBe("stateless");
    expect(server.story).toEqual(["server/discover", "server/discover"]);
    expect(wallet.challenges).toMatchObject([
      {
        status: 401,
        token: undefined,
        wwwAuthenticate: 'Bearer resource_metadata="https://a.example/x"',
        url: { href: server.url },
      },
    ]);
  });

  test("is called for a missing scope: same call, same session, another token", async () => {
    const server = await fakeServer(
      guarded(
        () => "read",
        handshake(
          R4,
          (seen, reply) =>
            seen.method === "POST" ? reply.json(result(seen.message.id, { content: [] })) : reply.status(405),
          () => "s",
        ),
        "write",
      ),
    );
    const wallet = new Wallet(({ status }) => (status === 403 ? "write" : "read"));
    const { client } = await connected(server, { era: "handshake" }, { authProvider: wallet });
    await client.callTool({ name: "t" });
    expect(
      wallet.challenges.map(({ status, wwwAuthenticate }) => [status, wwwAuthenticate?.includes("insufficient_scope")]),
    ).toEqual([
      [401, false],
      [403, true],
    ]);
    expect(server.of("tools/call").map(({ headers }) => [headers.authorization, headers["mcp-session-id"]])).toEqual([
      ["Bearer read", "s"],
      ["Bearer write", "s"],
    ]);
    expect(server.of("initialize")).toHaveLength(2);
  });

  test("is called once for many requests that are rejected together", async () => {
    let good = "t1";
    const server = await fakeServer(guarded(() => good, answers));
    const wallet = new Wallet(() => good);
    const { client } = await connected(server, {}, { authProvider: wallet });
    good = "t2";
    await Promise.all(Array.from({ length: 10 }, () => client.listTools()));
    expect(wallet.challenges.map(({ token }) => token)).toEqual([undefined, "t1"]);
    expect(server.of("tools/list").filter(({ headers }) => headers.authorization === "Bearer t2")).toHaveLength(10);
  });

  test("is not called without end", async () => {
    const server = await fakeServer(guarded(() => "none", answers));
    let count = 0;
    const wallet = new Wallet(() => `t${++count}`);
    const { client, transport } = clientFor(server, { authProvider: wallet });
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 401 } });
    expect(wallet.challenges).toHaveLength(3);
    expect(server.story).toEqual(Array(4).fill("server/discover"));
  });

  test("can return false", async () => {
    const server = await fakeServer(guarded(() => "none", answers));
    const wallet = new Wallet(() => false);
    const { client, transport } = clientFor(server, { authProvider: wallet });
    await expect(client.connect(transport)).rejects.toMatchObject({
      code: "HTTP_ERROR",
      data: { status: 401, body: "who?" },
    });
    expect(server.seen).toHaveLength(1);
  });

  test("can fail the request with its own error, and only that request", async () => {
    const server = await fakeServer(guarded(() => "good", answers, "other"));
    const problem = new Error("the user said no");
    const wallet = new Wallet(({ status }) => {
      if (status === 403) throw problem;
      return "good";
    });
    const { client } = await connected(server, {}, { authProvider: wallet });
    await expect(client.callTool({ name: "t" })).rejects.toMatchObject({ code: "SEND_FAILED", cause: problem });
    await client.listTools();
  });

  test("may lack onUnauthorized", async () => {
    const server = await fakeServer(guarded(() => "none", answers));
    const { client, transport } = clientFor(server, { authProvider: { token: () => Promise.resolve(undefined) } });
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 401 } });
    expect(server.seen[0]?.headers).not.toHaveProperty("authorization");
  });

  test("is not called for a 403 with another reason", async () => {
    const server = await fakeServer((_, reply) => reply.status(403, "", { "www-authenticate": "Bearer" }));
    const wallet = new Wallet(() => "t");
    const { client, transport } = clientFor(server, { authProvider: wallet });
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 403 } });
    expect(wallet.challenges).toEqual([]);
  });

  test("is called for every kind of request", async () => {
    const server = await fakeServer(
      guarded(
        () => "good",
        handshake(
          R4,
          (seen, reply) => {
            if (seen.message.method === "tools/call") return reply.events().send({ id: "0", retry: 1, data: "" }).end();
            if (seen.headers["last-event-id"] !== undefined)
              return reply
                .events()
                .send({ data: result(server.of("tools/call")[0]?.message.id, { content: [] }) })
                .end();
            return reply.status(seen.method === "DELETE" ? 204 : 405);
          },
          () => "s",
        ),
      ),
    );
    const wallet = new Wallet(() => "good");
    const { client } = await connected(server, { era: "handshake" }, { authProvider: wallet });
    await client.callTool({ name: "t" });
    await until(() => server.of("GET").length === 2);
    await client.close();
    expect(server.of("DELETE")).toHaveLength(1);
    expect(wallet.challenges).toHaveLength(1);
    expect(server.seen.slice(1).every(({ headers }) => headers.authorization === "Bearer good")).toBe(true);
  });

  test("the token is not sent to another origin", async () => {
    const other = await fakeServer(answers);
    const server = await fakeServer((_, reply) => reply.status(307, "", { location: other.url }));
    await expect(connected(server, {}, { authProvider: { token: () => "secret" } })).rejects.toMatchObject({
      code: "HTTP_ERROR",
    });
    expect(other.seen).toEqual([]);
  });
});
