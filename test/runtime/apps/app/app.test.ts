import { afterEach, expect, test, vi } from "vitest";
import { App } from "../../../../runtime/src/apps/app/app.js";
import type { AppOptions } from "../../../../runtime/src/apps/app/app-options.js";
import { ScriptedEnd } from "../scripted-end.js";

const hostCapabilities = { openLinks: {}, downloadFile: {}, serverTools: {}, serverResources: {}, logging: {} };
const initialized = {
  protocolVersion: "2026-01-26",
  hostInfo: { name: "host", version: "1.0.0" },
  hostCapabilities,
  hostContext: { theme: "dark", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"] },
};

/** An app that is connected to a host with these answers. */
async function connected(options: AppOptions = {}, answers: Record<string, unknown> = {}) {
  const { end: host, other } = await ScriptedEnd.open({ "ui/initialize": initialized, ...answers });
  const errors: Error[] = [];
  const app = new App(
    { name: "chart", version: "2.0.0" },
    { autoResize: false, onerror: (error) => void errors.push(error), ...options },
  );
  await app.connect(other);
  await host.heard("ui/notifications/initialized");
  return { app, host, errors };
}

afterEach(() => vi.unstubAllGlobals());

test("it introduces itself, and knows its host afterwards", async () => {
  const { app, host } = await connected({ capabilities: { availableDisplayModes: ["inline"] } });
  expect(host.received.map(({ method, params }) => ({ method, params }))).toEqual([
    {
      method: "ui/initialize",
      params: {
        appInfo: { name: "chart", version: "2.0.0" },
        appCapabilities: { availableDisplayModes: ["inline"] },
        protocolVersion: "2026-01-26",
      },
    },
    { method: "ui/notifications/initialized", params: undefined },
  ]);
  expect(app.hostInfo).toEqual(initialized.hostInfo);
  expect(app.hostCapabilities).toEqual(hostCapabilities);
  expect(app.hostContext).toEqual(initialized.hostContext);
  const again = { code: "ALREADY_CONNECTED", message: "connect was called before; create another App" };
  await expect(app.connect()).rejects.toMatchObject(again);
});

test.each([
  ["no capabilities", { ...initialized, hostCapabilities: undefined }],
  ["capabilities of another type", { ...initialized, hostCapabilities: { openLinks: true } }],
  ["no version of the host", { ...initialized, hostInfo: { name: "host" } }],
  ["no context", { ...initialized, hostContext: [] }],
  ["no protocol version", { ...initialized, protocolVersion: 1 }],
])("a host with %s is refused", async (_name, answer) => {
  const { end, other } = await ScriptedEnd.open({ "ui/initialize": answer });
  const onclose = vi.fn();
  const app = new App({ name: "chart", version: "1.0.0" }, { autoResize: false, onclose });
  await expect(app.connect(other)).rejects.toMatchObject({ code: "INVALID_RESULT", data: { result: {} } });
  expect(onclose).toHaveBeenCalledOnce();
  expect(end.methods).toEqual(["ui/initialize"]);
});

test("a page that no host listens to gets an error", async () => {
  const { other } = await ScriptedEnd.open({});
  const app = new App({ name: "chart", version: "1.0.0" }, { autoResize: false });
  await expect(app.connect(other, { timeoutMs: 20 })).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
});

test("it receives the tool call: partial arguments, arguments, result", async () => {
  const heard: unknown[] = [];
  const { host, errors } = await connected({
    onToolInputPartial: (args) => void heard.push(["partial", args]),
    onToolInput: (args) => void heard.push(["input", args]),
    onToolResult: (result) => void heard.push(["result", result]),
    onToolCancelled: (reason) => void heard.push(["cancelled", reason]),
  });
  const note = (name: string, params: object): void => host.send({ method: `ui/notifications/${name}`, params });
  note("tool-input-partial", { arguments: { city: "Vie" } });
  note("tool-input", { arguments: { city: "Vienna" } });
  note("tool-input", {});
  note("tool-result", { content: [{ type: "text", text: "sunny" }], structuredContent: { degrees: 21 } });
  note("tool-result", { resultType: "complete", content: [], isError: true });
  note("tool-cancelled", { reason: "stopped" });
  note("tool-cancelled", {});
  await expect.poll(() => heard).toHaveLength(7);
  expect(heard).toEqual([
    ["partial", { city: "Vie" }],
    ["input", { city: "Vienna" }],
    ["input", {}],
    [
      "result",
      { resultType: "complete", content: [{ type: "text", text: "sunny" }], structuredContent: { degrees: 21 } },
    ],
    ["result", { resultType: "complete", content: [], isError: true }],
    ["cancelled", "stopped"],
    ["cancelled", undefined],
  ]);
  expect(errors).toEqual([]);
});

test("invalid notifications are reported and not delivered", async () => {
  const onToolResult = vi.fn();
  const onToolInput = vi.fn();
  const { host, errors } = await connected({ onToolResult, onToolInput });
  host.send({ method: "ui/notifications/tool-result", params: { content: [{ type: "text" }] } });
  host.send({ method: "ui/notifications/tool-input", params: { arguments: ["Vienna"] } });
  host.send({ method: "ui/notifications/tool-input" });
  host.send({ method: "ui/notifications/unknown", params: {} });
  await expect.poll(() => errors).toHaveLength(3);
  expect(errors[0]).toMatchObject({
    code: "INVALID_MESSAGE",
    message: "the params of ui/notifications/tool-result are invalid; it was ignored",
  });
  expect(onToolResult).not.toHaveBeenCalled();
  expect(onToolInput).not.toHaveBeenCalled();
});

test("changes of the context are merged", async () => {
  const changes: unknown[] = [];
  const { app, host } = await connected({ onContextChange: (changed) => void changes.push(changed) });
  host.send({ method: "ui/notifications/host-context-changed", params: { theme: "light", locale: "de-AT" } });
  await expect.poll(() => changes).toEqual([{ theme: "light", locale: "de-AT" }]);
  expect(app.hostContext).toEqual({ ...initialized.hostContext, theme: "light", locale: "de-AT" });
});

test("its requests go to the host", async () => {
  const text = { type: "text", text: "hello" } as const;
  const answers = {
    "tools/call": ({ name }: { name: string }) => ({ content: [{ type: "text", text: name }] }),
    "resources/read": { contents: [{ uri: "file:///a", text: "A" }] },
    "ui/open-link": { isError: true },
    "ui/download-file": {},
    "ui/message": {},
    "ui/update-model-context": {},
    "ui/request-display-mode": { mode: "inline" },
    "prompts/list": { prompts: [] },
  };
  const { app, host } = await connected({}, answers);
  expect(await app.callTool({ name: "add", arguments: { a: 1 } })).toMatchObject({
    content: [{ type: "text", text: "add" }],
  });
  expect(await app.readResource({ uri: "file:///a" })).toMatchObject({ contents: [{ text: "A" }] });
  expect((await app.openLink("https://example.com/")).isError).toBe(true);
  expect((await app.downloadFile([{ type: "resource_link", uri: "file:///a", name: "a" }])).isError).toBeUndefined();
  await app.sendMessage("hello");
  await app.sendMessage([text]);
  await app.updateModelContext({ content: [text], structuredContent: { chosen: 2 } });
  expect(await app.requestDisplayMode("fullscreen")).toBe("inline");
  expect(await app.request("prompts/list")).toMatchObject({ prompts: [] });
  await app.requestTeardown();
  await app.log({ level: "info", data: { clicks: 3 } });
  await app.reportSize({ width: 300, height: 200 });
  await host.heard("ui/notifications/size-changed");
  expect(host.received.slice(2).map(({ method, params }) => [method, params])).toEqual([
    ["tools/call", { name: "add", arguments: { a: 1 } }],
    ["resources/read", { uri: "file:///a" }],
    ["ui/open-link", { url: "https://example.com/" }],
    ["ui/download-file", { contents: [{ type: "resource_link", uri: "file:///a", name: "a" }] }],
    ["ui/message", { role: "user", content: [text] }],
    ["ui/message", { role: "user", content: [text] }],
    ["ui/update-model-context", { content: [text], structuredContent: { chosen: 2 } }],
    ["ui/request-display-mode", { mode: "fullscreen" }],
    ["prompts/list", undefined],
    ["ui/notifications/request-teardown", {}],
    ["notifications/message", { level: "info", data: { clicks: 3 } }],
    ["ui/notifications/size-changed", { width: 300, height: 200 }],
  ]);
});

test.each([
  ["tools/call", {}],
  ["tools/call", { content: [{ type: "image" }] }],
  ["resources/read", { contents: [{ uri: "file:///a" }] }],
  ["resources/read", { contents: {} }],
  ["ui/request-display-mode", { mode: "huge" }],
])("an invalid result of %s is an error", async (method, result) => {
  const { app } = await connected({}, { [method]: result });
  const asked =
    method === "tools/call"
      ? app.callTool({ name: "add" })
      : method === "resources/read"
        ? app.readResource({ uri: "file:///a" })
        : app.requestDisplayMode("fullscreen");
  await expect(asked).rejects.toMatchObject({ code: "INVALID_RESULT" });
});

test("a feature that the host does not offer is an error before anything is sent", async () => {
  const { app, host } = await connected({}, { "ui/initialize": { ...initialized, hostCapabilities: {} } });
  const lacks = { code: "CAPABILITY_NOT_SUPPORTED" };
  await expect(app.callTool({ name: "add" })).rejects.toMatchObject(lacks);
  await expect(app.readResource({ uri: "file:///a" })).rejects.toMatchObject(lacks);
  await expect(app.openLink("https://example.com/")).rejects.toMatchObject(lacks);
  await expect(app.downloadFile([])).rejects.toMatchObject(lacks);
  await expect(app.requestDisplayMode("pip")).rejects.toMatchObject({
    ...lacks,
    message: "the host offers inline, fullscreen, but not pip",
  });
  expect(host.methods).toEqual(["ui/initialize", "ui/notifications/initialized"]);
});

test("before it is connected and after it was closed, requests are errors", async () => {
  const unconnected = new App({ name: "chart", version: "1.0.0" });
  await expect(unconnected.callTool({ name: "add" })).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  await expect(unconnected.request("prompts/list")).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  expect(unconnected.hostContext).toEqual({});
  const { app } = await connected();
  const running = app.callTool({ name: "slow" });
  await app.close();
  await expect(running).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  await expect(app.callTool({ name: "add" })).rejects.toMatchObject({ code: "NOT_CONNECTED" });
});

test("an error of the host has its code", async () => {
  const { app } = await connected({}, { "ui/open-link": () => new Error("denied") });
  await expect(app.openLink("https://example.com/")).rejects.toMatchObject({
    name: "RemoteError",
    code: -32000,
    message: "denied",
  });
});

test("a cancelled request is cancelled at the host, and its late response is ignored", async () => {
  const { app, host, errors } = await connected();
  const stop = new AbortController();
  const running = app.callTool({ name: "slow" }, { signal: stop.signal });
  const { id } = await host.heard("tools/call");
  stop.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  expect((await host.heard("notifications/cancelled")).params).toEqual({ requestId: id, reason: "enough" });
  host.send({ id, result: { content: [] } });
  expect((await host.request("ping")).result).toEqual({});
  expect(errors).toEqual([]);
});

test("the host can ask for the end, and waits for the handler", async () => {
  let saved = false;
  const { host } = await connected({
    onTeardown: async () => {
      await Promise.resolve();
      saved = true;
    },
  });
  expect((await host.request("ui/resource-teardown", { reason: "closed" })).result).toEqual({});
  expect(saved).toBe(true);
});

test("an error of the handler is reported, and hidden from the host", async () => {
  const { host, errors } = await connected({
    onTeardown: () => {
      throw new Error("the disk is full");
    },
    onToolInput: () => {
      throw new Error("cannot draw");
    },
  });
  expect((await host.request("ui/resource-teardown", {})).error).toEqual({ code: -32603, message: "Internal error" });
  host.send({ method: "ui/notifications/tool-input", params: {} });
  await expect.poll(() => errors.map(({ message }) => message)).toEqual(["the disk is full", "cannot draw"]);
});

test("the host can call tools of the app", async () => {
  const { host } = await connected({
    capabilities: { tools: {} },
    onListTools: () => ({
      tools: [{ name: "zoom", inputSchema: { type: "object" } }],
      ttlMs: 0,
      cacheScope: "private",
    }),
    onCallTool: ({ name }) => ({ content: [{ type: "text", text: `${name} done` }] }),
  });
  expect((await host.request("tools/list")).result).toMatchObject({ tools: [{ name: "zoom" }] });
  expect((await host.request("tools/call", { name: "zoom" })).result).toEqual({
    content: [{ type: "text", text: "zoom done" }],
  });
  expect((await host.request("prompts/list")).error).toMatchObject({ code: -32601 });
});

/** The globals of a page whose size is measured. */
function measuredPage() {
  const page = { height: 100.2, changed: (): void => undefined };
  const frames: (() => void)[] = [];
  const style = { height: "50%" };
  const observed: unknown[] = [];
  const disconnect = vi.fn();
  const documentElement = { style, scrollWidth: 640, getBoundingClientRect: () => ({ height: page.height }) };
  class Observer {
    constructor(call: () => void) {
      page.changed = call;
    }
    observe = (element: unknown): void => void observed.push(element);
    disconnect = disconnect;
  }
  vi.stubGlobal("document", { documentElement });
  vi.stubGlobal("ResizeObserver", Observer);
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => frames.push(draw));
  const draw = (): void => frames.splice(0).forEach((one) => one());
  return { page, frames, style, observed, disconnect, documentElement, draw };
}

