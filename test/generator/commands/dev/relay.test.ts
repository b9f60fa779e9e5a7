import { describe, expect, test, vi } from "vitest";
import { exists, relayed } from "./raw-server.js";

describe("a restart", () => {
  test("opens the session again and notifies the host of changed lists", async () => {
    const { open, ask, edit, message, send } = relayed();
    await open();
    await ask("logging/setLevel", { level: "debug" });
    await ask("resources/subscribe", { uri: "test://a" });
    await ask("resources/subscribe", { uri: "test://b" });
    await ask("resources/unsubscribe", { uri: "test://b" });
    const before = await ask("tools/call", { name: "t" });
    expect(before["result"]).toMatchObject({ content: [{ text: "1" }] });
    edit({ version: "2" });
    expect(await message(({ method }) => method === "notifications/tools/list_changed")).toEqual({
      jsonrpc: "2.0",
      method: "notifications/tools/list_changed",
    });
    await message(({ method, params }) => method === "notifications/resources/updated" && isFor("test://a", params));
    const after = await ask("tools/call", { name: "t" });
    expect(after["result"]).toMatchObject({
      content: [{ text: "2" }],
      seen: ["initialize", "notifications/initialized", "logging/setLevel", "resources/subscribe", "tools/call"],
    });
    send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
  });

  test("requests that arrive meanwhile wait for it", async () => {
    const { open, ask, edit } = relayed();
    await open();
    edit({ version: "2" });
    const response = await ask("tools/call", { name: "t" });
    expect(response["result"]).toMatchObject({ content: [{ text: "2" }] });
  });

  test("requests in flight end with the reason, and those of the server are cancelled", async () => {
    const slow = `if (m.method === "tools/call") return send({ id: 1, method: "roots/list" });`;
    const { open, send, edit, message, ask } = relayed({ each: slow });
    await open();
    send({ jsonrpc: "2.0", id: "call", method: "tools/call", params: { name: "t" } });
    await message(({ method }) => method === "roots/list");
    edit({ each: `${slow} if (m.result) return send({ method: "test/answered", params: m });` });
    expect(await message(({ id }) => id === "call")).toEqual({
      jsonrpc: "2.0",
      id: "call",
      error: {
        code: -32603,
        message: "The server was restarted because server.mjs changed; send the request again",
      },
    });
    const cancelled = await message(({ method }) => method === "notifications/cancelled");
    expect(cancelled["params"]).toMatchObject({ requestId: 1 });
    // The new process uses the id of the old one, which the host has not answered yet.
    send({ jsonrpc: "2.0", id: "again", method: "tools/call", params: { name: "t" } });
    const asked = await message(({ method }) => method === "roots/list");
    expect(asked["id"]).not.toBe(1);
    send({ jsonrpc: "2.0", id: 1, result: { roots: ["old"] } });
    send({ jsonrpc: "2.0", id: asked["id"], result: { roots: ["new"] } });
    const answered = await message(({ method }) => method === "test/answered");
    expect(answered["params"]).toEqual({ jsonrpc: "2.0", id: 1, result: { roots: ["new"] } });
    expect((await ask("ping"))["result"]).toEqual({});
  });

  test("the handshake of the host survives it", async () => {
    const { send, edit, message } = relayed({ each: "return;" });
    send({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-06-18" } });
    edit({});
    const { result } = await message(({ id }) => id === 0);
    expect(result).toEqual({ protocolVersion: "2025-06-18", capabilities: { tools: { listChanged: true } } });
  });

  test("of many, the last one wins, and no process is left", async () => {
    const { open, edit, ask, events, relay } = relayed({ first: slowStart });
    await open();
    for (let version = 2; version <= 20; version++) edit({ version: String(version), first: slowStart });
    const response = await ask("tools/call", { name: "t" });
    expect(response["result"]).toMatchObject({ content: [{ text: "20" }] });
    const started = events.filter((one) => one.kind === "server-started");
    expect(started.length).toBeLessThan(5);
    await relay.close();
    expect(started.map(({ pid }) => exists(pid))).toEqual(started.map(() => false));
  });

  test("capabilities that the host cannot know are noted once", async () => {
    const { open, edit, event, events, message } = relayed();
    await open();
    for (const version of ["2", "3"]) {
      edit({ version, capabilities: { tools: {}, prompts: {} } });
      await message(({ method }) => method === "notifications/tools/list_changed");
      if (version === "2") expect((await event("note")).text).toContain("new: prompts");
    }
    expect(events.filter(({ kind }) => kind === "note")).toHaveLength(1);
  });

  test("another revision than the host has agreed on is an error", async () => {
    const { open, edit, ask } = relayed();
    await open("2025-06-18");
    edit({ each: `if (m.method === "initialize") return answer({ protocolVersion: "2024-11-05", capabilities });` });
    const { error } = await ask("ping");
    expect(error).toMatchObject({ message: expect.stringContaining("reconnect the host") as string });
  });
});

describe("the stateless era", () => {
  const meta = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
  const listen = (id: number, notifications: object): object => ({
    jsonrpc: "2.0",
    id,
    method: "subscriptions/listen",
    params: { ...meta, notifications },
  });
  const granting = `if (m.method === "subscriptions/listen") return send({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { resourceSubscriptions: m.params.notifications.resourceSubscriptions }, _meta: { "io.modelcontextprotocol/subscriptionId": m.id } },
  });`;

  test("subscription streams are opened again, and notified", async () => {
    const { send, edit, message, ask, received } = relayed({ each: granting });
    await ask("server/discover", meta);
    send(listen(100, { toolsListChanged: true, resourceSubscriptions: ["test://a"] }));
    const acknowledged = await message(({ method }) => method === "notifications/subscriptions/acknowledged");
    expect(acknowledged["params"]).toMatchObject({
      notifications: { toolsListChanged: true, resourceSubscriptions: ["test://a"] },
    });
    edit({ each: granting, version: "2" });
    const changed = await message(({ method }) => method === "notifications/tools/list_changed");
    expect(changed["params"]).toEqual({ _meta: { "io.modelcontextprotocol/subscriptionId": 100 } });
    const { result } = await ask("tools/call", { ...meta, name: "t" });
    expect(result).toMatchObject({ seen: ["server/discover", "subscriptions/listen", "tools/call"] });
    const acknowledgements = received.filter((one) => JSON.stringify(one).includes("acknowledged"));
    expect(acknowledgements).toHaveLength(1);
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 100 } });
    edit({ each: granting, version: "3" });
    expect((await ask("tools/call", { ...meta, name: "t" }))["result"]).toMatchObject({
      seen: ["server/discover", "tools/call"],
    });
  });

  test("the relay serves the stream of a server without subscriptions", async () => {
    const refusing = `if (m.method === "subscriptions/listen") return send({ id: m.id, error: { code: -32601, message: "no" } });`;
    const { send, edit, message } = relayed({ each: refusing });
    send(listen(7, { toolsListChanged: true }));
    await message(({ method }) => method === "notifications/subscriptions/acknowledged");
    edit({ each: refusing });
    await message(({ method }) => method === "notifications/tools/list_changed");
  });
});

