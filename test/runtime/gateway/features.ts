/** What a client of any revision gets from a server of any revision, through a gateway: over channels in memory, and over HTTP. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { Client, ClientOptions } from "../../../runtime/src/client.js";
import { createGateway, type Gateway } from "../../../runtime/src/gateway.js";
import { clientOf, errorOf, type Revision, revisions, settled } from "../api/pair.js";
import { everything, type Everything } from "./everything.js";
import { fetchOf, httpTransport, overHttp } from "./http.js";
import { endOf } from "./in-memory.js";

export type Channel = "memory" | "http";

/** A client, a gateway and a server. */
export interface Pairing {
  readonly down: Revision;
  readonly downBy: Channel;
  readonly up: Revision;
  readonly upBy: Channel;
}

export function pairs(downBy: Channel, upBy: Channel): readonly Pairing[] {
  const served = (channel: Channel): readonly Revision[] =>
    // Streamable HTTP is newer than the first revision.
    channel === "http" ? revisions.filter((one) => one !== "2024-11-05") : revisions;
  return served(downBy).flatMap((down) => served(upBy).map((up) => ({ down, downBy, up, upBy })));
}

const hasElicitation = (revision: Revision): boolean => revision >= "2025-06-18";

interface Setup {
  readonly client: Client;
  readonly gateway: Gateway;
  readonly up: Everything;
  readonly problems: readonly Error[];
}

async function setUp({ down, downBy, up: revision, upBy }: Pairing, options: ClientOptions = {}): Promise<Setup> {
  const up = everything(revision);
  const problems: Error[] = [];
  const servers = { up: upBy === "http" ? overHttp(up.server) : { server: up.server } };
  const gateway = createGateway({ servers, onerror: (error) => problems.push(error) });
  const { client } = clientOf(down, options);
  if (downBy === "http") await client.connect(httpTransport(fetchOf(gateway).fetch));
  else {
    await client.connect(await endOf(gateway));
  }
  onTestFinished(async () => {
    await client.close();
    await gateway.close();
    await up.server.close();
  });
  return { client, gateway, up, problems };
}

