import { checkElicitRequestParams } from "@mcpwright/protocol/2025-06-18/issues";
import { clientSides } from "@mcpwright/protocol/client-sides";
import type { Transport } from "@mcpwright/runtime";
import { Client } from "@mcpwright/runtime/client";
import { type FetchLike, SSEClientTransport, StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { ajvValidator } from "@mcpwright/runtime/json-schema";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { tasks } from "@mcpwright/runtime/tasks/client";
import { answers, type Open } from "../driver.js";
import type { Target } from "../target.js";

/** Connects our client. */
export const open: Open = async (target) => {
  /** The statuses of HTTP responses, and the server's requests that violate the rules of the revision. */
  const seen = new Set<string>();
  const client = new Client(
    { name: "mcpwright", version: "1.0.0" },
    {
      revisions: target.findOut ? clientSides : clientSides.filter(({ revision }) => revision === target.revision),
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
      // Tasks exist since then.
      extensions: target.findOut || target.revision >= "2025-11-25" ? [tasks()] : [],
      jsonSchemaValidator: ajvValidator({ untrusted: true }),
      timeoutMs: target.timeoutMs ?? 3_000,
      trace: (direction, message) => {
        const { method, params } = message as { method?: string; params?: unknown };
        if (direction !== "in" || method !== "elicitation/create" || target.revision !== "2025-06-18") return;
        for (const { path } of checkElicitRequestParams(params))
          seen.add(
            `its ${method} has at ${path.join(".")} what ${target.revision} does not have: ${show(params, path)}`,
          );
      },
    },
  );
  client.setRequestHandler("elicitation/create", (params) => {
    if (params.mode !== "url") return answers.elicitation;
    const { elicitationId } = params as { elicitationId?: string };
    // Not all servers report that the user is done.
    if (elicitationId !== undefined) setTimeout(() => client.completeElicitation(elicitationId), 10);
    return { action: "accept" };
  });
  client.setRequestHandler("sampling/createMessage", () => answers.sampling);
  for (const root of answers.roots.roots)
    client.addRoot(target.folder === undefined ? root : { uri: `file://${target.folder}` });
  const onLog = new Set<(data: unknown) => void>();
  client.setNotificationHandler("notifications/message", ({ data }: { data: unknown }) =>
    onLog.forEach((listener) => listener(data)),
  );
  const noting: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    const { status, headers } = response;
    if (init.method === "GET" && status !== 200)
      seen.add(`it answered GET with ${status} ${await response.clone().text()}`);
    if (init.method === "POST" && status !== 202)
      seen.add(`it answered POST with ${status} ${headers.get("content-type") ?? ""}`);
    return response;
  };
  await client.connect(transportTo(target, noting), { timeoutMs: 10_000 });
  return {
    revision: client.getNegotiatedProtocolVersion(),
    serverName: client.getServerVersion()?.name,
    capabilities: client.getServerCapabilities() ?? {},
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: { ...args } }, options),
    callTask: (name, args, onStatus) =>
      client.callTool({ name, arguments: { ...args } }, { task: true, onStatus: ({ status }) => onStatus(status) }),
    async list(what) {
      switch (what) {
        case "tools":
          return (await client.listTools()).tools.map(({ name }) => name);
        case "resources":
          return (await client.listResources()).resources.map(({ uri }) => uri);
        case "templates":
          return (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
        case "prompts":
          return (await client.listPrompts()).prompts.map(({ name }) => name);
      }
    },
    async resourcePage(cursor) {
      const { resources, nextCursor } = (await client.connection.request(
        "resources/list",
        cursor === undefined ? {} : { cursor },
      )) as { resources: { uri: string }[]; nextCursor?: string };
      return { names: resources.map(({ uri }) => uri), nextCursor };
    },
    read: async (uri) => (await client.readResource({ uri })).contents[0] ?? {},
    async prompt(name, args) {
      const { messages } = await client.getPrompt({ name, arguments: args });
      const content = messages[0]?.content;
      return content?.type === "text" ? content.text : JSON.stringify(content);
    },
    async complete(ref, name, value) {
      const { completion } = await client.complete({
        ref: "prompt" in ref ? { type: "ref/prompt", name: ref.prompt } : { type: "ref/resource", uri: ref.template },
        argument: { name, value },
      });
      return completion.values;
    },
    ping: () => client.ping(),
    log(level, listener) {
      onLog.add(listener);
      return client.setLoggingLevel(level);
    },
    onChanged: async (what, listener) => client.onChanged(what, listener),
    async subscribe(uri, listener) {
      const granted = await client.subscribeResource({ uri }, listener);
      if (!granted) throw new Error("the server does not grant it");
      return () => client.unsubscribeResource({ uri });
    },
    addRoot: (uri) => client.addRoot({ uri }),
    close: () => client.close(),
    evidence: () => [...seen].join("; "),
  };
};

function transportTo({ transport, command, env, url = "" }: Target, fetch: FetchLike): Transport {
  if (transport === "sse") return new SSEClientTransport(url, { fetch });
  if (transport === "http") return new StreamableHTTPClientTransport(url, { fetch });
  const [program = "", ...args] = command ?? [];
  return new StdioClientTransport({
    command: program,
    args,
    ...(env && { env }),
    stderr: "ignore",
  });
}

function show(value: unknown, path: readonly (string | number)[]): string {
  const found = path.reduce((at: unknown, name) => (at as Readonly<Record<string | number, unknown>>)[name], value);
  return JSON.stringify(found).slice(0, 120);
}
