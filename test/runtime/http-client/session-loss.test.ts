import { describe, expect, test } from "vitest";
import { type Connected, connected as connectedWith, clientFor as createClient } from "./clients.js";
import { fakeServer, handshake, pause, type Reply, result, type Script, until } from "./fake-server.js";

/** Requests are not sent again, so that they show that the session is lost. */
const clientFor = (...[server, http, options]: Parameters<typeof createClient>): Connected =>
  createClient(server, http, { repeatLost: false, ...options });
const connected = (...[server, connect, http, options]: Parameters<typeof connectedWith>): Promise<Connected> =>
  connectedWith(server, connect, http, { repeatLost: false, ...options });

const R3 = "2025-06-18";
const R4 = "2025-11-25";

const error = (message: string) => ({ jsonrpc: "2.0", id: null, error: { code: -32000, message } });

/** A server that can lose its session, and then support another revision. */
function forgetful(refuse = (reply: Reply): void => reply.status(404, "who are you?")) {
  const state = { session: "s-1", revision: R4, sessions: 1 };
  const script: Script = (seen, reply) => {
    const { id, method } = seen.message;
    if (method !== "initialize" && seen.headers["mcp-session-id"] !== state.session) return refuse(reply);
    return handshake(
      state.revision,
      () => {
        if (seen.method === "GET") return void reply.events().raw(": open\n\n");
        if (seen.method === "DELETE") return reply.status(405);
        if (method === "tools/call") return undefined; // no response
        return reply.json(result(id, method === "tools/list" ? { tools: [] } : {}));
      },
      () => state.session,
    )(seen, reply);
  };
  const forget = (): void => {
    state.session = `s-${++state.sessions}`;
    state.revision = R3;
  };
  return { script, forget, state };
}

