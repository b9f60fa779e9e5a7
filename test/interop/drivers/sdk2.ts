import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { answers, type Open, rootsOf, type ToolResult, visitingUrls } from "../driver.js";
import type { Target } from "../target.js";

/** Connects the client of SDK 2.x. */
export const open: Open = async (target) => {
  const isModern = target.revision >= "2026-07-28";
  let level: string | undefined;
  const onList = new Map<string, () => void>();
  const quiet = { autoRefresh: false, debounceMs: 0 };
  const client = new Client(
    { name: "sdk2", version: "1.0.0" },
    {
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
      versionNegotiation: { mode: target.isLegacy ? "legacy" : "auto" },
      listChanged: {
        tools: { ...quiet, onChanged: () => onList.get("tools")?.() },
        resources: { ...quiet, onChanged: () => onList.get("resources")?.() },
      },
    },
  );
  const told = new Set<string>();
  client.onerror = (error) => void told.add(String(error).slice(0, 300));
  client.setRequestHandler("elicitation/create", ({ params }) =>
    params.mode === "url" ? { action: "accept" } : answers.elicitation,
  );
  client.setRequestHandler("sampling/createMessage", () => answers.sampling);
  const onLog = new Set<(data: unknown) => void>();
  client.setNotificationHandler("notifications/message", ({ params }) =>
    onLog.forEach((listener) => listener(params.data)),
  );
  const roots = rootsOf(target);
  client.setRequestHandler("roots/list", () => ({ roots }));
  const transport = transportTo(target);
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion(),
    serverName: client.getServerVersion()?.name,
    capabilities: client.getServerCapabilities() ?? {},
    call: (name, args = {}, { signal, onProgress } = {}) =>
      visitingUrls(
        async () =>
          (await client.callTool(
            { name, arguments: { ...args }, ...(isModern && level && { _meta: { [levelKey]: level } }) },
            {
              timeout: target.timeoutMs ?? 3_000,
              ...(signal && { signal }),
              ...(onProgress && { onprogress: ({ progress }) => onProgress({ progress }) }),
            },
          )) as ToolResult,
      ),
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
      const { resources, nextCursor } = await client.request({
        method: "resources/list",
        params: cursor === undefined ? {} : { cursor },
      });
      return { names: resources.map(({ uri }) => uri), nextCursor };
    },
    async read(uri) {
      const [first] = (await client.readResource({ uri })).contents;
      return { ...first };
    },
    async prompt(name, args) {
      const content = (await client.getPrompt({ name, arguments: { ...args } })).messages[0]?.content;
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
    async log(wanted, listener) {
      onLog.add(listener);
      if (isModern) level = wanted;
      else await client.setLoggingLevel(wanted);
    },
    onChanged: async (what, listener) => void onList.set(what, listener),
    async subscribe(uri, listener) {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
        if (params.uri === uri) listener();
      });
      if (isModern) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        return () => subscription.close();
      }
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    addRoot(uri) {
      roots.push({ uri });
      if (!isModern) void client.sendRootsListChanged();
    },
    async close() {
      if (transport instanceof StreamableHTTPClientTransport && !isModern) await transport.terminateSession();
      await client.close();
    },
    evidence: () => (told.size === 0 ? "" : `it reported to onerror: ${[...told].join(", ")}`),
  };
};

const levelKey = "io.modelcontextprotocol/logLevel";

function transportTo({ transport, command, url = "" }: Target): Transport {
  if (transport === "sse") return new SSEClientTransport(new URL(url));
  if (transport === "http") return new StreamableHTTPClientTransport(new URL(url));
  const [program = "", ...args] = command ?? [];
  return new StdioClientTransport({ command: program, args, stderr: "ignore" });
}