describe("a server that fails", () => {
  test("at its start: requests get the reason at once, and the next edit starts it again", async () => {
    const { ask, edit, event, open } = relayed(`throw new Error("no database")`);
    const { reason, startsAtNextRequest } = await event("server-failed");
    expect(reason).toContain("exited with code 1");
    expect(startsAtNextRequest).toBe(false);
    const { error } = await ask("ping");
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("no database") as string });
    edit({});
    expect((await open())["result"]).toMatchObject({ capabilities: { tools: { listChanged: true } } });
  });

  test("later: the request in flight ends with the reason, and the next one starts it again", async () => {
    const { open, ask, event } = relayed({
      each: `if (m.method === "resources/read") { console.error("boom"); process.exit(3); }`,
    });
    await open();
    const { error } = await ask("resources/read", { uri: "test://a" });
    expect(error).toMatchObject({ message: "The server exited with code 3: boom" });
    expect((await event("server-failed")).startsAtNextRequest).toBe(true);
    const { result } = await ask("tools/call", { name: "t" });
    expect(result).toMatchObject({ seen: ["initialize", "notifications/initialized", "tools/call"] });
  });

  test("by not answering the handshake: at the first start and after an edit", async () => {
    const startTimeoutMs = 4_000;
    const reason = "The server has not answered initialize for 4 s; it must serve stdio";
    const first = relayed({ each: "return;" }, { startTimeoutMs });
    const later = relayed({}, { startTimeoutMs });
    const asked = first.ask("initialize", { protocolVersion: "2025-11-25" });
    await later.open();
    later.edit({ each: "return;" });
    expect((await later.ask("ping"))["error"]).toMatchObject({ message: reason });
    expect((await asked)["error"]).toMatchObject({ message: reason });
    later.edit({});
    expect((await later.ask("ping"))["result"]).toEqual({});
  });

  test("by printing to standard output: the line is reported and does not reach the host", async () => {
    const { open, event, received } = relayed({
      first: `console.log("starting"); console.log('{"port": 3000}'); console.log(42);`,
    });
    await open();
    expect((await event("stdout-noise")).line).toBe("starting");
    expect(received).toHaveLength(1);
  });

  test("by leaving children and ignoring SIGTERM: none of its processes is left", async () => {
    const stubborn = `
      import { spawn } from "node:child_process";
      process.on("SIGTERM", () => undefined);
      setInterval(() => undefined, 1_000);
      const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => 0); setInterval(() => 0, 1000); console.log('up')"]);
      child.stdout.once("data", () => console.error("child " + child.pid));`;
    const { open, event, edit, events, relay } = relayed({ first: stubborn });
    await open();
    await event("stderr");
    edit({ first: stubborn });
    await event("stderr");
    await relay.close();
    const children = events.flatMap((one) => (one.kind === "stderr" ? [Number(one.line.split(" ")[1])] : []));
    const servers = events.flatMap((one) => (one.kind === "server-started" ? [one.pid] : []));
    expect([children.length, servers.length]).toEqual([2, 2]);
    await vi.waitFor(() => expect([...children, ...servers].filter(exists)).toEqual([]));
  });

  test("because its program does not exist", async () => {
    const { ask } = relayed({}, { command: () => ({ command: "/nonexistent/program", args: [] }) });
    const { error } = await ask("ping");
    expect(error).toMatchObject({ message: expect.stringContaining("cannot be started") as string });
  });
});

