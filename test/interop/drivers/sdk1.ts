import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { answers, type Open, rootsOf, type ToolResult, visitingUrls } from "../driver.js";
import type { Target } from "../target.js";

/** Connects the client of SDK 1.x. */
export const open: Open = async (target) => {
  const client = new Client(
    { name: "sdk1", version: "1.0.0" },
    { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } } },
  );
  const told = new Set<string>();
  client.onerror = (error) => void told.add(String(error).slice(0, 300));
  client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
    params.mode === "url" ? { action: "accept" } : answers.elicitation,
  );
  client.setRequestHandler(CreateMessageRequestSchema, () => answers.sampling);
  const onLog = new Set<(data: unknown) => void>();
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
    onLog.forEach((listener) => listener(params.data)),
  );
  const roots = rootsOf(target);
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  let negotiated: string | undefined;
  const transport = transportTo(target);
  // It only passes the revision to the transport.
  const tellTransport = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    negotiated = version;
    tellTransport?.(version);
  };
  await client.connect(transport);
  return {
    revision: negotiated,
    serverName: client.getServerVersion()?.name,
    capabilities: client.getServerCapabilities() ?? {},
    call: (name, args = {}, { signal, onProgress } = {}) =>
      visitingUrls(
        async () =>
          (await client.callTool({ name, arguments: { ...args } }, undefined, {
            timeout: target.timeoutMs ?? 3_000,
            ...(signal && { signal }),
            ...(onProgress && { onprogress: ({ progress }) => onProgress({ progress }) }),
          })) as ToolResult,
      ),
    async list(what) {
      switch (what) {
        case "tools": {
          const names: string[] = [];
          let cursor: string | undefined;
          do {
            const { tools, nextCursor } = await client.listTools({ cursor });
            names.push(...tools.map(({ name }) => name));
            cursor = nextCursor;
          } while (cursor !== undefined);
          return names;
        }
        case "resources": {
          const uris: string[] = [];
          let cursor: string | undefined;
          do {
            const { resources, nextCursor } = await client.listResources({ cursor });
            uris.push(...resources.map(({ uri }) => uri));
            cursor = nextCursor;
          } while (cursor !== undefined);
          return uris;
        }
        case "templates":
          return (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
        case "prompts":
          return (await client.listPrompts()).prompts.map(({ name }) => name);
      }
    },
    async resourcePage(cursor) {
      const { resources, nextCursor } = await client.listResources({ cursor });
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
    log(level, listener) {
      onLog.add(listener);
      return client.setLoggingLevel(level);
    },
    onChanged: async (what, listener) =>
      what === "tools"
        ? client.setNotificationHandler(ToolListChangedNotificationSchema, listener)
        : client.setNotificationHandler(ResourceListChangedNotificationSchema, listener),
    async subscribe(uri, listener) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        if (params.uri === uri) listener();
      });
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    addRoot(uri) {
      roots.push({ uri });
      void client.sendRootsListChanged();
    },
    async close() {
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
      await client.close();
    },
    evidence: () => (told.size === 0 ? "" : `it reported to onerror: ${[...told].join(", ")}`),
  };
};

function transportTo({ transport, command, url = "" }: Target): Transport {
  if (transport === "sse") return new SSEClientTransport(new URL(url)) as Transport;
  if (transport === "http") return new StreamableHTTPClientTransport(new URL(url)) as Transport;
  const [program = "", ...args] = command ?? [];
  return new StdioClientTransport({ command: program, args, stderr: "ignore" });
}
