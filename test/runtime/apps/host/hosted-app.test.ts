import { expect, test, vi } from "vitest";
import { HostedApp } from "../../../../runtime/src/apps/host/hosted-app.js";
import type { AppClient, AppHostOptions } from "../../../../runtime/src/apps/host/host-options.js";
import type { Client } from "../../../../runtime/src/client.js";
import { RemoteError } from "../../../../runtime/src/jsonrpc/errors.js";
import { ScriptedEnd } from "../scripted-end.js";

const info = { name: "host", version: "1.0.0" };
const introduction = {
  appInfo: { name: "app", version: "2.0.0" },
  appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  protocolVersion: "2026-01-26",
};
const inputSchema = { type: "object" } as const;
const tools = [
  { name: "both", inputSchema },
  { name: "apps", inputSchema, _meta: { ui: { visibility: ["app"] } } },
  { name: "model", inputSchema, _meta: { ui: { visibility: ["model"] } } },
];
const result = { resultType: "complete", content: [{ type: "text", text: "done" }] } as const;

/** A client of a server with these tools. */
function clientWith(more: Partial<AppClient> = {}) {
  return {
    listTools: vi.fn(() => Promise.resolve({ tools })),
    callTool: vi.fn<AppClient["callTool"]>(() => Promise.resolve({ ...result, content: [...result.content] })),
    readResource: vi.fn<AppClient["readResource"]>(({ uri }) =>
      Promise.resolve({
        resultType: "complete",
        contents: [{ uri, text: "text" }],
        ttlMs: 0,
        cacheScope: "private" as const,
      }),
    ),
    ...more,
  };
}

async function hosted(options: Partial<AppHostOptions> = {}, answers: Record<string, unknown> = {}) {
  const { end: app, other } = await ScriptedEnd.open(answers);
  const errors: Error[] = [];
  const closed = vi.fn();
  const host = new HostedApp(other, {
    info,
    consent: () => true,
    onerror: (error) => errors.push(error),
    onclose: closed,
    ...options,
  });
  await host.open();
  return { host, app, errors, closed };
}

/** The same with an app that is ready. */
async function ready(options: Partial<AppHostOptions> = {}, answers: Record<string, unknown> = {}) {
  const all = await hosted(options, answers);
  await all.app.request("ui/initialize", introduction);
  all.app.send({ method: "ui/notifications/initialized" });
  await expect.poll(() => all.host.isReady).toBe(true);
  return all;
}

/** What the app has heard, without responses. */
const told = (app: ScriptedEnd): unknown[] =>
  app.received.flatMap(({ method, params }) => (method === undefined ? [] : [[method, params]]));

test("a client of ours is one that apps can use", () => {
  const use = (client: Client): AppClient => client;
  expect(use).toBeTypeOf("function");
});

test("without consent there is no host", async () => {
  const { other } = await ScriptedEnd.open({});
  expect(() => new HostedApp(other, { info } as AppHostOptions)).toThrow(
    "consent must be a function that decides what the app may do",
  );
});

test("it declares what it has functions for", async () => {
  const few = await hosted();
  expect((await few.app.request("ui/initialize", introduction)).result).toEqual({
    protocolVersion: "2026-01-26",
    hostInfo: info,
    hostCapabilities: {},
    hostContext: {},
  });
  expect(few.host.info).toEqual(introduction.appInfo);
  expect(few.host.capabilities).toEqual(introduction.appCapabilities);
  const done = (): void => undefined;
  const many = await hosted({
    client: clientWith(),
    openLink: done,
    downloadFile: done,
    sendMessage: done,
    updateModelContext: done,
    onLog: done,
    sandbox: { permissions: { camera: {} } },
    context: { theme: "dark" },
  });
  const { result: all } = await many.app.request("ui/initialize", introduction);
  expect(all).toMatchObject({ hostContext: { theme: "dark" } });
  expect(Object.keys((all as { hostCapabilities: object }).hostCapabilities)).toEqual([
    "serverTools",
    "serverResources",
    "openLinks",
    "downloadFile",
    "message",
    "updateModelContext",
    "logging",
    "sandbox",
  ]);
});

