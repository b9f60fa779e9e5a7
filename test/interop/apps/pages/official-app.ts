import { App, PostMessageTransport } from "@modelcontextprotocol/ext-apps";

const events: unknown[] = [];
const app = new App({ name: "official", version: "1.0.0" }, { availableDisplayModes: ["inline", "fullscreen"] });
app.ontoolinputpartial = ({ arguments: args }) => void events.push(["partial", args]);
app.ontoolinput = ({ arguments: args }) => void events.push(["input", args]);
app.ontoolresult = ({ content }) => void events.push(["result", content]);
app.ontoolcancelled = ({ reason }) => void events.push(["cancelled", reason]);
app.onhostcontextchanged = (changed) => void events.push(["context", changed]);
app.onteardown = () => {
  events.push(["teardown"]);
  return {};
};
Object.assign(globalThis, {
  driver: {
    events,
    call: (name: string, args: Record<string, unknown>) => app.callServerTool({ name, arguments: args }),
    read: (uri: string) => app.readServerResource({ uri }),
    openLink: (url: string) => app.openLink({ url }),
    send: (text: string) => app.sendMessage({ role: "user", content: [{ type: "text", text }] }),
    updateContext: (text: string) => app.updateModelContext({ content: [{ type: "text", text }] }),
    show: (mode: "inline" | "fullscreen") => app.requestDisplayMode({ mode }),
    log: (text: string) => app.sendLog({ level: "info", data: text }),
    leave: () => app.requestTeardown(),
  },
});
await app.connect(new PostMessageTransport(window.parent, window.parent));
