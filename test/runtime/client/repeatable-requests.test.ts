import { describe, expect, test } from "vitest";
import { connected } from "../http-client/clients.js";
import { complete, fakeServer, handshake, R5, result, type Script } from "../http-client/fake-server.js";

const R4 = "2025-11-25";
const hints = { ttlMs: 0, cacheScope: "private" };
const tools = [
  { name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  { name: "put", inputSchema: { type: "object" }, annotations: { readOnlyHint: false, idempotentHint: true } },
  { name: "pay", inputSchema: { type: "object" }, annotations: { destructiveHint: false } },
  { name: "plain", inputSchema: { type: "object" } },
];

/** Loses the next responses. */
function losing() {
  const state = { losses: 0 };
  const script: Script = ({ message: { id, method } }, reply) => {
    if (method === undefined) return reply.status(405);
    if (state.losses-- > 0) return reply.events().end();
    if (method === "tools/list") return reply.json(result(id, complete({ tools, ...hints })));
    return reply.json(result(id, complete({ content: [], contents: [], ...hints })));
  };
  return { state, script };
}

/** Drops the session before the next requests. */
function forgetting() {
  const state = { losses: 0, session: 1 };
  const script: Script = handshake(
    R4,
    ({ message: { id, method } }, reply) => {
      if (method === undefined) return reply.status(405);
      if (method !== "tools/list" && state.losses-- > 0) {
        state.session++;
        return reply.status(404);
      }
      return reply.json(result(id, { tools, content: [], contents: [] }));
    },
    () => `s-${state.session}`,
  );
  return { state, script };
}

function discoverable(script: Script): Script {
  const body = { supportedVersions: [R5], capabilities: { tools: {}, resources: {} }, ...hints };
  return (seen, reply) =>
    seen.message.method === "server/discover"
      ? reply.json(result(seen.message.id, complete(body)))
      : script(seen, reply);
}

describe.each([
  ["a lost response of a stateless server", () => losing(), (script: Script) => discoverable(script), "RESPONSE_LOST"],
  ["a lost response of a session", () => losing(), (script: Script) => handshake(R4, script), "RESPONSE_LOST"],
  ["a lost session", () => forgetting(), (script: Script) => script, "SESSION_LOST"],
])("after %s", (_name, create, wrap, code) => {
  const prepare = async (options: { repeatLost?: boolean } = {}) => {
    const { state, script } = create();
    const server = await fakeServer(wrap(script));
    const { client } = await connected(server, {}, {}, { restart: { attempts: 2, pauseMs: 1 }, ...options });
    return { state, server, client };
  };

  test.each(["read", "put"])("a call of a tool with the hint is sent once more: %s", async (name) => {
    const { state, server, client } = await prepare();
    await client.listTools();
    state.losses = 1;
    expect(await client.callTool({ name })).toMatchObject({ content: [] });
    const [first, second, ...more] = server.of("tools/call");
    expect(first?.message.params?.["name"]).toBe(second?.message.params?.["name"]);
    expect(more).toEqual([]);
  });

  test("a call is sent no more than twice", async () => {
    const { state, server, client } = await prepare();
    await client.listTools();
    state.losses = 2;
    await expect(client.callTool({ name: "read" })).rejects.toMatchObject({ code });
    expect(server.of("tools/call")).toHaveLength(2);
  });

  test.each(["pay", "plain", "not listed"])("a call of another tool fails: %s", async (name) => {
    const { state, server, client } = await prepare();
    await client.listTools();
    state.losses = 1;
    await expect(client.callTool({ name })).rejects.toMatchObject({ code });
    expect(server.of("tools/call")).toHaveLength(1);
  });

  test("a call with a state that works once fails", async () => {
    const { state, server, client } = await prepare();
    await client.listTools();
    state.losses = 1;
    await expect(client.callTool({ name: "read", requestState: "s" })).rejects.toMatchObject({ code });
    expect(server.of("tools/call")).toHaveLength(1);
  });

  test("a read is sent once more", async () => {
    const { state, server, client } = await prepare();
    state.losses = 1;
    expect(await client.readResource({ uri: "a:b" })).toMatchObject({ contents: [] });
    expect(server.of("resources/read")).toHaveLength(2);
  });

  test("nothing is sent again without repeatLost", async () => {
    const { state, server, client } = await prepare({ repeatLost: false });
    await client.listTools();
    state.losses = 1;
    await expect(client.callTool({ name: "read" })).rejects.toMatchObject({ code });
    state.losses = 1;
    await expect(client.readResource({ uri: "a:b" })).rejects.toMatchObject({ code });
    expect([...server.of("tools/call"), ...server.of("resources/read")]).toHaveLength(2);
  });
});

test("a call that waits for a new session ends with its signal", async () => {
  const { state, script } = forgetting();
  const server = await fakeServer(script);
  const { client } = await connected(server);
  await client.listTools();
  state.losses = 1;
  server.script = (seen, reply) => {
    if (seen.message.method === "initialize") return;
    return script(seen, reply);
  };
  const controller = new AbortController();
  const call = client.callTool({ name: "read" }, { signal: controller.signal });
  call.catch(() => undefined);
  while (server.of("initialize").length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
});
