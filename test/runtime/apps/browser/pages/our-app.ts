import { App, applyHostStyles } from "@mcpwright/runtime/apps/app";

const events: unknown[] = [];
const app = new App(
  { name: "ours", version: "1.0.0" },
  {
    capabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    onToolInputPartial: (args) => events.push(["partial", args]),
    onToolInput: (args) => events.push(["input", args]),
    onToolResult: ({ content }) => events.push(["result", content]),
    onToolCancelled: (reason) => events.push(["cancelled", reason]),
    onContextChange(changed) {
      events.push(["context", changed]);
      applyHostStyles(changed);
    },
    onTeardown: () => void events.push(["teardown"]),
    onerror: (error) => events.push(["error", error.message]),
  },
);
Object.assign(globalThis, {
  driver: {
    events,
    call: (name: string, args: Record<string, unknown>) => app.callTool({ name, arguments: args }),
    read: (uri: string) => app.readResource({ uri }),
    openLink: (url: string) => app.openLink(url),
    send: (text: string) => app.sendMessage(text),
    updateContext: (text: string) => app.updateModelContext({ content: [{ type: "text", text }] }),
    show: async (mode: "inline" | "fullscreen") => ({ mode: await app.requestDisplayMode(mode) }),
    log: (text: string) => app.log({ level: "info", data: text }),
    leave: () => app.requestTeardown(),
  },
});
await app.connect();
applyHostStyles(app.hostContext);
