import { clientSides } from "@mcpwright/protocol/client-sides";
import { conversions } from "@mcpwright/protocol/conversions";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { expect, onTestFinished, test } from "vitest";
import { Client } from "../../runtime/src/client/core.js";
import { McpServer } from "../../runtime/src/server/core.js";
import { Recorder } from "../../runtime/src/testing.js";
import { reach, reachByEvents, recordedFetch, requestCount } from "./http.js";
import { R1, R2, R3, R4, R5, stateless } from "./messages.js";
import { serve, type Served, type SharedOptions } from "./nodes.js";
import { object, text } from "./servers/setup.js";

const crowd = [
  ...Array.from({ length: 30 }, (_, at) => [R2, R3, R4][at % 3] ?? R4),
  ...Array.from({ length: 5 }, () => R1),
  ...Array.from({ length: 30 }, () => R5),
];
const rounds = 3;

/** Returns the name of its caller, after a delay that differs between calls. */
function echo(shared: SharedOptions): McpServer {
  const server = new McpServer({ name: "echo", version: "1" }, { revisions: serverSides, conversions, ...shared });
  const whose = object({ who: "string", number: "number" });
  let calls = 0;
  server.registerTool("say", { inputSchema: whose }, async ({ who, number }, ctx) => {
    ctx.progress({ progress: 1, message: who });
    await new Promise((resolve) => setTimeout(resolve, (calls++ * 7) % 20));
    return text(`${who} ${number}`);
  });
  server.registerTool("ask", { inputSchema: whose }, async ({ who, number }, ctx) => {
    const { content } = await ctx.elicit("name", {
      message: who,
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    });
    return text(`${who} ${number} ${String(content?.["name"])}`);
  });
  server.registerTool("hold", {}, async ({ signal }) => {
    await new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
    return text("never");
  });
  return server;
}

/** One of many clients. Its requests have the ids 1, 2, 3 … like those of the others. */
async function comes(served: Served, revision: string, number: number, stray: string | undefined) {
  const who = `${revision} #${number}`;
  const recorder = new Recorder();
  const errors: Error[] = [];
  const asked: string[] = [];
  let changes = 0;
  const recorded = recordedFetch();
  const client = new Client(
    { name: who, version: "1" },
    {
      revisions: clientSides.filter((side) => side.revision === revision),
      conversions,
      capabilities: revision >= R3 ? { elicitation: {} } : {},
      trace: recorder.trace,
      // HTTP+SSE is deprecated, but must work.
      onerror: (error) => {
        if ((error as { code?: unknown }).code !== "DEPRECATED") errors.push(error);
      },
    },
  );
  if (revision >= R3)
    client.setRequestHandler("elicitation/create", ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { name: who } };
    });
  client.onChanged("tools", () => changes++);
  // The server ignores the session header of a client of the stateless era.
  const headers: Record<string, string> = stray === undefined ? {} : { "mcp-session-id": stray };
  const options = { fetch: recorded.fetch, requestInit: { headers } };
  const transport = revision === R1 ? reachByEvents(served, options) : reach(served, options);
  onTestFinished(() => client.close());
  await client.connect(transport);
  const textOf = async (name: string, number: number, heard: unknown[] = []): Promise<unknown> => {
    const { content } = await client.callTool(
      { name, arguments: { who, number } },
      { onProgress: ({ message }) => void heard.push(message) },
    );
    return (content[0] as { text?: string }).text;
  };
  return {
    who,
    revision,
    client,
    errors,
    asked,
    recorder,
    exchanged: recorded.exchanged,
    sessionId: "sessionId" in transport ? transport.sessionId : undefined,
    changes: () => changes,
    /** Makes calls of all kinds at once. */
    async talk(): Promise<void> {
      for (let round = 0; round < rounds; round++) {
        const heard: unknown[] = [];
        const leaves = client.callTool({ name: "hold" }, { signal: AbortSignal.timeout(5 + number) });
        const [said, again, answered] = await Promise.all([
          textOf("say", round, heard),
          textOf("say", -round, heard),
          revision >= R3 ? textOf("ask", round) : undefined,
          expect(leaves).rejects.toMatchObject({ name: "TimeoutError" }),
        ]);
        expect([said, again]).toEqual([`${who} ${round}`, `${who} ${-round}`]);
        if (revision >= R3) expect(answered).toBe(`${who} ${round} ${who}`);
        expect(heard).toEqual([who, who]);
      }
    },
  };
}

/** Posts a batch in the given session. */
async function batch(served: Served, sessionId: string | undefined, version: string, messages: unknown) {
  const response = await fetch(served.url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
      ...(version >= R3 && { "mcp-protocol-version": version }),
    },
    body: JSON.stringify(messages),
  });
  return { status: response.status, answer: await response.json() };
}

test("clients of every revision at one URL do not affect each other", { timeout: 180_000 }, async () => {
  const served = await serve(echo);
  const { nodes } = served;
  const first = await comes(served, R4, 0, undefined);
  const everybody = [
    first,
    ...(await Promise.all(
      crowd.map((revision, at) => comes(served, revision, at + 1, revision === R5 ? first.sessionId : undefined)),
    )),
  ];

  const pings = [1, 2].map((id) => ({ jsonrpc: "2.0", id: `batch ${id}`, method: "ping" }));
  const talks = everybody.map((one) => one.talk());
  const changing = setInterval(() => nodes[0]?.server.sendToolListChanged(), 20);
  for (const { revision, sessionId } of everybody.filter((one) => one.sessionId !== undefined)) {
    const { status, answer } = await batch(served, sessionId, revision, pings);
    if (revision === R2) {
      expect(status).toBe(200);
      expect(answer).toEqual(pings.map(({ id }) => ({ jsonrpc: "2.0", id, result: {} })));
    } else expect([status, answer]).toMatchObject([400, { error: { code: -32600 } }]);
  }
  expect((await batch(served, undefined, R5, [stateless(1, "tools/list")])).status).toBe(400);
  await Promise.all(talks);
  clearInterval(changing);
  nodes[0]?.server.sendToolListChanged();

  for (const { who, revision, errors, asked, recorder, exchanged, changes } of everybody) {
    await expect.poll(changes, { message: who, timeout: 20_000 }).toBeGreaterThan(0);
    expect(errors, who).toEqual([]);
    expect(asked, who).toEqual(revision >= R3 ? Array.from({ length: rounds }, () => who) : []);
    const ids = recorder.find("out", "tools/call").map((message) => (message as { id: unknown }).id);
    expect(ids.every((id) => typeof id === "number" && id < 100)).toBe(true);
    const named = exchanged.filter(({ sessionId }) => sessionId !== null).length;
    expect(named, who).toBe(revision === R5 || revision === R1 ? 0 : 1);
  }
  expect(new Set(everybody.flatMap(({ sessionId }) => sessionId ?? [])).size).toBe(31);

  await Promise.all(everybody.map(({ client }) => client.close()));
  const connections = () => nodes.reduce((sum, { server }) => sum + server.server.connections.size, 0);
  await expect.poll(() => [connections(), requestCount(served)], { timeout: 20_000 }).toEqual([0, 0]);
  const isOpen = (id: string) => nodes.some(({ endpoint }) => endpoint.sessions.get(id) !== undefined);
  expect(everybody.filter(({ sessionId }) => isOpen(sessionId ?? ""))).toEqual([]);
});
