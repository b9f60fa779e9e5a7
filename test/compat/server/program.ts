import type * as ours from "@mcpwright/compat/server";
import * as z from "zod/v4";

/** The package of the official SDK, or ours in its place. */
export type Sdk = typeof ours;

/** A server with everything that clients can list, written for the official SDK. */
export function makeServer(sdk: Sdk): InstanceType<Sdk["McpServer"]> {
  const { McpServer, ProtocolError, ResourceTemplate, completable } = sdk;
  const server = new McpServer(
    { name: "example", version: "1.0.0" },
    { capabilities: { logging: {} }, instructions: "Use the tools." },
  );
  server.registerTool(
    "add",
    {
      title: "Add",
      description: "Adds numbers",
      inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }], structuredContent: { sum: a + b } }),
  );
  server.registerTool("shape", { inputSchema: { name: z.string().min(2) } }, ({ name }) => ({
    content: [{ type: "text", text: name }],
  }));
  server.registerTool("list", { outputSchema: z.array(z.number()) }, () => ({
    content: [],
    structuredContent: [1, 2],
  }));
  server.registerTool("wrong-output", { outputSchema: z.object({ sum: z.number() }) }, () => ({
    content: [],
    structuredContent: { sum: "none" },
  }));
  server.registerTool("refuse", {}, () => {
    throw new ProtocolError(-32602, "refused");
  });
  server.registerTool("fail", {}, () => {
    throw new Error("failed");
  });
  server.registerTool("hidden", {}, () => ({ content: [] })).disable();
  server.registerTool("first-name", {}, () => ({ content: [] })).update({ name: "second-name", title: "Renamed" });
  server.registerResource("readme", "file:///readme.md", { mimeType: "text/markdown" }, (uri) => ({
    contents: [{ uri: uri.href, text: "# Read me" }],
  }));
  server.registerResource(
    "page",
    new ResourceTemplate("page://{name}", {
      list: () => ({ resources: [{ uri: "page://one", name: "one" }] }),
      complete: { name: (value) => ["one", "two"].filter((one) => one.startsWith(value)) },
    }),
    { description: "A page" },
    (uri, { name }) => ({ contents: [{ uri: uri.href, text: String(name) }] }),
  );
  server.registerPrompt(
    "greet",
    {
      description: "Greets",
      argsSchema: z.object({
        name: completable(z.string(), (value) => ["Ada", "Alan"].filter((one) => one.startsWith(value))),
      }),
    },
    ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: `Hello, ${name}` } }] }),
  );
  server.server.setRequestHandler(
    "acme/search",
    { params: z.object({ query: z.string(), limit: z.number().default(2) }) },
    ({ query, limit }) => ({ items: Array.from({ length: limit }, (_, at) => `${query}-${at}`) }),
  );
  return server;
}

/** Requests with the same answers, whichever of the two packages serves them. */
export const requests: readonly { readonly method: string; readonly params?: Record<string, unknown> }[] = [
  { method: "tools/list" },
  { method: "tools/call", params: { name: "add", arguments: { a: 2 } } },
  { method: "tools/call", params: { name: "add", arguments: { a: "two" } } },
  { method: "tools/call", params: { name: "shape", arguments: { name: "x" } } },
  { method: "tools/call", params: { name: "shape", arguments: { name: "Ada" } } },
  { method: "tools/call", params: { name: "list" } },
  { method: "tools/call", params: { name: "wrong-output" } },
  { method: "tools/call", params: { name: "refuse" } },
  { method: "tools/call", params: { name: "fail" } },
  { method: "tools/call", params: { name: "hidden" } },
  { method: "tools/call", params: { name: "second-name" } },
  { method: "tools/call", params: { name: "unknown" } },
  { method: "resources/list" },
  { method: "resources/templates/list" },
  { method: "resources/read", params: { uri: "file:///readme.md" } },
  { method: "resources/read", params: { uri: "page://two" } },
  { method: "prompts/list" },
  { method: "prompts/get", params: { name: "greet", arguments: { name: "Ada" } } },
  { method: "prompts/get", params: { name: "greet", arguments: {} } },
  { method: "prompts/get", params: { name: "unknown" } },
  {
    method: "completion/complete",
    params: { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "name", value: "Al" } },
  },
  {
    method: "completion/complete",
    params: { ref: { type: "ref/resource", uri: "page://{name}" }, argument: { name: "name", value: "t" } },
  },
  { method: "acme/search", params: { query: "tea" } },
  { method: "acme/search", params: { query: 1 } },
];
