/** A server of one revision with every feature, for tests of what passes through a gateway. */
import type { ElicitRequestFormParams } from "@mcpwright/protocol/2026-07-28";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { z } from "zod";
import { ProtocolError } from "../../../runtime/src/index.js";
import { McpServer, ResourceTemplate } from "../../../runtime/src/server.js";
import type { Revision } from "../api/pair.js";

const form: ElicitRequestFormParams = {
  mode: "form",
  message: "Which city?",
  requestedSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

export interface Everything {
  readonly server: McpServer;
  /** What tools saw. */
  readonly seen: { meta: unknown; cancelled: string[]; calls: number };
}

export function everything(revision: Revision, name = "everything"): Everything {
  const server = new McpServer(
    { name, version: "2.0.0" },
    {
      revisions: serverSides.filter((side) => side.revision === revision),
      capabilities: { logging: {} },
      instructions: `Use ${name} well.`,
      onerror: () => undefined,
    },
  );
  const seen: Everything["seen"] = { meta: undefined, cancelled: [], calls: 0 };
  server.registerTool(
    "add",
    {
      title: "Add",
      description: "Adds two numbers",
      annotations: { readOnlyHint: true },
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }, { _meta }) => {
      seen.meta = _meta;
      seen.calls++;
      return { ...text(String(a + b)), structuredContent: { sum: a + b } };
    },
  );
  server.registerTool("ask", {}, async ({ elicit }) => {
    const { action, content } = await elicit("city", form);
    return text(`${action} ${JSON.stringify(content ?? null)}`);
  });
  server.registerTool("think", {}, async ({ sample }) => {
    const params = {
      messages: [{ role: "user" as const, content: { type: "text" as const, text: "2 + 2" } }],
      maxTokens: 10,
    };
    const { model, content } = await sample("sum", params);
    return text(`${model} ${JSON.stringify(content)}`);
  });
  server.registerTool("folders", {}, async ({ listRoots }) => {
    const { roots } = await listRoots("roots");
    return text(roots.map(({ uri }) => uri).join());
  });
  server.registerTool("work", {}, ({ progress }) => {
    progress({ progress: 1, total: 2, message: "half" });
    progress({ progress: 2, total: 2, message: "all" });
    return text("worked");
  });
  server.registerTool("talk", {}, ({ log }) => {
    log("warning", { said: "careful" }, "talker");
    log("debug", "not wanted");
    return text("talked");
  });
  server.registerTool(
    "hang",
    {},
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          seen.cancelled.push((signal.reason as Error).message);
          reject(signal.reason as Error);
        });
      }),
  );
  server.registerTool("refuse", {}, () => {
    throw new ProtocolError(1234, "not today", { until: "tomorrow" });
  });
  server.registerTool("link", {}, () => ({
    content: [{ type: "resource_link", uri: "test://one", name: "one" }],
  }));
  const one = { text: "first" };
  server.registerResource("one", "test://one", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, text: one.text }],
  }));
  server.registerTool("touch", {}, () => {
    one.text = "second";
    server.server.notifyChanged({ kind: "resources", uri: "test://one" });
    return text("touched");
  });
  server.registerTool("grow", {}, () => {
    server.registerTool("grown", {}, () => text("grown"));
    return text("growing");
  });
  server.registerResource(
    "item",
    new ResourceTemplate("test://items/{id}", { list: undefined, complete: { id: () => ["1", "2"] } }),
    {},
    (uri, { id }) => ({ contents: [{ uri: uri.href, text: `item ${String(id)}` }] }),
  );
  server.registerPrompt("greet", { description: "Greets", argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Hello ${name}` } }],
  }));
  return { server, seen };
}
