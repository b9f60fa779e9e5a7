/** Changes of a server at one node reach the clients of all nodes. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { McpServer } from "../../../runtime/src/server.js";
import { connect, eras, type Revision } from "../api/pair.js";

const uri = "file:///note";

/** A server at a node of its own. */
function nodeWith(backplane: MemoryBackplane, name = "shared") {
  const errors: Error[] = [];
  const server = new McpServer(
    { name, version: "1.0.0" },
    {
      backplane,
      capabilities: { resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } },
      onerror: (error) => errors.push(error),
    },
  );
  server.registerTool("quiet", {}, () => ({ content: [] }));
  server.registerResource("note", uri, {}, () => ({ contents: [{ uri, text: "" }] }));
  onTestFinished(() => server.close(0));
  return { server, errors };
}

/** A client of a node that listens for all changes. */
async function listen(server: McpServer, revision: Revision) {
  const received: string[] = [];
  const { client } = await connect(server, revision);
  for (const kind of ["tools", "resources"] as const) client.onChanged(kind, () => received.push(kind));
  await client.subscribeResource({ uri }, () => received.push(uri));
  return received;
}

/** Long enough for a message that should not arrive. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe.each(eras)("%s", (revision) => {
  test("each client is notified once of a change at any node", async () => {
    const backplane = new MemoryBackplane();
    const [a, b, c] = [nodeWith(backplane), nodeWith(backplane), nodeWith(backplane)];
    await settle();
    const received = await Promise.all([a, b, c].map(({ server }) => listen(server, revision)));
    await settle();
    received.forEach((one) => one.splice(0));
    a.server.sendToolListChanged();
    await vi.waitFor(() => expect(received).toEqual([["tools"], ["tools"], ["tools"]]));
    b.server.sendResourceUpdated({ uri });
    b.server.sendResourceUpdated({ uri });
    c.server.sendResourceListChanged();
    await vi.waitFor(() => {
      for (const one of received) expect([...one].sort()).toEqual([uri, "resources", "tools"]);
    });
    await settle();
    expect(received.map(({ length }) => length)).toEqual([3, 3, 3]);
    expect([a, b, c].flatMap(({ errors }) => errors)).toEqual([]);
  });

  test("clients of servers with other names, and without the backplane, are not notified", async () => {
    const backplane = new MemoryBackplane();
    const [a, other, alone] = [nodeWith(backplane), nodeWith(backplane, "other"), nodeWith(new MemoryBackplane())];
    const received = await Promise.all([other, alone].map(({ server }) => listen(server, revision)));
    await settle();
    received.forEach((one) => one.splice(0));
    a.server.sendToolListChanged();
    a.server.sendResourceUpdated({ uri });
    await settle();
    expect(received).toEqual([[], []]);
  });
});

test("a closed server follows no changes, and its node is free", async () => {
  const backplane = new MemoryBackplane();
  const subscribe = vi.spyOn(backplane, "subscribe");
  const { server } = nodeWith(backplane);
  await settle();
  // Hosts such as workerd provide neither random numbers nor timers before the first request.
  expect(subscribe).not.toHaveBeenCalled();
  await connect(server, "2026-07-28");
  const channels = (): unknown[] => subscribe.mock.calls.map(([channel]) => channel.split(":")[0]).sort();
  await vi.waitFor(() => expect(channels()).toEqual(["changes", "inbox"]));
  await server.close(0);
  const { server: other } = nodeWith(backplane);
  await connect(other, "2026-07-28");
  const read = vi.spyOn(backplane, "read");
  await settle();
  read.mockClear();
  other.sendToolListChanged();
  await vi.waitFor(() => expect(read).toHaveBeenCalled());
  await settle();
  // Only the open server reads its own entry.
  expect(read.mock.calls.length).toBe(1);
});

test("a backplane that is away at the start is followed when it is back; what happened meanwhile is not lost", async () => {
  const backplane = new MemoryBackplane();
  const away = vi.spyOn(backplane, "subscribe").mockImplementation(() => {
    throw new Error("away");
  });
  const a = nodeWith(backplane);
  const received = await listen(a.server, "2026-07-28");
  await vi.waitFor(() => expect(a.errors.map(({ message }) => message)).toContain("away"));
  await settle();
  received.splice(0);
  away.mockRestore();
  const b = nodeWith(backplane);
  b.server.sendResourceUpdated({ uri });
  await vi.waitFor(() => expect(received).toContain(uri), 5_000);
});

test("a change that cannot be published is reported, and the clients of the node are notified", async () => {
  const backplane = new MemoryBackplane();
  const { server, errors } = nodeWith(backplane);
  const received = await listen(server, "2026-07-28");
  await settle();
  received.splice(0);
  vi.spyOn(backplane, "append").mockImplementation(() => {
    throw new Error("full");
  });
  server.sendResourceUpdated({ uri });
  await vi.waitFor(() => expect([received, errors.map(({ message }) => message)]).toEqual([[uri], ["full"]]));
});

test("after a gap, every list may have changed", async () => {
  const backplane = new MemoryBackplane();
  const { server, errors } = nodeWith(backplane);
  const received = await listen(server, "2026-07-28");
  server.sendPromptListChanged();
  await settle();
  received.splice(0);
  backplane.drop("changes:shared");
  backplane.append("changes:shared", JSON.stringify({ kind: "resources", uri, node: "another" }), {
    ttlMs: 1_000,
    maxEntries: 10,
  });
  backplane.append("changes:shared", "nonsense", { ttlMs: 1_000, maxEntries: 10 });
  backplane.append("changes:shared", JSON.stringify({ kind: "tools", node: "another" }), {
    ttlMs: 1_000,
    maxEntries: 10,
  });
  await vi.waitFor(() => expect([...new Set(received)].sort()).toEqual([uri, "resources", "tools"]));
  expect(errors).toHaveLength(1);
});
