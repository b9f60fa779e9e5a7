import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { OpenOptions } from "../../../runtime/apps/browser/pages/driver.js";

const events: unknown[] = [];
let bridge: AppBridge | undefined;
let frame: HTMLIFrameElement | undefined;

async function open({ html, sandboxUrl, csp, refuses = false }: OpenOptions): Promise<void> {
  const context = { theme: "dark", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"] } as const;
  const hosted = new AppBridge(
    null,
    { name: "official-host", version: "1.0.0" },
    { openLinks: {}, serverTools: {}, serverResources: {}, logging: {} },
    { hostContext: { ...context, availableDisplayModes: [...context.availableDisplayModes] } },
  );
  bridge = hosted;
  hosted.oncalltool = async ({ name }) => {
    events.push(["called", name]);
    return Promise.resolve({ content: [{ type: "text", text: name === "now" ? "sunny" : "refreshed" }] });
  };
  hosted.onreadresource = async ({ uri }) => Promise.resolve({ contents: [{ uri, text: "a note" }] });
  hosted.onopenlink = async ({ url }) => {
    if (!refuses) events.push(["opened", url]);
    return Promise.resolve(refuses ? { isError: true } : {});
  };
  hosted.onmessage = async ({ content }) => {
    events.push(["message", content]);
    return Promise.resolve({});
  };
  hosted.onupdatemodelcontext = async (update) => {
    events.push(["model", update]);
    return Promise.resolve({});
  };
  hosted.onrequestdisplaymode = async ({ mode }) => Promise.resolve({ mode });
  hosted.onloggingmessage = ({ data }) => void events.push(["log", data]);
  hosted.onrequestteardown = () => void events.push(["leave"]);
  hosted.onsizechange = ({ height }) => {
    if (height !== undefined && frame) frame.style.height = `${height}px`;
  };
  const ready = new Promise<void>((resolve) => (hosted.oninitialized = () => resolve()));
  hosted.onsandboxready = () => void hosted.sendSandboxResourceReady({ html });
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
  frame.src = `${sandboxUrl}?csp=${encodeURIComponent(JSON.stringify(csp ?? {}))}`;
  document.body.append(frame);
  const inner = frame.contentWindow;
  if (!inner) throw new Error("the frame has no window");
  await hosted.connect(new PostMessageTransport(inner, inner));
  await ready;
}

Object.assign(globalThis, {
  driver: {
    events,
    open,
    partial: (args: Record<string, unknown>) => bridge?.sendToolInputPartial({ arguments: args }),
    input: (args: Record<string, unknown>) => bridge?.sendToolInput({ arguments: args }),
    result: (text: string) => bridge?.sendToolResult({ content: [{ type: "text", text }] }),
    cancelled: (reason: string) => bridge?.sendToolCancelled({ reason }),
    theme: (theme: "light" | "dark") => bridge?.sendHostContextChange({ theme }),
    async close() {
      await bridge?.teardownResource({});
      frame?.remove();
      events.push(["closed", undefined]);
      return true;
    },
  },
});