test("it reports the size of the content, once per frame and only when it differs", async () => {
  const { page, frames, style, observed, disconnect, documentElement, draw } = measuredPage();
  const { app, host } = await connected({ autoResize: true });
  expect(observed).toEqual([documentElement]);
  page.changed();
  page.changed();
  expect(frames).toHaveLength(1);
  draw();
  page.changed();
  draw();
  page.height = 300;
  page.changed();
  draw();
  expect(style.height).toBe("50%");
  await host.request("ping");
  expect(host.received.flatMap(({ method, params }) => (method?.includes("size") ? [params] : []))).toEqual([
    { width: 640, height: 101 },
    { width: 640, height: 300 },
  ]);
  await app.close();
  expect(disconnect).toHaveBeenCalledOnce();
});

test("a frame that was requested before the end reports nothing", async () => {
  const { page, draw } = measuredPage();
  const { app, host } = await connected({ autoResize: true });
  const reportSize = vi.spyOn(app, "reportSize");
  page.changed();
  await app.close();
  draw();
  expect(reportSize).not.toHaveBeenCalled();
  expect(host.methods).not.toContain("ui/notifications/size-changed");
});

test("the size is not watched when the host ends the connection while the app introduces itself", async () => {
  const { observed } = measuredPage();
  const { other } = await ScriptedEnd.open({ "ui/initialize": initialized });
  const send = other.send.bind(other);
  other.send = (message) => {
    if (!("method" in message) || message.method !== "ui/notifications/initialized") return send(message);
    other.onclose?.();
    return Promise.resolve();
  };
  const onclose = vi.fn();
  const app = new App({ name: "chart", version: "1.0.0" }, { onclose });
  await app.connect(other);
  expect(observed).toEqual([]);
  expect(onclose).toHaveBeenCalledOnce();
});