test("an app that has not introduced itself can only do that", async () => {
  const { app, host } = await hosted({ client: clientWith() });
  expect((await app.request("tools/call", { name: "both" })).error).toMatchObject({ code: -32600 });
  app.send({ method: "ui/notifications/initialized" });
  expect((await app.request("ping")).result).toEqual({});
  expect(host.isReady).toBe(false);
  expect((await app.request("ui/initialize", { appInfo: {} })).error).toMatchObject({ code: -32602 });
  await app.request("ui/initialize", introduction);
  expect((await app.request("ui/initialize", introduction)).error).toMatchObject({ code: -32600 });
});

test("nothing is sent before the app is ready; of the same message, only the last", async () => {
  const { app, host } = await hosted({ context: { theme: "dark" } });
  host.sendToolInputPartial({ a: 1 });
  host.sendToolInputPartial({ a: 12 });
  host.setContext({ locale: "de" });
  expect((await app.request("ui/initialize", introduction)).result).toMatchObject({
    hostContext: { theme: "dark", locale: "de" },
  });
  host.setContext({ theme: "light" });
  host.setContext({ timeZone: "Europe/Vienna" });
  await app.request("ping");
  expect(told(app)).toEqual([]);
  app.send({ method: "ui/notifications/initialized" });
  await app.heard("ui/notifications/host-context-changed");
  expect(told(app)).toEqual([
    ["ui/notifications/tool-input-partial", { arguments: { a: 12 } }],
    ["ui/notifications/host-context-changed", { theme: "light", timeZone: "Europe/Vienna" }],
  ]);
});

test("the tool call has an order", async () => {
  const { app, host } = await ready();
  const misplaced = expect.objectContaining({ code: "INVALID_CONFIGURATION" }) as Error;
  expect(() => host.sendToolResult(result as never)).toThrow(misplaced);
  host.sendToolInputPartial({ a: 1 });
  host.sendToolInput({ a: 12 });
  expect(() => host.sendToolInput({})).toThrow(misplaced);
  expect(() => host.sendToolInputPartial({})).toThrow(misplaced);
  host.sendToolResult({ content: [] });
  expect(() => host.sendToolResult({ content: [] })).toThrow(misplaced);
  expect(() => host.sendToolCancelled()).toThrow(misplaced);
  await app.heard("ui/notifications/tool-result");
  expect(told(app).map((one) => (one as string[])[0])).toEqual([
    "ui/notifications/tool-input-partial",
    "ui/notifications/tool-input",
    "ui/notifications/tool-result",
  ]);
});

test("tools are called as far as their visibility and the consent allow", async () => {
  const client = clientWith();
  const consent = vi.fn(({ kind }: { kind: string }) => kind === "callTool");
  const { app } = await ready({ client, consent });
  expect((await app.request("tools/call", { name: "both", arguments: { a: 1 }, _meta: { x: 1 } })).result).toEqual(
    result,
  );
  expect(consent).toHaveBeenLastCalledWith(
    { kind: "callTool", tool: tools[0], arguments: { a: 1 } },
    expect.any(AbortSignal),
  );
  expect(client.callTool).toHaveBeenLastCalledWith(
    { name: "both", arguments: { a: 1 } },
    { signal: expect.any(AbortSignal) as AbortSignal },
  );
  expect((await app.request("tools/call", { name: "apps" })).result).toEqual(result);
  expect(client.listTools).toHaveBeenCalledOnce();
  consent.mockClear();
  expect((await app.request("tools/call", { name: "model" })).error).toEqual({
    code: -32000,
    message: "The tool model is not for apps",
  });
  expect((await app.request("tools/call", { name: "none" })).error).toEqual({
    code: -32602,
    message: "Unknown tool: none",
  });
  expect(consent).not.toHaveBeenCalled();
  expect(client.callTool).toHaveBeenCalledTimes(2);
  expect(client.listTools).toHaveBeenCalledTimes(2);
  expect((await app.request("resources/read", { uri: "file:///a" })).error).toMatchObject({ code: -32000 });
  expect(client.readResource).not.toHaveBeenCalled();
  for (const params of [{}, { name: 1 }, { name: "both", arguments: [] }])
    expect((await app.request("tools/call", params)).error).toMatchObject({ code: -32602 });
});

