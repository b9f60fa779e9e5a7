/** Several nodes of a server, and one session of them by plain requests. */
import { clientSides } from "@mcpwright/protocol/client-sides";
import { expect, onTestFinished } from "vitest";
import type { Backplane } from "../../../runtime/src/backplane.js";
import { Client } from "../../../runtime/src/client/core.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { McpServer } from "../../../runtime/src/server.js";
import { createMcpHandler, type McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { initialize, notification } from "../http-server/messages.js";

export type NewBackplane = () => Backplane | Promise<Backplane>;

const requestedSchema = { type: "object" as const, properties: { name: { type: "string" as const } } };
export const uri = "file:///note";

export function startNode(backplane: Backplane, name: string, options: McpHandlerOptions = {}, serverName = "nodes") {
  const errors: Error[] = [];
  const state = { aborted: 0, release: (): void => undefined };
  const server = new McpServer(
    { name: serverName, version: "1.0.0" },
    {
      backplane,
      stateKeys: [{ id: "k", key: new Uint8Array(32).fill(7) }],
      capabilities: { resources: { subscribe: true, listChanged: true }, tools: { listChanged: true }, logging: {} },
      onerror: (error) => (error as { code?: unknown }).code === "DEPRECATED" || errors.push(error),
    },
  );
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  server.registerTool("where", {}, () => text(name));
  server.registerTool("greet", {}, async (context) => {
    const { content } = await context.elicit("name", { message: "Name?", requestedSchema });
    return text(`${name}: ${String(content?.["name"])}`);
  });
  server.registerTool("sample", {}, async (context) => {
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "?" } }];
    const { content } = await context.sample("s", { messages, maxTokens: 10 });
    return text(JSON.stringify(content));
  });
  server.registerTool("wait", {}, async ({ signal, progress }) => {
    progress({ progress: 1 });
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    state.aborted++;
    return text("");
  });
  server.registerTool("log", {}, ({ log }) => {
    log("debug", "detail");
    return text("");
  });
  server.registerTool("hold", {}, async ({ log }) => {
    log("warning", "first");
    await new Promise<void>((resolve) => (state.release = resolve));
    log("warning", "last");
    return text("done");
  });
  server.registerResource("note", uri, {}, () => ({ contents: [{ uri, text: "" }] }));
  const handler = createMcpHandler(server, { keepAliveMs: 0, ...options });
  onTestFinished(async () => {
    await handler.close(0);
    await server.close(0);
  });
  return { name, server, handler, errors, state };
}

export type Node = ReturnType<typeof startNode>;

export async function startNodes(newBackplane: NewBackplane, options?: McpHandlerOptions): Promise<[Node, Node, Node]> {
  const start = async (name: string): Promise<Node> => startNode(await newBackplane(), name, options);
  return [await start("a"), await start("b"), await start("c")];
}

/** Sends each request to the next node. */
function inTurns(nodes: readonly Node[]): typeof fetch {
  let count = 0;
  return (url, init) => {
    const node = nodes[count++ % nodes.length];
    if (!node) throw new Error("there are no nodes");
    return node.handler.fetch(new Request(url, init));
  };
}

export async function connect(nodes: readonly Node[], revision: string) {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      revisions: clientSides.filter((side) => side.revision === revision),
      capabilities: { elicitation: {}, sampling: {} },
      onerror: () => undefined,
    },
  );
  onTestFinished(() => client.close());
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: "sampled" },
  }));
  const received: string[] = [];
  for (const kind of ["tools", "resources"] as const) client.onChanged(kind, () => received.push(kind));
  await client.connect(new StreamableHTTPClientTransport("http://localhost/mcp", { fetch: inTurns(nodes) }));
  return { client, received };
}

export const textOf = ({ content }: { readonly content: readonly object[] }): unknown =>
  (content[0] as { text?: unknown }).text;

/** One session by plain requests. */
export class Raw {
  id = "";

  constructor(readonly revision = "2025-11-25") {}

  send(node: Node, method: string, body?: object, more: Record<string, string> = {}): Promise<Response> {
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(this.id && { "mcp-session-id": this.id, "mcp-protocol-version": this.revision }),
      ...more,
    };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return node.handler.fetch(new Request("http://localhost/mcp", sent));
  }

  async open(node: Node, next: Node = node): Promise<this> {
    const opening = await this.send(node, "POST", initialize(this.revision));
    this.id = opening.headers.get("mcp-session-id") ?? "";
    expect((await this.send(next, "POST", notification("notifications/initialized"))).status).toBe(202);
    return this;
  }
}

/** Reads the events of a response. */
export async function* eventsOf(response: Response): AsyncGenerator<{ readonly id?: string; readonly data?: string }> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [id, data] = [/^id: (.+)$/m, /^data: (.+)$/m].map((pattern) => pattern.exec(text.slice(0, end))?.[1]);
      text = text.slice(end + 2);
      if (id !== undefined || data !== undefined) yield { ...(id !== undefined && { id }), ...(data && { data }) };
    }
  }
}

export type Events = ReturnType<typeof eventsOf>;

/** Reads events up to the first one with data. */
export async function nextMessage(events: Events): Promise<{ readonly id: string; readonly data: string }> {
  for (;;) {
    const next = await events.next();
    if (next.done) throw new Error("the stream has ended");
    const { id = "", data } = next.value;
    if (data !== undefined) return { id, data };
  }
}

/** Reads the first event that has an id, with or without data. */
export async function firstId(events: Events): Promise<string> {
  for (;;) {
    const next = await events.next();
    if (next.done) throw new Error("the stream has ended");
    if (next.value.id !== undefined) return next.value.id;
  }
}