export function describeFeatures(pairings: readonly Pairing[]): void {
  describe.each(pairings)("a client of $down by $downBy and a server of $up by $upBy", (pairing) => {
    const { down, up: upRevision } = pairing;
    test("tools: list, structured output, metadata, errors", async () => {
      const { client, up } = await setUp(pairing);
      const { tools } = await client.listTools();
      const add = tools.find(({ name }) => name === "up_add");
      expect(add).toMatchObject({ description: "Adds two numbers" });
      const result = await client.callTool({
        name: "up_add",
        arguments: { a: 1, b: 2 },
        _meta: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "example.com/x": 1 },
      });
      expect(result.content).toEqual([{ type: "text", text: "3" }]);
      if (down >= "2025-06-18" && upRevision >= "2025-06-18") expect(result.structuredContent).toEqual({ sum: 3 });
      expect(up.seen.meta).toMatchObject({
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "example.com/x": 1,
      });
      const unknown = await errorOf(client.callTool({ name: "up_none" }));
      expect(unknown).toMatchObject({ code: -32602, message: "Unknown tool: up_none" });
      expect(await errorOf(client.callTool({ name: "up_refuse" }))).toMatchObject({
        code: 1234,
        message: "not today",
        data: { until: "tomorrow" },
      });
    });

    test("resources, templates, prompts and completions", async () => {
      const { client } = await setUp(pairing);
      const { resources } = await client.listResources();
      expect(resources).toMatchObject([{ uri: "test://one", mimeType: "text/plain" }]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([{ uriTemplate: "test://items/{id}" }]);
      expect((await client.readResource({ uri: "test://one" })).contents).toEqual([
        { uri: "test://one", text: "first" },
      ]);
      expect((await client.readResource({ uri: "test://items/7" })).contents).toMatchObject([{ text: "item 7" }]);
      expect(await errorOf(client.readResource({ uri: "test://none" }))).toMatchObject({
        name: "RemoteResourceNotFoundError",
      });
      const { prompts } = await client.listPrompts();
      expect(prompts).toMatchObject([{ name: "up_greet", description: "Greets" }]);
      const { messages } = await client.getPrompt({ name: "up_greet", arguments: { name: "Ada" } });
      expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Hello Ada" } }]);
      const ref = { type: "ref/resource", uri: "test://items/{id}" } as const;
      const { completion } = await client.complete({ ref, argument: { name: "id", value: "" } });
      expect(completion.values).toEqual(["1", "2"]);
    });

    test("progress, cancellation and log messages", async () => {
      const { client, up } = await setUp(pairing);
      const progress: unknown[] = [];
      await client.callTool({ name: "up_work" }, { onProgress: (one) => progress.push(one) });
      expect(progress.at(-1)).toMatchObject({ progress: 2, total: 2 });
      const controller = new AbortController();
      const hanging = client.callTool({ name: "up_hang" }, { signal: controller.signal });
      await expect.poll(() => [...up.server.server.connections].some((one) => one.isOpen)).toBe(true);
      await settled();
      controller.abort(new Error("enough"));
      await expect(hanging).rejects.toThrow("enough");
      await expect.poll(() => up.seen.cancelled.length).toBe(1);
      const logs: unknown[] = [];
      client.setNotificationHandler("notifications/message", (message) => logs.push(message));
      await client.setLoggingLevel("info");
      await client.callTool({ name: "up_talk" });
      await expect.poll(() => logs).toEqual([{ level: "warning", data: { said: "careful" }, logger: "talker" }]);
    });

    test("questions of the server", async () => {
      const capabilities = { elicitation: {}, sampling: {}, roots: {} };
      const { client } = await setUp(pairing, { capabilities });
      client.setRequestHandler("elicitation/create", ({ message }) => ({
        action: "accept",
        content: { city: message },
      }));
      client.setRequestHandler("sampling/createMessage", () => ({
        role: "assistant",
        model: "m",
        content: { type: "text", text: "4" },
      }));
      client.addRoot({ uri: "file:///home" });
      const thought = await client.callTool({ name: "up_think" });
      expect(thought.content).toEqual([{ type: "text", text: 'm {"type":"text","text":"4"}' }]);
      const folders = await client.callTool({ name: "up_folders" });
      expect(folders.content).toEqual([{ type: "text", text: "file:///home" }]);
      if (!hasElicitation(down) || !hasElicitation(upRevision)) return;
      const asked = await client.callTool({ name: "up_ask" });
      expect(asked.content).toEqual([{ type: "text", text: 'accept {"city":"Which city?"}' }]);
    });

    test("changes of lists and resources", async () => {
      const { client } = await setUp(pairing);
      let changes = 0;
      client.onChanged("tools", () => changes++);
      const updates: string[] = [];
      expect(await client.subscribeResource({ uri: "test://one" }, (uri) => updates.push(uri))).toBe(true);
      await client.listTools();
      await client.callTool({ name: "up_touch" });
      await expect.poll(() => updates).toEqual(["test://one"]);
      expect((await client.readResource({ uri: "test://one" })).contents).toMatchObject([{ text: "second" }]);
      await client.callTool({ name: "up_grow" });
      await expect.poll(() => changes).toBeGreaterThan(0);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("up_grown");
      expect((await client.callTool({ name: "up_grown" })).content).toEqual([{ type: "text", text: "grown" }]);
    });

    test("instructions, names and revisions of both ends", async () => {
      const { client, gateway } = await setUp(pairing);
      await client.listTools();
      expect(client.getServerVersion()).toMatchObject({ name: "gateway" });
      expect(gateway.servers).toMatchObject([
        { name: "up", state: "connected", revision: upRevision, info: { name: "everything" }, error: undefined },
      ]);
    });
  });
}
