/** Nodes of one server that should be equal, and are not. */
import { expect, onTestFinished, test } from "vitest";
import { type Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import { McpServer } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { initialize } from "../http-server/messages.js";
import { HookedBackplane } from "./hooked-backplane.js";

interface Parts {
  readonly tools?: Readonly<Record<string, string>>;
  readonly keys?: readonly (readonly [id: string, byte: number])[];
}

/** Starts a node, and returns what it reports. */
async function start(backplane: Backplane, { tools = { add: "Adds" }, keys = [["k", 7]] }: Parts): Promise<string[]> {
  const reported: string[] = [];
  const server = new McpServer(
    { name: "nodes", version: "1.0.0" },
    {
      backplane,
      stateKeys: keys.map(([id, byte]) => ({ id, key: new Uint8Array(32).fill(byte) })),
      onerror: ({ message }) => reported.push(message),
    },
  );
  for (const [name, description] of Object.entries(tools))
    server.registerTool(name, { description }, () => ({ content: [] }));
  const handler = createMcpHandler(server);
  onTestFinished(async () => {
    await handler.close(0);
    await server.close(0);
  });
  for (let times = 0; times < 3; times++) {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const init = { method: "POST", headers, body: JSON.stringify(initialize("2025-11-25")) };
    await (await handler.fetch(new Request("http://localhost/mcp", init))).text();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return reported;
}

const expected = "deploy the same version to all nodes; during an update, this is expected";

test.each<readonly [string, Parts, Parts, readonly string[]]>([
  ["equal nodes", {}, {}, []],
  ["nodes without tools and keys of their own", { tools: {} }, { tools: {} }, []],
  [
    "other tools",
    { tools: { add: "Adds", old: "Old", mend: "Mends" } },
    { tools: { add: "Adds", later: "Later", mend: "Repairs" } },
    [
      "this node has other tools than the node that started before it " +
        `(only here: later; only there: old; with another definition: mend): ${expected}`,
    ],
  ],
  [
    "other keys",
    { keys: [["k", 1]] },
    { keys: [["k", 2]] },
    [
      "stateKeys differ from those of the node that started before this one: nodes cannot open each other's requestState; " +
        "pass the same keys to all nodes",
    ],
  ],
  [
    "a new key that the others do not know yet",
    { keys: [["a", 1]] },
    {
      keys: [
        ["b", 2],
        ["a", 1],
      ],
    },
    [expect.stringContaining("stateKeys differ") as string],
  ],
  [
    "keys that are replaced in the documented order",
    {
      keys: [
        ["a", 1],
        ["b", 2],
      ],
    },
    {
      keys: [
        ["b", 2],
        ["a", 1],
      ],
    },
    [],
  ],
])("%s", async (_, first, second, reports) => {
  const backplane = new MemoryBackplane();
  expect(await start(backplane, first)).toEqual([]);
  expect(await start(backplane, second)).toEqual(reports);
  // Said once: the next node is like the second one.
  expect(await start(backplane, second)).toEqual([]);
});

test("what is kept shows no key, and what another program wrote is replaced", async () => {
  const backplane = new MemoryBackplane();
  backplane.set("nodes:nodes", "theirs", { ttlMs: 60_000 });
  expect(await start(backplane, {})).toEqual([]);
  const { text } = backplane.get("nodes:nodes") ?? { text: "" };
  const bytes = Buffer.alloc(32, 7);
  for (const secret of [bytes.toString("base64"), bytes.toString("hex"), String(new Uint8Array(bytes))])
    expect(text).not.toContain(secret);
  expect(JSON.parse(text)).toEqual({
    tools: { add: expect.any(String) as string },
    keys: [expect.stringMatching(/^[0-9a-f]{16}$/)],
  });
});

test("a node goes on when it cannot be compared", async () => {
  const backplane = new HookedBackplane((call, name) => {
    if (name.startsWith("nodes:")) throw new Error("the backplane is gone");
  });
  expect(await start(backplane, {})).toEqual(["the backplane is gone"]);
});
