import { clientSides } from "@mcpwright/protocol/client-sides";
import { conversions } from "@mcpwright/protocol/conversions";
import { describe, expect, onTestFinished, test } from "vitest";
import { validateConversation } from "../../../../generator/commands/validate/validate-conversation.js";
import { Client } from "../../../../runtime/src/client/core.js";
import { InMemoryTransport } from "../../../../runtime/src/transport/in-memory.js";
import { Recorder } from "../../../../runtime/src/testing.js";
import { http } from "../../../conversations/transports.js";
import { everyRevision } from "../../../conversations/messages.js";
import { type ServerName, servers } from "../../../conversations/servers/index.js";
import { bytesOf, shown } from "./record.js";

/** Our client, on which both ends of the wire are recorded. */
async function connected(name: ServerName, revision: string, carrier: "in memory" | "HTTP", revisions = [revision]) {
  const [ours, theirs] = [new Recorder(), new Recorder("server")];
  const client = new Client(
    { name: "recorded", version: "1" },
    {
      revisions: clientSides.filter((side) => revisions.includes(side.revision)),
      conversions,
      capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: { listChanged: true } },
      trace: ours.trace,
    },
  );
  onTestFinished(() => client.close());
  client.setRequestHandler("elicitation/create", ({ mode }) =>
    mode === "url" ? { action: "decline" } : { action: "accept", content: { name: "Ada" } },
  );
  client.setRequestHandler("sampling/createMessage", () => ({
    model: "none",
    role: "assistant",
    content: { type: "text", text: "3" },
  }));
  client.addRoot({ uri: "file:///somewhere" });
  const setup = { revisions: [revision], options: { trace: theirs.trace } };
  if (carrier === "HTTP") await client.connect(await http.server(name, setup));
  else {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = servers[name](setup);
    await server.connect(far);
    onTestFinished(() => server.close(0));
    await client.connect(near);
  }
  return { client, ours, theirs };
}

const runs = {
  async calculator(client: Client) {
    await client.listTools();
    await client.callTool({ name: "calculate_sum", arguments: { a: 1, b: 2 } });
    await client.callTool({ name: "ai-calculator", arguments: { question: "1 + 2" } });
    await client.callTool({ name: "no such tool" }).catch(() => undefined);
  },
  async desk(client: Client) {
    await client.callTool({ name: "asks-before", arguments: { item: "tea" } });
    await client.callTool({ name: "waits", arguments: { item: "tea" } });
    client.addRoot({ uri: "file:///elsewhere" });
  },
  async library(client: Client) {
    const stop = client.onChanged("tools", () => undefined);
    await client.listResources();
    await client.listResourceTemplates();
    const heard = new Promise((resolve) => void client.subscribeResource({ uri: main }, resolve));
    await client.readResource({ uri: main });
    await client.listPrompts();
    await client.callTool({ name: "edit", arguments: { text: "new" } });
    await client.callTool({ name: "change-lists" });
    await client.callTool({ name: "edit", arguments: { text: "newer" } });
    await heard;
    stop();
    await client.unsubscribeResource({ uri: main });
  },
  async workshop(client: Client) {
    const cancelled = new AbortController();
    const { signal } = cancelled;
    const held = client.callTool({ name: "hold", arguments: { name: "a" } }, { signal }).catch(() => undefined);
    const stepped = new Promise<void>((resolve) => {
      const onProgress = ({ progress }: { progress: number }): void => {
        if (progress === 0.6) resolve();
      };
      void client.callTool({ name: "steps", arguments: { name: "b" } }, { onProgress });
    });
    await stepped;
    await client.callTool({ name: "release", arguments: { name: "b" } });
    cancelled.abort();
    await held;
    await client.callTool({ name: "log" });
    await client.listTools();
  },
} satisfies Partial<Record<ServerName, (client: Client) => Promise<unknown>>>;

const main = "file:///project/src/main.rs";

describe.each(everyRevision)("%s", (revision) => {
  describe.each(["in memory", "HTTP"] as const)("%s", (carrier) => {
    test.each(Object.keys(runs) as (keyof typeof runs)[])("%s", async (name) => {
      const { client, ours, theirs } = await connected(name, revision, carrier);
      await runs[name](client);
      await client.close();
      // Over HTTP, a cancelled request may end with its stream, before the server sends its last messages.
      for (const recorder of carrier === "HTTP" ? [ours] : [ours, theirs]) {
        const report = await validateConversation(bytesOf(recorder.toJSONL(), 4_096), undefined);
        expect(report.revision).toBe(revision);
        expect(report.messages).toBe(recorder.messages.flatMap(({ message }) => message).length);
        expect(shown(report).filter((line) => !line.includes(" note["))).toEqual([]);
      }
    });
  });
});

test("a client that asks in the newest revision, and goes on in an older one", async () => {
  const { client, ours } = await connected("calculator", "2025-06-18", "in memory", [...everyRevision]);
  await client.listTools();
  await client.close();
  const report = await validateConversation(bytesOf(ours.toJSONL(), 4_096), undefined);
  expect(report.revision).toBe("2025-06-18");
  expect(shown(report)).toEqual([
    '1 note[other-revision] $.params._meta["io.modelcontextprotocol/protocolVersion"]: the request is in "2026-07-28"; neither it nor its answer was looked at',
  ]);
});
