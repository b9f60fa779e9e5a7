import { type AppAction, type HostedApp, mountApp } from "@mcpwright/runtime/apps/host";
import { Client } from "@mcpwright/runtime/client";
import { InMemoryTransport } from "@mcpwright/runtime";
import { connectServer } from "./weather-server.js";
import type { OpenOptions } from "./driver.js";

const events: unknown[] = [];
const client = new Client({ name: "host", version: "1.0.0" });
const [here, there] = InMemoryTransport.createLinkedPair();
await connectServer(there, events);
await client.connect(here);
let app: HostedApp | undefined;

async function open(options: OpenOptions): Promise<void> {
  const { html, csp, asks, grants } = options;
  let ready = (): void => undefined;
  let failed = (_error: Error): void => undefined;
  const isReady = new Promise<void>((resolve, reject) => {
    ready = resolve;
    failed = reject;
  });
  isReady.catch(() => undefined);
  app = await mountApp({
    info: { name: "our-host", version: "1.0.0" },
    client,
    frame: document.createElement("iframe"),
    container: document.body,
    sandboxUrl: options.sandboxUrl,
    resource: { uri: "ui://app", html, meta: { ...(csp && { csp }), ...(asks && { permissions: asks }) } },
    ...(grants && { permissions: grants }),
    ...(options.appSandbox !== undefined && { appSandbox: options.appSandbox }),
    ...options.limits,
    context: { theme: "dark", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"] },
    consent: ({ kind, ...about }: AppAction) => {
      events.push(["consent", kind, kind === "callTool" ? (about as { tool: { name: string } }).tool.name : about]);
      return options.refuses !== true;
    },
    openLink: (url) => void events.push(["opened", url]),
    sendMessage: (content) => void events.push(["message", content]),
    updateModelContext: (update) => void events.push(["model", update]),
    requestDisplayMode: (mode) => mode,
    onLog: ({ data }) => void events.push(["log", data]),
    onRequestTeardown: () => void events.push(["leave"]),
    onInitialized: () => ready(),
    onclose: (error) => {
      events.push(["closed", error?.message]);
      failed(error ?? new Error("closed"));
    },
    onerror: (error) => events.push(["error", error.message]),
  });
  if (options.hasty !== true) await isReady;
}

Object.assign(globalThis, {
  driver: {
    events,
    open,
    partial: (args: Record<string, unknown>) => app?.sendToolInputPartial(args),
    input: (args: Record<string, unknown>) => app?.sendToolInput(args),
    result: (text: string) => app?.sendToolResult({ content: [{ type: "text", text }] }),
    cancelled: (reason: string) => app?.sendToolCancelled(reason),
    theme: (theme: "light" | "dark") => app?.setContext({ theme }),
    close: () => app?.close({ timeoutMs: 500 }),
  },
});
