import { expect, onTestFinished, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import { McpServer } from "../../../runtime/src/server.js";
import { any, capture, Recorder, ref, runConversation, ScriptedPeer, type Step } from "../../../runtime/src/testing.js";

/** Runs a conversation with a peer that echoes every message, with `echo` in it. */
function withEcho(steps: readonly Step[], as: "client" | "server" = "client") {
  const [near, far] = InMemoryTransport.createLinkedPair();
  far.onmessage = (message) => far.send({ ...(message as { jsonrpc: "2.0"; method: string }), echo: true } as never);
  void far.start();
  return runConversation({ name: "echo", steps }, near, { as, timeoutMs: 50 });
}

const problems: readonly (readonly [name: string, steps: readonly Step[], message: string])[] = [
  [
    "another message than expected",
    [{ "->": { id: 1, method: "a" } }, { "<-": { method: "b" } }],
    `"echo", step 2 of 2: <- {"method":"b"}
message.method: expected "b", received "a"
in {"id":1,"method":"a","echo":true}
so far:
  -> {"id":1,"method":"a"}
  <- {"id":1,"method":"a","echo":true}`,
  ],
  [
    "no message",
    [{ "<-": { result: any() } }],
    `"echo", step 1 of 1: <- {"result":"any()"}
no message arrived within 50 ms
so far:
  `,
  ],
  [
    "an unexpected message",
    [{ "->": { method: "a" } }, { silence: 20 }],
    `"echo", step 2 of 2: {"silence":20}
expected silence for 20 ms, received {"method":"a","echo":true}
so far:
  -> {"method":"a"}
  <- {"method":"a","echo":true}`,
  ],
  [
    "an unexpected group",
    [{ "->": { method: "a" } }, { "->": { method: "b" } }, { unordered: [{ method: "b" }, { method: "c" }] }],
    `"echo", step 3 of 3: {"unordered":[{"method":"b"},{"method":"c"}]}
message: expected unordered({"jsonrpc":"2.0","method":"b"}, {"jsonrpc":"2.0","method":"c"}), received [{"method":"a","echo":true},{"method":"b","echo":true}]
so far:
  -> {"method":"a"}
  <- {"method":"a","echo":true}
  -> {"method":"b"}
  <- {"method":"b","echo":true}`,
  ],
  [
    "a failing function",
    [{ do: () => Promise.reject(new Error("my own")) }],
    `"echo", step 1 of 1: do
my own`,
  ],
  [
    "a message that cannot be sent",
    [{ "->": { id: any() } }],
    `"echo", step 1 of 1: -> {"id":"any()"}\nany() cannot be sent`,
  ],
  [
    "a missing capture",
    [{ "->": { id: ref("x") } }],
    `"echo", step 1 of 1: -> {"id":"ref(x)"}\nnothing was captured as "x"`,
  ],
];

test.each(problems)("reports where it failed: %s", async (_name, steps, message) => {
  const failure = await withEcho(steps).catch((error: unknown) => (error as Error).message);
  expect(failure).toBe(message);
});

test("a closing transport ends it at once", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await far.start();
  const held = runConversation({ name: "closed", steps: [{ "<-": {} }] }, near);
  await far.close();
  await expect(held).rejects.toThrow("the transport has closed");
});

test("captures and sends back received values, and adds jsonrpc", async () => {
  const peer = await withEcho([
    { "->": { id: "x", method: "a" } },
    { "<-": { id: capture("id"), echo: true } },
    { "->": { id: ref("id"), result: { of: [ref("id")] } } },
    { "<-": { id: "x", result: { of: ["x"] } } },
    { silence: 5 },
  ]);
  expect(peer.recorder.find("out")).toEqual([
    { jsonrpc: "2.0", id: "x", method: "a" },
    { jsonrpc: "2.0", id: "x", result: { of: ["x"] } },
  ]);
  expect(peer.recorder.find("in", "a")).toHaveLength(1);
});

test("a script can play the server, and its record has the same direction", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1" });
  onTestFinished(() => client.close());
  const connecting = client.connect(near);
  const peer = await runConversation(
    {
      name: "refuses",
      steps: [
        { "->": { id: capture("id"), method: "server/discover" } },
        { "<-": { id: ref("id"), error: { code: -32022, message: "no", data: { supported: ["2099-01-01"] } } } },
      ],
    },
    far,
    { as: "server" },
  );
  await expect(connecting).rejects.toMatchObject({ code: "NO_COMMON_REVISION" });
  expect(peer.recorder.toString()).toMatch(/^-> \{"id":1,"method":"server\/discover".*\n<- \{"id":1,"error"/);
});

test("a recorder traces a client or a server", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const [ours, theirs] = [new Recorder(), new Recorder("server")];
  const server = new McpServer({ name: "s", version: "1" }, { trace: theirs.trace });
  server.registerTool("t", {}, () => ({ content: [] }));
  await server.connect(far);
  const client = new Client({ name: "c", version: "1" }, { trace: ours.trace });
  onTestFinished(() => client.close());
  await client.connect(near);
  await client.listTools();
  expect(ours.toString()).toBe(theirs.toString());
  expect(ours.toJSONL()).toBe(theirs.toJSONL());
  expect(JSON.parse(ours.toJSONL().split("\n")[0] ?? "")).toEqual({
    from: "client",
    message: ours.messages[0]?.message,
  });
  expect(ours.find("out", { method: /list$/ })).toEqual(theirs.find("in", "tools/list"));
  expect(ours.messages).toHaveLength(4);
});

test("a peer can be used without a script", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const peer = new ScriptedPeer(near, { timeoutMs: 50 });
  await Promise.all([peer.start(), far.start()]);
  far.send({ jsonrpc: "2.0", method: "first" });
  far.send({ jsonrpc: "2.0", method: "second" });
  expect(await peer.receive()).toMatchObject({ method: "first" });
  expect(await peer.expect({ method: "second" })).toEqual({ jsonrpc: "2.0", method: "second" });
  await peer.silence(5);
  await peer.close();
  expect(await peer.closed).toBeUndefined();
  await expect(peer.receive()).rejects.toThrow("the transport has closed");
});
