import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Client, type ClientOptions, ResponseCache } from "../../../runtime/src/client.js";
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "../../../runtime/src/client/http.js";
import { connected } from "./clients.js";
import { complete, fakeServer, result, stateless } from "./fake-server.js";

/** Lists one tool, named after the owner of the token. */
async function shop(cacheScope: string, meanwhile = (): void => undefined) {
  const server = await fakeServer(
    stateless(({ headers, message }, reply) => {
      meanwhile();
      const tools = [{ name: headers.authorization?.slice(7), inputSchema: { type: "object" } }];
      reply.json(result(message.id, complete({ tools, ttlMs: 60_000, cacheScope })));
    }),
  );
  const join = async (options: StreamableHTTPClientTransportOptions, more?: ClientOptions): Promise<Client> =>
    (await connected(server, {}, options, { cache: new ResponseCache(), cacheKey: "shop", ...more })).client;
  return { server, join };
}

const having = (token: string): StreamableHTTPClientTransportOptions => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
});

const lists = async (...clients: readonly Client[]): Promise<string[]> => {
  const names: string[] = [];
  for (const client of clients) for (const { name } of (await client.listTools()).tools) names.push(name);
  return names;
};

describe("the response cache", () => {
  test.each([
    ["private", undefined, ["ann", "bob", "ann", "bob"]],
    ["private", "both", ["ann", "ann", "ann", "ann"]],
    ["public", undefined, ["ann", "ann", "ann", "ann"]],
  ])("of clients that share it: %s, for the principal %s", async (scope, principal, seen) => {
    const { join } = await shop(scope);
    const shared = { cache: new ResponseCache(), ...(principal !== undefined && { principal }) };
    const [ann, bob] = [await join(having("ann"), shared), await join(having("bob"), shared)];
    expect(await lists(ann, bob, ann, bob)).toEqual(seen);
  });

  test.each([
    ["private", ["ann", "bob", "bob"]],
    ["public", ["ann", "ann", "ann"]],
  ])("of a client that gets another token: %s", async (scope, seen) => {
    const { join } = await shop(scope);
    let token = "ann";
    const client = await join({ authProvider: { token: () => token } }, { principal: "one" });
    const before = await lists(client);
    token = "bob";
    expect([...before, ...(await lists(client, client))]).toEqual(seen);
  });

  test("is passed by or renewed with cacheMode", async () => {
    let sent = 0;
    const server = await fakeServer(
      stateless(({ message }, reply) => {
        const tools = [{ name: String(++sent), inputSchema: { type: "object" } }];
        reply.json(result(message.id, complete({ tools, ttlMs: 60_000, cacheScope: "public" })));
      }),
    );
    const { client } = await connected(server, {}, {}, { cache: new ResponseCache() });
    const seen: (string | undefined)[] = [];
    for (const cacheMode of ["use", "use", "bypass", "use", "refresh", "use", undefined] as const)
      seen.push((await client.listTools({}, { ...(cacheMode && { cacheMode }) })).tools[0]?.name);
    expect(seen).toEqual(["1", "1", "2", "1", "3", "3", "3"]);
  });

  test("does not store a response during which the token changed", async () => {
    let token = "ann";
    const { join } = await shop("private", () => (token = "bob"));
    const client = await join({ authProvider: { token: () => token } });
    expect(await lists(client, client, client)).toEqual(["ann", "bob", "bob"]);
  });

  test.each([
    ["private", false],
    ["public", true],
  ])("with a new token for each request: %s", async (scope, isKept) => {
    const { join, server } = await shop(scope);
    let tokens = 0;
    const client = await join({ authProvider: { token: () => String(++tokens) } });
    await lists(client, client);
    expect(server.of("tools/list")).toHaveLength(isKept ? 1 : 2);
  });

  test("is not used without a token, nor for aborted calls", async () => {
    const { join, server } = await shop("private");
    let token = (): string => "ann";
    const client = await join({ authProvider: { token: () => token() } });
    await lists(client);
    await expect(client.listTools({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    token = () => {
      throw new Error("locked");
    };
    await expect(client.listTools()).rejects.toMatchObject({ code: "SEND_FAILED", cause: { message: "locked" } });
    expect(server.of("tools/list")).toHaveLength(1);
  });

  test("does not wait for a token longer than its request", async () => {
    const { join } = await shop("private");
    let token = (): string | Promise<string> => "ann";
    const client = await join({ authProvider: { token: () => token() } });
    token = () => new Promise(() => undefined);
    await expect(client.listTools({}, { timeoutMs: 50 })).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  });

  test("does not delay an aborted call", async () => {
    const { join } = await shop("private");
    let token = (): string | Promise<string> => "ann";
    const client = await join({ authProvider: { token: () => token() } });
    token = () => new Promise(() => undefined);
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal);
    onTestFinished(() => timeout.mockRestore());
    await expect(client.listTools({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });

  test("is not shared with another transport of the same client", async () => {
    const { server, join } = await shop("private");
    const client = await join(having("ann"));
    const before = await lists(client);
    await client.close();
    await client.connect(new StreamableHTTPClientTransport(server.url, having("bob")));
    expect([...before, ...(await lists(client))]).toEqual(["ann", "bob"]);
  });
});