describe("messages", () => {
  test("pass as they are, with unknown members, in batches too", async () => {
    const echo = `if (Array.isArray(m)) return process.stdout.write(JSON.stringify(m.map((one) => ({ jsonrpc: "2.0", id: one.id, result: one }))) + "\\n");`;
    const { open, send, received, edit, event } = relayed({ each: echo });
    await open("2025-03-26");
    const batch = [1, 2].map((id) => ({ jsonrpc: "2.0", id: `b${id}`, method: "ping", extra: { deep: [null] } }));
    send(batch);
    const wanted = batch.map((one) => ({ jsonrpc: "2.0", id: one.id, result: one }));
    await vi.waitFor(() => expect(received).toContainEqual(wanted));
    edit({ each: `if (Array.isArray(m)) return console.error("has it");` });
    send(batch);
    await event("stderr");
    edit({});
    await vi.waitFor(() => expect(received.filter(Array.isArray)).toHaveLength(2));
    const errors = received.filter(Array.isArray).at(-1) as readonly object[];
    expect(errors.map((one) => ["id" in one && one.id, "error" in one])).toEqual([
      ["b1", true],
      ["b2", true],
    ]);
  });

  test("are reported with direction, origin and duration", async () => {
    const { open, events } = relayed();
    await open();
    const messages = events.flatMap((one) => (one.kind === "message" ? [one] : []));
    expect(messages.map(({ direction, origin }) => [direction, origin])).toEqual([
      ["to-server", "host"],
      ["to-host", "server"],
      ["to-server", "host"],
    ]);
    expect(messages[1]?.durationMs).toBeGreaterThan(0);
  });

  test("that only the relay and the server see are marked", async () => {
    const { open, edit, ask, events } = relayed();
    await open();
    edit({});
    await ask("ping");
    const hidden = events.flatMap((one) => (one.kind === "message" && one.isHidden ? [one] : []));
    expect(hidden.map(({ direction, message }) => [direction, (message as { method?: string }).method])).toEqual([
      ["to-server", "initialize"],
      ["to-host", undefined],
      ["to-server", "notifications/initialized"],
    ]);
  });

  test("that the server still sends when the host has left reach it", async () => {
    const { open, send, connection, received } = relayed({
      each: `if (m.method === "tools/call") return void setTimeout(() => answer({ late: true }), 100);`,
      first: `process.stdin.on("end", () => setTimeout(() => process.exit(0), 300));`,
    });
    await open();
    send({ jsonrpc: "2.0", id: "late", method: "tools/call", params: {} });
    await connection.finish();
    expect(received.at(-1)).toEqual({ jsonrpc: "2.0", id: "late", result: { late: true } });
  });
});

const slowStart = `await new Promise((resolve) => setTimeout(resolve, 200));`;

function isFor(uri: string, params: unknown): boolean {
  return (params as { readonly uri?: unknown }).uri === uri;
}