test("progress of a call reaches the app with its token", async () => {
  const client = clientWith({
    callTool: (_params, options) => {
      options?.onProgress?.({ progress: 1, total: 2 });
      return Promise.resolve({ ...result, content: [] });
    },
  });
  const { app } = await ready({ client });
  await app.request("tools/call", { name: "both", _meta: { progressToken: "t" } });
  expect(told(app)).toEqual([["notifications/progress", { progressToken: "t", progress: 1, total: 2 }]]);
});

test("an error of the server is that of the request; one of the client is hidden", async () => {
  const failing = vi.fn<AppClient["callTool"]>();
  failing.mockRejectedValueOnce(new RemoteError(-32603, "the server failed", { at: 1 }));
  failing.mockRejectedValueOnce(new Error("the network of the host"));
  const { app, errors } = await ready({ client: clientWith({ callTool: failing }) });
  expect((await app.request("tools/call", { name: "both" })).error).toEqual({
    code: -32603,
    message: "the server failed",
    data: { at: 1 },
  });
  expect((await app.request("tools/call", { name: "both" })).error).toEqual({
    code: -32603,
    message: "Internal error",
  });
  expect(errors.map(({ message }) => message)).toEqual(["the network of the host"]);
});

test("tools that could not be listed are listed again", async () => {
  const listTools = vi.fn(() => Promise.resolve({ tools }));
  listTools.mockRejectedValueOnce(new RemoteError(-32000, "busy"));
  const { app } = await ready({ client: clientWith({ listTools }) });
  expect((await app.request("tools/call", { name: "both" })).error).toMatchObject({ message: "busy" });
  expect((await app.request("tools/call", { name: "both" })).result).toEqual(result);
});

test("a call that the app cancels is cancelled at the server", async () => {
  const aborted = vi.fn();
  const callTool: AppClient["callTool"] = (_params, options) =>
    new Promise((_resolve, reject) =>
      options?.signal?.addEventListener("abort", () => {
        aborted();
        reject(new Error("aborted"));
      }),
    );
  const { app } = await ready({ client: clientWith({ callTool }) });
  app.send({ id: "a", method: "tools/call", params: { name: "both" } });
  await app.request("ping");
  app.send({ method: "notifications/cancelled", params: { requestId: "a" } });
  await expect.poll(() => aborted.mock.calls.length).toBe(1);
});

test.each(["ftp://example.com/", "javascript:alert(1)", "data:text/html,x", "no url", "//example.com"])(
  "%s cannot be opened",
  async (url) => {
    const openLink = vi.fn();
    const { app } = await ready({ openLink });
    expect((await app.request("ui/open-link", { url })).error).toMatchObject({ code: -32602 });
    expect(openLink).not.toHaveBeenCalled();
  },
);

test("a consent that fails is a refusal, and is reported", async () => {
  const openLink = vi.fn();
  const consent = (): boolean => {
    throw new Error("no window");
  };
  const { app, errors } = await ready({ openLink, consent });
  expect((await app.request("ui/open-link", { url: "https://example.com/" })).result).toEqual({ isError: true });
  expect(openLink).not.toHaveBeenCalled();
  expect(errors.map(({ message }) => message)).toEqual(["no window"]);
});

test("files, messages and the model's context go to the functions of the host", async () => {
  const downloadFile = vi.fn();
  const sendMessage = vi.fn();
  const updateModelContext = vi.fn();
  const { app } = await ready({ downloadFile, sendMessage, updateModelContext });
  const content = [{ type: "text", text: "hello" }];
  const contents = [{ type: "resource_link", uri: "file:///a", name: "a" }];
  expect((await app.request("ui/download-file", { contents })).result).toEqual({});
  expect((await app.request("ui/message", { role: "user", content })).result).toEqual({});
  expect((await app.request("ui/update-model-context", { structuredContent: { a: 1 }, extra: 1 })).result).toEqual({});
  expect(downloadFile).toHaveBeenCalledWith(contents);
  expect(sendMessage).toHaveBeenCalledWith(content);
  expect(updateModelContext).toHaveBeenCalledWith({ structuredContent: { a: 1 } });
  expect((await app.request("ui/message", { role: "assistant", content })).error).toMatchObject({ code: -32602 });
});