describe("a server that has dropped the session", () => {
  test("gets one handshake for all failed requests, and all subscriptions again", async () => {
    const { script, forget } = forgetful();
    const server = await fakeServer(script);
    const updates: string[] = [];
    let changes = 0;
    let closed = 0;
    const { client, transport, errors } = await connected(
      server,
      { era: "handshake" },
      {},
      { onclose: () => closed++ },
    );
    client.onChanged("tools", () => changes++);
    await client.subscribeResource({ uri: "file:///a" }, (uri) => updates.push(uri));
    await client.subscribeResource({ uri: "file:///b" }, (uri) => updates.push(uri));
    await client.setLoggingLevel("warning");
    const pending = Array.from({ length: 5 }, () => client.callTool({ name: "t" }));
    const lost = Promise.allSettled(pending);
    await until(() => server.of("tools/call").length === 5 && server.of("GET").length === 1);
    const before = server.seen.length;
    forget();
    const refused = await Promise.allSettled([client.listTools(), client.listTools(), client.listTools()]);
    expect(refused.map((one) => one.status === "rejected" && (one.reason as { code: string }).code)).toEqual(
      Array(3).fill("SESSION_LOST"),
    );
    expect((await lost).map((one) => one.status === "rejected" && (one.reason as { code: string }).code)).toEqual(
      Array(5).fill("SESSION_LOST"),
    );
    // Later requests wait for the new session.
    expect((await client.listTools()).tools).toEqual([]);
    expect(client.getNegotiatedProtocolVersion()).toBe(R3);
    expect(transport.sessionId).toBe("s-2");
    await until(() => server.of("GET").length === 2);

    const after = server.seen.slice(before);
    const again = after.filter(({ headers }) => headers["mcp-session-id"] !== "s-1");
    expect(after.filter(({ message }) => message.method === "initialize")).toHaveLength(1);
    expect(again[0]?.message.method).toBe("initialize");
    expect(again[0]?.headers).not.toHaveProperty("mcp-session-id");
    expect(
      after.filter(({ headers }) => headers["mcp-session-id"] === "s-1").map(({ message }) => message.method),
    ).toEqual(Array(3).fill("tools/list"));
    expect(
      again
        .slice(1)
        .every(({ headers }) => headers["mcp-session-id"] === "s-2" && headers["mcp-protocol-version"] === R3),
    ).toBe(true);
    const wanted = again.map(({ message: { method, params } }) => [method, params?.["uri"] ?? params?.["level"]]);
    expect(wanted).toEqual(
      expect.arrayContaining([
        ["resources/subscribe", "file:///a"],
        ["resources/subscribe", "file:///b"],
        ["logging/setLevel", "warning"],
      ]),
    );
    // Changes may have been missed in between.
    expect(changes).toBeGreaterThan(0);
    expect([...new Set(updates)].sort()).toEqual(["file:///a", "file:///b"]);
    expect(closed).toBe(0);
    expect(errors.map((error) => (error as { code?: string }).code)).toContain("SESSION_LOST");
    await client.close();
    expect(server.of("DELETE").map(({ headers }) => headers["mcp-session-id"])).toEqual(["s-2"]);
  });

  test("is detected by the reopened stream, too", async () => {
    const { script, forget } = forgetful();
    let cut = (): void => undefined;
    const server = await fakeServer((seen, reply) => {
      if (seen.method === "GET") cut = () => reply.cut();
      return script(seen, reply);
    });
    const { client, transport } = await connected(server, { era: "handshake" });
    await until(() => server.of("GET").length === 1);
    await pause(20);
    forget();
    cut();
    await until(() => transport.sessionId === "s-2" && server.of("GET").length >= 3);
    expect(server.of("initialize")).toHaveLength(2);
    await client.listTools();
  });

  test("and that opens no new session is given up", async () => {
    const { script, forget } = forgetful();
    const server = await fakeServer(script);
    const closed: unknown[] = [];
    const { client } = await connected(
      server,
      { era: "handshake" },
      {},
      {
        onclose: (error) => void closed.push(error),
        restart: { attempts: 2, pauseMs: 1 },
      },
    );
    forget();
    server.script = (seen, reply) => reply.status(seen.message.method === "initialize" ? 500 : 404);
    await expect(client.listTools()).rejects.toMatchObject({ code: "SESSION_LOST" });
    await expect(client.listTools()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    expect(closed).toMatchObject([{ code: "SESSION_LOST" }]);
    expect(server.of("initialize")).toHaveLength(3);
  });

  test.each([Infinity, 1])(
    "drops it again during new subscriptions: the client gives up, or connects in the end (%d)",
    async (losses) => {
      const server = await fakeServer(
        handshake(
          R4,
          ({ message: { id, method } }, reply) => {
            if (method === undefined) return reply.status(405);
            if (method === "resources/subscribe" && server.of(method).length <= losses) return reply.status(404);
            reply.json(result(id, { tools: [] }));
          },
          () => "s",
        ),
      );
      const closed: unknown[] = [];
      const { client, transport } = clientFor(
        server,
        {},
        { onclose: (error) => void closed.push(error), restart: { attempts: 2 } },
      );
      await client.subscribeResource({ uri: "a:b" }, () => undefined);
      await client.connect(transport, { era: "handshake" });
      const listed = await client.listTools().catch((error: unknown) => error);
      await pause(30);
      expect(listed).toMatchObject(losses === 1 ? { tools: [] } : { code: "NOT_CONNECTED" });
      expect(closed).toMatchObject(losses === 1 ? [] : [{ code: "SESSION_LOST" }]);
      expect(server.of("initialize")).toHaveLength(losses === 1 ? 2 : 3);
    },
  );

  test("is given up if the requests of a change listener lose it every time", async () => {
    const { script, forget } = forgetful();
    const server = await fakeServer(script);
    const closed: unknown[] = [];
    const { client } = await connected(
      server,
      { era: "handshake" },
      {},
      { onclose: (error) => void closed.push(error), restart: { attempts: 2 } },
    );
    client.onChanged("tools", () => void client.listTools().catch(() => undefined));
    server.script = (seen, reply) => {
      if (seen.message.method === "tools/list") forget();
      return script(seen, reply);
    };
    await expect(client.listTools()).rejects.toMatchObject({ code: "SESSION_LOST" });
    await until(() => closed.length > 0);
    expect(closed).toMatchObject([{ code: "SESSION_LOST" }]);
    expect(server.of("initialize")).toHaveLength(3);
  });

  test("does not hold a call that is aborted meanwhile", async () => {
    const { script, forget } = forgetful();
    const server = await fakeServer(script);
    const { client } = await connected(server, { era: "handshake" });
    forget();
    server.script = (seen, reply) => (seen.message.method === "initialize" ? undefined : reply.status(404));
    await expect(client.listTools()).rejects.toMatchObject({ code: "SESSION_LOST" });
    const calling = new AbortController();
    const { signal } = calling;
    const waiting = [client.listTools({}, { signal }), client.callTool({ name: "t" }, { signal })];
    calling.abort(new Error("enough"));
    for (const one of waiting) await expect(one).rejects.toThrow("enough");
  });

  test("is not contacted again by a client that is closed meanwhile", async () => {
    const { script, forget } = forgetful();
    const server = await fakeServer(script);
    const { client } = await connected(server, { era: "handshake" });
    forget();
    await expect(client.listTools()).rejects.toMatchObject({ code: "SESSION_LOST" });
    const waiting = client.listTools();
    await client.close();
    await expect(waiting).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    await pause(30);
    expect(server.of("initialize")).toHaveLength(1);
  });

  test.each([
    ["an error", JSON.stringify(error("Bad Request: No valid session ID provided"))],
    ["text", "Bad Request: No valid session ID provided"],
    ["an error of a server without a session", JSON.stringify(error("Bad Request: Server not initialized"))],
  ])("may respond with 400 and %s", async (_, text) => {
    const { script, forget } = forgetful((reply) => reply.status(400, text));
    const server = await fakeServer(script);
    const { client, transport } = await connected(server, { era: "handshake" });
    forget();
    await expect(client.listTools()).rejects.toMatchObject({ code: "SESSION_LOST" });
    await client.listTools();
    expect(transport.sessionId).toBe("s-2");
  });

  test("may drop the next session as well", async () => {
    const { script, forget } = forgetful();
    const server = await fakeServer(script);
    const { client, transport } = await connected(server, { era: "handshake" });
    for (const session of ["s-2", "s-3", "s-4"]) {
      forget();
      await expect(client.listTools()).rejects.toMatchObject({ code: "SESSION_LOST" });
      await client.listTools();
      expect(transport.sessionId).toBe(session);
    }
    expect(server.of("initialize")).toHaveLength(4);
  });
});

describe("other meanings of 404 and 400", () => {
  test("without a session it is an ordinary error", async () => {
    const server = await fakeServer(handshake(R4, (_, reply) => reply.status(404)));
    const { client, transport } = clientFor(server);
    await client.connect(transport, { era: "handshake" });
    await expect(client.listTools()).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 404 } });
    expect(server.of("initialize")).toHaveLength(1);
  });

  test("a JSON-RPC error for an unknown method stays one", async () => {
    const server = await fakeServer(
      handshake(
        R4,
        (seen, reply) =>
          reply.json({ jsonrpc: "2.0", id: seen.message.id, error: { code: -32601, message: "no" } }, 404),
        () => "s",
      ),
    );
    const { client } = await connected(server, { era: "handshake" });
    await expect(client.listTools()).rejects.toMatchObject({ code: -32601 });
    expect(server.of("initialize")).toHaveLength(1);
  });

  test.each(["no", "database server not initialized"])("400 with `%s` is an ordinary error", async (message) => {
    const server = await fakeServer(
      handshake(
        R4,
        (_, reply) => reply.json(error(message), 400),
        () => "s",
      ),
    );
    const { client } = await connected(server, { era: "handshake" });
    await expect(client.listTools()).rejects.toMatchObject({ message });
    expect(server.of("initialize")).toHaveLength(1);
  });
});
