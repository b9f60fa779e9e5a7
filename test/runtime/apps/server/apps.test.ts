import { EXTENSION_ID } from "@mcpwright/protocol/extensions/apps";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  APP_MIME_TYPE,
  apps,
  registerAppResource,
  registerAppTool,
  showsApps,
  toolApp,
} from "../../../../runtime/src/apps.js";
import { Client } from "../../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../../runtime/src/client/http.js";
import { ResourceTemplate } from "../../../../runtime/src/server.js";
import type { ServerExtension } from "../../../../runtime/src/server/server-extension.js";
import { createMcpHandler } from "../../../../runtime/src/server/http.js";
import { connect, eras, errorOf, info, text, thrown } from "../../api/pair.js";
import { rankExtension } from "../../extensions/rank-extension.js";
import { appServer, chart, chartUri, notShowing, showing } from "./app-servers.js";

const ui = { resourceUri: chartUri } as const;

function weather() {
  const made = appServer();
  registerAppResource(made.server, "Chart", chartUri, { _meta: { ui: { prefersBorder: true } } }, chart);
  registerAppTool(
    made.server,
    "forecast",
    { inputSchema: z.object({ city: z.string() }), _meta: { ui, owner: "me" } },
    ({ city }, context) => ({
      ...text(showsApps(context) ? `The chart shows ${city}.` : `${city}: 20, 21, 19 degrees`),
      structuredContent: { degrees: [20, 21, 19] },
    }),
  );
  registerAppTool(made.server, "refresh", { _meta: { ui: { ...ui, visibility: ["app"] } } }, () => text("fresh"));
  registerAppTool(made.server, "explain", { _meta: { ui: { visibility: ["model"] } } }, () => text("warm"));
  made.server.registerTool("plain", {}, () => text("plain"));
  return made;
}

describe.each(eras)("in %s", (revision) => {
  test("a host finds the app of a tool, reads it, and gets the text for hosts with apps", async () => {
    const { server, errors } = weather();
    const { client, problems } = await connect(server, revision, showing);
    expect(client.getServerCapabilities()?.extensions?.[EXTENSION_ID]).toEqual({});

    const { tools } = await client.listTools();
    expect(tools.map((tool) => [tool.name, toolApp(tool)])).toEqual([
      ["forecast", { resourceUri: chartUri, isForModel: true, isForApps: true }],
      ["refresh", { resourceUri: chartUri, isForModel: false, isForApps: true }],
      ["explain", { resourceUri: undefined, isForModel: true, isForApps: false }],
      ["plain", { resourceUri: undefined, isForModel: true, isForApps: true }],
    ]);
    expect(tools[0]?._meta).toEqual({ ui, owner: "me", "ui/resourceUri": chartUri });

    const { resources } = await client.listResources();
    expect(resources).toEqual([
      { uri: chartUri, name: "Chart", mimeType: APP_MIME_TYPE, _meta: { ui: { prefersBorder: true } } },
    ]);
    const { contents } = await client.readResource({ uri: chartUri });
    expect(contents).toEqual([
      { uri: chartUri, mimeType: APP_MIME_TYPE, text: chart, _meta: { ui: { prefersBorder: true } } },
    ]);
    const { content } = await client.callTool({ name: "forecast", arguments: { city: "Rome" } });
    expect(content).toEqual([{ type: "text", text: "The chart shows Rome." }]);
    expect((await client.callTool({ name: "refresh" })).content).toEqual(text("fresh").content);
    expect([...errors, ...problems]).toEqual([]);
  });

  test.each(notShowing)("a client with %s gets texts, and does not see what only apps call", async (_, options) => {
    const { server } = weather();
    const { client } = await connect(server, revision, options);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["forecast", "explain", "plain"]);
    const { content } = await client.callTool({ name: "forecast", arguments: { city: "Rome" } });
    expect(content[0]).toEqual({ type: "text", text: "Rome: 20, 21, 19 degrees" });
  });

  test("one server lists the right tools for each of its clients, page by page, also after changes", async () => {
    const { server } = appServer({ pageSize: 2 });
    registerAppResource(server, "Chart", chartUri, {}, chart);
    for (const name of ["a", "b", "c", "d", "e"])
      registerAppTool(server, name, { _meta: { ui: { ...ui, visibility: [name < "c" ? "app" : "model"] } } }, () =>
        text(""),
      );
    const host = await connect(server, revision, showing);
    const other = await connect(server, revision);
    const names = async ({ client }: typeof host): Promise<string[]> =>
      (await client.listTools()).tools.map(({ name }) => name);
    for (let round = 0; round < 2; round++) {
      expect(await names(host)).toEqual(["a", "b", "c", "d", "e"]);
      expect(await names(other)).toEqual(["c", "d", "e"]);
    }
    registerAppTool(server, "f", { _meta: { ui: { visibility: ["app"] } } }, () => text(""));
    expect(await names(host)).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(await names(other)).toEqual(["c", "d", "e"]);
  });

  test("the views of several extensions apply together", async () => {
    const hidesPlain: ServerExtension = {
      ...rankExtension,
      attachServer: (server) => {
        server.viewTools = () => ({ name: "no plain", includes: ({ definition }) => definition.name !== "plain" });
      },
    };
    const { server } = appServer({ extensions: [hidesPlain, apps()] });
    registerAppTool(server, "refresh", { _meta: { ui: { visibility: ["app"] } } }, () => text("fresh"));
    for (const name of ["plain", "other"]) server.registerTool(name, {}, () => text(name));
    const listed = async (options: object): Promise<string[]> =>
      (await (await connect(server, revision, options)).client.listTools()).tools.map(({ name }) => name);
    expect(await listed(showing)).toEqual(["refresh", "other"]);
    expect(await listed({})).toEqual(["other"]);
  });
});

