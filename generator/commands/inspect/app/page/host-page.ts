/** The page of `mcpwright inspect --app`: shows the app of a tool, as a chat host does, and what the two say to each other. */
import { mountApp } from "@mcpwright/runtime/apps/host";
import { measureWhenStill } from "./measure-when-still.js";
import type { PageData } from "../page-data.js";
import { serverOfApp } from "./server-of-app.js";

declare global {
  // Read by the program when it takes a screenshot.
  var appShown: Promise<unknown>;
}

const container = byId("app");
const still = measureWhenStill(container);
globalThis.appShown = still.place;
still.place.catch((error: unknown) => say("error", String(error)));

try {
  await show((await (await fetch("data.json")).json()) as PageData);
} catch (error) {
  still.fail(error);
}

async function show({
  version,
  tool,
  arguments: args,
  result,
  resource,
  sandboxUrl,
  readyTimeoutMs,
}: PageData): Promise<void> {
  byId("tool").textContent = `${tool.name} · ${resource.uri}`;
  const { prefersBorder = true } = resource.meta as { prefersBorder?: boolean };
  container.classList.toggle("bordered", prefersBorder);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const app = await mountApp({
    info: { name: "mcpwright", version },
    client: serverOfApp(say),
    resource,
    frame: document.createElement("iframe"),
    container,
    sandboxUrl,
    readyTimeoutMs,
    permissions: { clipboardWrite: {} },
    // Its author tries the app out, so it may use its server. Only what leaves this page is asked for.
    consent: ({ kind, ...what }) =>
      (kind !== "openLink" && kind !== "downloadFile") || confirm(`The app wants to ${kind}: ${JSON.stringify(what)}`),
    context: {
      toolInfo: { tool: { ...tool } },
      theme: dark.matches ? "dark" : "light",
      displayMode: "inline",
      availableDisplayModes: ["inline"],
      containerDimensions: { width: container.clientWidth, maxHeight: 4_000 },
      locale: navigator.language,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      userAgent: `mcpwright/${version}`,
      platform: "web",
    },
    openLink: (url) => void open(url, "_blank", "noopener"),
    downloadFile: (contents) => say("downloadFile", contents),
    sendMessage: (content) => say("sendMessage", content),
    updateModelContext: (update) => say("updateModelContext", update),
    onLog: (message) => say("log", message),
    onInitialized: () => still.begin(),
    onRequestTeardown: () => void app.close({ reason: "the app asked for it" }),
    onclose: (error) => {
      if (error) still.fail(error);
      say("closed", error?.message ?? "");
    },
    onerror: (error) => say("error", error.message),
  });
  app.sendToolInput(args);
  app.sendToolResult(result);

  const theme = byId("theme");
  const setTheme = (isDark: boolean): void => {
    document.documentElement.style.colorScheme = isDark ? "dark" : "light";
    theme.textContent = isDark ? "Light" : "Dark";
    app.setContext({ theme: isDark ? "dark" : "light" });
  };
  setTheme(dark.matches);
  theme.addEventListener("click", () => setTheme(app.context.theme !== "dark"));
}

/** Adds a line to the page. */
function say(kind: string, what: unknown): void {
  const line = document.createElement("li");
  line.textContent = `${kind} ${typeof what === "string" ? what : JSON.stringify(what)}`.slice(0, 2_000);
  byId("lines").prepend(line);
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}