test("the display mode changes only to one that both sides have", async () => {
  const requestDisplayMode = vi.fn((mode: "inline" | "fullscreen" | "pip") => mode);
  const context = { displayMode: "inline", availableDisplayModes: ["inline", "fullscreen", "pip"] } as const;
  const { app, host } = await ready({
    requestDisplayMode,
    context: { ...context, availableDisplayModes: [...context.availableDisplayModes] },
  });
  const ask = async (mode: string): Promise<unknown> => (await app.request("ui/request-display-mode", { mode })).result;
  expect(await ask("pip")).toEqual({ mode: "inline" });
  expect(await ask("inline")).toEqual({ mode: "inline" });
  expect(requestDisplayMode).not.toHaveBeenCalled();
  expect(await ask("fullscreen")).toEqual({ mode: "fullscreen" });
  expect(host.context.displayMode).toBe("fullscreen");
  expect(told(app)).toEqual([["ui/notifications/host-context-changed", { displayMode: "fullscreen" }]]);
  const without = await ready({ context: { availableDisplayModes: ["inline", "fullscreen"] } });
  expect((await without.app.request("ui/request-display-mode", { mode: "fullscreen" })).result).toEqual({
    mode: "inline",
  });
});

test("notifications of the app are checked and passed on", async () => {
  const onSizeChange = vi.fn();
  const onLog = vi.fn();
  const onRequestTeardown = vi.fn();
  const { app, errors } = await ready({ onSizeChange, onLog, onRequestTeardown });
  app.send({ method: "ui/notifications/size-changed", params: { height: 10 } });
  app.send({ method: "ui/notifications/size-changed", params: { height: "10" } });
  app.send({ method: "notifications/message", params: { level: "info", data: null } });
  app.send({ method: "notifications/message", params: { level: "info" } });
  app.send({ method: "ui/notifications/request-teardown" });
  await app.request("ping");
  expect(onSizeChange.mock.calls.map(([size]) => size as unknown)).toEqual([{ height: 10 }]);
  expect(onLog).toHaveBeenCalledOnce();
  expect(onRequestTeardown).toHaveBeenCalledOnce();
  expect(errors).toHaveLength(2);
});

test("the host uses tools of the app", async () => {
  const { host } = await ready({}, { "tools/list": { tools: [] } });
  expect(await host.request("tools/list")).toEqual({ tools: [] });
  const other = await hosted();
  await expect(other.host.request("tools/list")).rejects.toMatchObject({ code: "NOT_CONNECTED" });
});

test("it waits for the app at the end, once", async () => {
  const { host, app, closed } = await ready({}, { "ui/resource-teardown": {} });
  const closing = host.close({ reason: "the chat is over" });
  expect(host.close()).toBe(closing);
  expect(await closing).toBe(true);
  expect(told(app)).toEqual([["ui/resource-teardown", { reason: "the chat is over" }]]);
  expect(closed).toHaveBeenCalledExactlyOnceWith(undefined);
});

test.each([
  ["does not answer", {}, "ui/resource-teardown got no response in 20 ms (option timeoutMs)"],
  ["fails", { "ui/resource-teardown": () => new Error("cannot save") }, "cannot save"],
])("it does not wait longer for an app that %s", async (_name, answers, message) => {
  const { host, errors, closed } = await ready({}, answers);
  expect(await host.close({ timeoutMs: 20 })).toBe(false);
  expect(errors.map((error) => error.message)).toEqual([message]);
  expect(closed).toHaveBeenCalledOnce();
});

test("an app that is not ready is not asked", async () => {
  const { host, app } = await hosted();
  expect(await host.close()).toBe(false);
  expect(told(app)).toEqual([]);
});