describe("a tool whose app is missing", () => {
  const message = `tool "forecast" is shown by ${chartUri}, which is not registered; register it with registerAppResource`;

  test("makes connecting fail, until the resource is registered", async () => {
    const { server } = appServer();
    registerAppTool(server, "forecast", { _meta: { ui } }, () => text(""));
    expect(await errorOf(connect(server, "2026-07-28"))).toMatchObject({ code: "INVALID_CONFIGURATION", message });
    expect([...server.server.connections]).toEqual([]);
    registerAppResource(server, "Chart", chartUri, {}, chart);
    const { client } = await connect(server, "2026-07-28");
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  test("is reported once if it is registered after the first client; its list is complete", async () => {
    const { server, errors } = appServer();
    server.registerTool("plain", {}, () => text(""));
    const { client } = await connect(server, "2026-07-28", showing);
    registerAppTool(server, "forecast", { _meta: { ui } }, () => text(""));
    for (let round = 0; round < 2; round++) {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["plain", "forecast"]);
      server.registerTool(`more-${round}`, {}, () => text("")).remove();
    }
    expect(errors.map((error) => error.message)).toEqual([message]);
  });

  test("is reported over HTTP with the first list, which is complete", async () => {
    const { server, errors } = appServer();
    registerAppTool(server, "forecast", { _meta: { ui } }, () => text(""));
    const handler = createMcpHandler(server, { allowedHosts: "any" });
    const client = new Client(info);
    const fetch = (url: string | URL | Request, init?: RequestInit) => handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport("http://localhost/mcp", { fetch }));
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(errors.map((error) => error.message)).toEqual([message]);
    await client.close();
    await handler.close();
  });

  test("is found if the resource is not one of an app", async () => {
    const { server } = appServer();
    registerAppTool(server, "forecast", { _meta: { ui } }, () => text(""));
    const resource = server.registerResource("Chart", chartUri, { mimeType: "text/html" }, () => ({ contents: [] }));
    const wrong = (type: string) =>
      `tool "forecast" is shown by ${chartUri}, whose MIME type is ${type}, not ${APP_MIME_TYPE}; use registerAppResource`;
    expect((await errorOf(connect(server, "2026-07-28"))).message).toBe(wrong("text/html"));
    resource.update({ mimeType: undefined as never });
    expect((await errorOf(connect(server, "2026-07-28"))).message).toBe(wrong("not given"));
    resource.update({ mimeType: APP_MIME_TYPE });
    await connect(server, "2026-07-28");
  });

  test("is not looked for among resources of the low-level server, and found among those of templates", async () => {
    const low = appServer({ capabilities: { resources: {} } });
    registerAppTool(low.server, "forecast", { _meta: { ui } }, () => text(""));
    await connect(low.server, "2026-07-28");
    const { server } = appServer();
    registerAppTool(server, "forecast", { _meta: { ui } }, () => text(""));
    server.registerResource("Charts", new ResourceTemplate("ui://weather/{name}"), {}, () => ({ contents: [] }));
    await connect(server, "2026-07-28");
  });
});

test("a tool and a resource of apps need the extension", async () => {
  const { server } = appServer({ extensions: [] });
  expect(thrown(() => registerAppTool(server, "a", { _meta: { ui } }, () => text(""))).message).toBe(
    "registerAppTool needs extensions: [apps()] (@mcpwright/runtime/apps)",
  );
  expect(thrown(() => registerAppResource(server, "a", chartUri, {}, chart)).message).toBe(
    "registerAppResource needs extensions: [apps()] (@mcpwright/runtime/apps)",
  );
  const { client } = await connect(server, "2026-07-28");
  expect(client.getServerCapabilities()).toEqual({});
});
