/** Handshake sessions with values and messages of other versions of the package, of other servers, and of other programs. */
import { describe, expect, test, vi } from "vitest";
import { request } from "../http-server/messages.js";
import { HookedBackplane } from "./hooked-backplane.js";
import { eventsOf, nextMessage, type Node, Raw, startNode, startNodes, uri } from "./session-nodes.js";

const ping = (raw: Raw, node: Node): Promise<Response> => raw.send(node, "POST", request(1, "ping"));
const bounds = { ttlMs: 60_000, maxEntries: 100 };

async function start() {
  const backplane = new HookedBackplane();
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  const key = `session:${raw.id}`;
  const read = async (): Promise<string> => (await backplane.get(key))?.text ?? "";
  /** Writes the record as another program would. */
  const overwrite = async (text: string): Promise<void> => {
    await backplane.set(key, text, { ttlMs: 60_000 });
  };
  return { backplane, a, b, raw, read, overwrite };
}

describe("a record", () => {
  test("that a later version has given more members keeps them when this one changes it", async () => {
    const { b, raw, read, overwrite } = await start();
    await overwrite(JSON.stringify({ ...(JSON.parse(await read()) as object), mood: { of: "later" } }));
    expect((await raw.send(b, "POST", request(1, "resources/subscribe", { uri }))).status).toBe(200);
    expect(JSON.parse(await read())).toMatchObject({ mood: { of: "later" }, subscriptions: [uri] });
  });

  test("of a later format is left to the nodes of that version", async () => {
    const { a, b, raw, read, overwrite } = await start();
    const later = JSON.stringify({ ...(JSON.parse(await read()) as object), format: 2 });
    await overwrite(later);
    for (const node of [a, b]) {
      const response = await ping(raw, node);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(node.errors.map(({ message }) => message)).toEqual([
        `session ${raw.id} was opened by a later version, whose nodes can serve it`,
      ]);
    }
    expect(await read()).toBe(later);
  });

  test.each<readonly [string, (record: Record<string, unknown>) => unknown]>([
    ["of an earlier format", (record) => ({ ...record, format: 0 })],
    ["without a format", (record) => ({ ...record, format: undefined })],
    ["without its subscriptions", (record) => ({ ...record, subscriptions: undefined })],
    ["with the capabilities of another form", (record) => ({ ...record, capabilities: "all" })],
    ["that is a text", () => "theirs"],
    ["that is null", () => null],
  ])("%s is reported, and not replaced: the client opens a new session", async (_, change) => {
    const { a, b, raw, read, overwrite } = await start();
    const theirs = JSON.stringify(change(JSON.parse(await read()) as Record<string, unknown>));
    await overwrite(theirs);
    for (const node of [a, b]) {
      expect((await ping(raw, node)).status).toBe(404);
      expect(node.errors.map(({ message }) => message)).toEqual([
        `session ${raw.id} was not written by mcpwright; if another program uses the same keys, choose another prefix`,
      ]);
    }
    expect(await read()).toBe(theirs);
    expect((await ping(await new Raw().open(b), a)).status).toBe(200);
  });

  test("of a server with another name is not found", async () => {
    const { backplane, a, raw } = await start();
    const other = startNode(backplane, "other", {}, "billing");
    expect((await ping(raw, other)).status).toBe(404);
    expect((await raw.send(other, "DELETE")).status).toBe(404);
    expect((await ping(raw, a)).status).toBe(200);
  });
});

test("ids that no session can have cost no call to the backplane", async () => {
  const { backplane, b, raw } = await start();
  const calls: string[] = [];
  backplane.before = (call, name) => void calls.push(`${call} ${name}`);
  const ids = [
    "x",
    "",
    "session:1",
    "../etc",
    "*",
    raw.id.toUpperCase(),
    `${raw.id}0`,
    `a:${raw.id}`,
    "x".repeat(50_000),
  ];
  for (const id of ids) {
    const named = new Raw();
    const headers = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
    for (const [method, body] of [["POST", request(1, "ping")], ["GET"], ["DELETE"]] as const)
      expect((await named.send(b, method, body, headers)).status).toBe(404);
  }
  expect(calls.filter((call) => !call.includes("node:"))).toEqual([]);
});

test("entries of other programs and of later versions in the logs of nodes disturb no others", async () => {
  const { backplane, a, b, raw } = await start();
  const events = eventsOf(await raw.send(b, "GET"));
  const theirs = ["not JSON", "7", "null", "[]", "{}", '{"type":"dance","session":1}', '{"kind":"moods","node":"x"}'];
  for (const log of ["changes:nodes", "sessions:nodes"])
    for (const text of theirs) await backplane.append(log, text, bounds);
  a.server.sendToolListChanged();
  expect((await nextMessage(events)).data).toContain("tools/list_changed");
  // A stream that is opened later reads the changes from the log.
  await raw.send(a, "POST", request(2, "resources/subscribe", { uri }));
  a.server.sendResourceUpdated({ uri });
  expect((await nextMessage(events)).data).toContain("resources/updated");
  const later = eventsOf(await raw.send(a, "GET"));
  b.server.sendResourceListChanged();
  expect((await nextMessage(later)).data).toContain("resources/list_changed");
  expect((await raw.send(a, "DELETE")).status).toBe(200);
  await vi.waitFor(async () => expect((await ping(raw, b)).status).toBe(404));
  const programs = ["changes:nodes", "sessions:nodes"].flatMap((log) => Array<string>(4).fill(log));
  for (const { errors } of [a, b])
    expect(errors.map(({ message }) => message).sort()).toEqual(
      programs.map((log) => `log ${log} has an entry of another program; choose another prefix for one of the two`),
    );
});
