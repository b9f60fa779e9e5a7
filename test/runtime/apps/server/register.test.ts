import { describe, expect, test } from "vitest";
import { registerAppResource, registerAppTool, toolApp } from "../../../../runtime/src/apps.js";
import { connect, errorOf, text, thrown } from "../../api/pair.js";
import { appServer, chart, chartUri, showing } from "./app-servers.js";

const origin = "https://api.example.com";

describe("registerAppResource", () => {
  test.each([
    ["weather://chart", `resource "weather://chart": the URIs of apps begin with ui:// and a name`],
    ["UI://weather/chart", `resource "UI://weather/chart": the URIs of apps begin with ui:// and a name`],
    ["ui://", `resource "ui://": the URIs of apps begin with ui:// and a name`],
    ["ui:weather", `resource "ui:weather": the URIs of apps begin with ui:// and a name`],
  ])("rejects the URI %s", (uri, message) => {
    const { server } = appServer();
    expect(thrown(() => registerAppResource(server, "Chart", uri, {}, chart))).toMatchObject({
      code: "INVALID_CONFIGURATION",
      message,
    });
  });

  const at = `resource "${chartUri}": _meta.ui`;
  const rows: readonly (readonly [object | string | null | number, string])[] = [
    ["x", `${at} must be an object, not "x"`],
    [{ csp: [] }, `${at}.csp must be an object, not []`],
    [{ csp: { connectDomains: origin } }, `${at}.csp.connectDomains must be an array of origins, not "${origin}"`],
    [
      { csp: { connectSrc: [origin] } },
      `${at}.csp.connectSrc is not a list of domains; use connectDomains, resourceDomains, frameDomains, baseUriDomains`,
    ],
    [{ csp: { frameDomains: [origin, 5] } }, `${at}.csp.frameDomains[1] 5 must be a string, not number`],
    [{ csp: { frameDomains: [null] } }, `${at}.csp.frameDomains[0] null must be a string, not null`],
    ...["'unsafe-eval'", `${origin}; script-src *`, `${origin} ${origin}`, `${origin},x`, `${origin}\n`].map(
      (entry) =>
        [
          { csp: { resourceDomains: [entry] } },
          `${at}.csp.resourceDomains[0] ${JSON.stringify(entry)} contains a space, a quote, a comma or a semicolon; write one origin per entry`,
        ] as const,
    ),
    ...["api.example.com", "*", "", "//api.example.com", "data:", "https:"].map(
      (entry) =>
        [
          { csp: { connectDomains: [entry] } },
          `${at}.csp.connectDomains[0] "${entry}" has no scheme; write an origin such as "https://api.example.com"`,
        ] as const,
    ),
    [
      { csp: { connectDomains: ["ftp://example.com"] } },
      `${at}.csp.connectDomains[0] "ftp://example.com" has the scheme ftp; use https, http, wss or ws`,
    ],
    [
      { csp: { resourceDomains: ["wss://example.com"] } },
      `${at}.csp.resourceDomains[0] "wss://example.com" has the scheme wss; use https or http`,
    ],
    ...["https://", "https://*", "https://a.*.com", "https://*.*.com", "https://a b", "https://x:99999"].flatMap(
      (entry) =>
        entry.includes(" ")
          ? []
          : [
              [
                { csp: { baseUriDomains: [entry] } },
                `${at}.csp.baseUriDomains[0] "${entry}" has no valid host; "*" can only be the first label, as in "https://*.example.com"`,
              ] as const,
            ],
    ),
    ...(
      [
        [`${origin}/`, origin],
        [`${origin}/v1?x#y`, origin],
        ["https://me:secret@api.example.com", origin],
        ["https://*.example.com/x", "https://*.example.com"],
        ["https://bücher.example", "https://xn--bcher-kva.example"],
      ] as const
    ).map(
      ([entry, better]) =>
        [
          { csp: { connectDomains: [entry] } },
          `${at}.csp.connectDomains[0] "${entry}" is not an origin; write "${better}"`,
        ] as const,
    ),
    [{ permissions: ["camera"] }, `${at}.permissions must be an object, not ["camera"]`],
    [{ permissions: { camera: true } }, `${at}.permissions.camera must be an object, not true`],
    [{ domain: "" }, `${at}.domain must be a non-empty string, not ""`],
    [{ domain: 5 }, `${at}.domain must be a non-empty string, not 5`],
    [{ prefersBorder: "yes" }, `${at}.prefersBorder must be a boolean, not "yes"`],
  ];
  test.each(rows)("rejects _meta.ui %j", (ui, message) => {
    const { server } = appServer();
    const config = { _meta: { ui: ui as object } };
    expect(thrown(() => registerAppResource(server, "Chart", chartUri, config, chart))).toMatchObject({
      code: "INVALID_CONFIGURATION",
      message,
    });
    expect(server.server.features.resources?.registry.get(chartUri)).toBe(undefined);
  });

  test("accepts origins, also with ports, wildcards, and in upper case", async () => {
    const { server } = appServer();
    const ui = {
      csp: {
        connectDomains: [
          origin,
          "wss://realtime.example.com",
          "ws://localhost:8080",
          "http://127.0.0.1:3000",
          "http://[::1]:3000",
        ],
        resourceDomains: [
          "https://*.example.com",
          "https://*.example.com:8443",
          "https://cdn.example.com:443",
          "HTTPS://CDN.example.com",
        ],
        frameDomains: [],
      },
      permissions: { camera: {}, microphone: {}, geolocation: {}, clipboardWrite: {} },
      domain: "a904794854a047f6.example.com",
      prefersBorder: false,
    };
    registerAppResource(server, "Chart", chartUri, { title: "A chart", _meta: { ui, owner: "me" } }, chart);
    const { client } = await connect(server, "2026-07-28", showing);
    const { resources } = await client.listResources();
    expect(resources[0]).toMatchObject({ title: "A chart", _meta: { ui, owner: "me" } });
    const { contents } = await client.readResource({ uri: chartUri });
    expect(contents[0]?._meta).toEqual({ ui });
  });

  test("rejects another MIME type, missing HTML and a URI that is registered", () => {
    const { server } = appServer();
    const register = (config: object, html: unknown) => () =>
      registerAppResource(server, "Chart", chartUri, config, html as string);
    expect(thrown(register({ mimeType: "text/html" }, chart)).message).toBe(
      `resource "${chartUri}": the MIME type of apps is text/html;profile=mcp-app, not text/html; leave mimeType out`,
    );
    expect(thrown(register({}, undefined)).message).toBe(
      `resource "${chartUri}" has no HTML; call registerAppResource(server, name, uri, config, html)`,
    );
    register({}, chart)();
    expect(thrown(register({}, chart)).message).toBe(
      `resource "${chartUri}" is already registered; update or remove it first`,
    );
  });

  test("completes what a callback returns, and keeps what it says itself", async () => {
    const { server } = appServer();
    const own = { ui: { prefersBorder: true }, owner: "me" };
    const seen: string[] = [];
    registerAppResource(
      server,
      "Chart",
      chartUri,
      { _meta: { ui: { domain: "a.example" } } },
      async ({ href }, context) => {
        seen.push(href, context.method);
        return Promise.resolve(chart);
      },
    );
    registerAppResource(
      server,
      "Blob",
      "ui://weather/blob",
      { _meta: { ui: { domain: "a.example" } } },
      ({ href }) => ({
        contents: [
          { uri: href, blob: "PGI+", _meta: own },
          { uri: href, text: chart, _meta: { owner: "me" } },
        ],
      }),
    );
    const { client } = await connect(server, "2026-07-28", showing);
    const mimeType = "text/html;profile=mcp-app";
    expect((await client.readResource({ uri: chartUri })).contents).toEqual([
      { uri: chartUri, mimeType, text: chart, _meta: { ui: { domain: "a.example" } } },
    ]);
    expect(seen).toEqual([chartUri, "resources/read"]);
    const uri = "ui://weather/blob";
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType, blob: "PGI+", _meta: own },
      { uri, mimeType, text: chart, _meta: { ui: { domain: "a.example" }, owner: "me" } },
    ]);
  });

  test.each([
    [
      { mimeType: "text/html" },
      "the MIME type of apps is text/html;profile=mcp-app, not text/html; leave mimeType out",
    ],
    [{ _meta: { ui: { domain: 5 } } }, "_meta.ui.domain must be a non-empty string, not 5"],
  ])("does not send contents of a callback that are invalid: %j", async (content, problem) => {
    const { server, errors } = appServer();
    registerAppResource(server, "Chart", chartUri, {}, ({ href }) => ({
      contents: [{ uri: href, text: chart, ...content }],
    }));
    const { client } = await connect(server, "2026-07-28", showing);
    expect(await errorOf(client.readResource({ uri: chartUri }))).toMatchObject({ code: -32603 });
    expect(errors.map(({ message }) => message)).toEqual([`resource "${chartUri}": ${problem}`]);
  });

  test("updates the HTML, the metadata and the URI, with the same checks; a rejected update changes nothing", async () => {
    const { server } = appServer();
    const resource = registerAppResource(server, "Chart", chartUri, { description: "one" }, chart);
    const { client } = await connect(server, "2026-07-28", showing);
    const listed = async () => (await client.listResources()).resources;
    expect(thrown(() => resource.update({ uri: "x://y" })).message).toContain("begin with ui://");
    expect(thrown(() => resource.update({ _meta: { ui: { domain: "" } } })).message).toContain("_meta.ui.domain");
    expect(await listed()).toMatchObject([{ uri: chartUri, name: "Chart", description: "one" }]);
    const uri = "ui://weather/other";
    resource.update({ uri, name: "Other", html: "<b>", _meta: { ui: { prefersBorder: false } } });
    resource.update({ description: "two" });
    expect(await listed()).toMatchObject([
      { uri, name: "Other", description: "two", _meta: { ui: { prefersBorder: false } } },
    ]);
    expect((await client.readResource({ uri })).contents).toMatchObject([
      { text: "<b>", _meta: { ui: { prefersBorder: false } } },
    ]);
    resource.disable();
    expect([resource.enabled, await listed()]).toEqual([false, []]);
    resource.enable();
    resource.remove();
    expect(await listed()).toEqual([]);
  });
});

describe("registerAppTool", () => {
  const at = `tool "t": _meta.ui`;
  const rows: readonly (readonly [unknown, string])[] = [
    [undefined, `${at} must be an object, not undefined`],
    ["ui://a", `${at} must be an object, not "ui://a"`],
    [{}, `${at} has neither resourceUri nor visibility; a tool without both needs no app: use registerTool`],
    [
      { resourceUri: "https://a.example" },
      `${at}.resourceUri "https://a.example": the URIs of apps begin with ui:// and a name`,
    ],
    [{ resourceUri: 5 }, `${at}.resourceUri 5: the URIs of apps begin with ui:// and a name`],
    [{ visibility: "app" }, `${at}.visibility must be an array with "model", "app" or both, not "app"`],
    [{ visibility: [] }, `${at}.visibility must be an array with "model", "app" or both, not []`],
    [{ visibility: ["model", "apps"] }, `${at}.visibility contains "apps"; use "model" and "app"`],
    [{ visibility: ["app"], csp: {} }, `${at}.csp has no effect; pass it to registerAppResource`],
    [{ visibility: ["app"], permissions: {} }, `${at}.permissions has no effect; pass it to registerAppResource`],
  ];
  test.each(rows)("rejects _meta.ui %j", (ui, message) => {
    const { server } = appServer();
    const register = () => registerAppTool(server, "t", { _meta: { ui: ui as object } }, () => text(""));
    expect(thrown(register)).toMatchObject({ code: "INVALID_CONFIGURATION", message });
    expect(server.server.features.tools).toBe(undefined);
  });

  test("rejects a name that is registered, and a call without _meta", () => {
    const { server } = appServer();
    const register = (config: object) => () => registerAppTool(server, "t", config as never, () => text(""));
    register({ _meta: { ui: { visibility: ["app"] } } })();
    expect(thrown(register({ _meta: { ui: { visibility: ["app"] } } })).message).toBe(
      'tool "t" is already registered; update or remove it first',
    );
    expect(thrown(register({})).message).toBe('tool "t": _meta.ui must be an object, not undefined');
  });

  test("updates _meta with the same checks", async () => {
    const { server } = appServer();
    registerAppResource(server, "Chart", chartUri, {}, chart);
    const tool = registerAppTool(server, "t", { _meta: { ui: { visibility: ["app"] } } }, () => text("one"));
    const { client } = await connect(server, "2026-07-28", showing);
    expect(thrown(() => tool.update({ _meta: { ui: { visibility: ["me"] } } })).message).toContain('contains "me"');
    tool.update({ _meta: { ui: { resourceUri: chartUri } } });
    tool.update({ description: "changed" });
    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({
      description: "changed",
      _meta: { ui: { resourceUri: chartUri }, "ui/resourceUri": chartUri },
    });
  });
});

test.each([
  [undefined, undefined, true, true],
  [{}, undefined, true, true],
  [{ ui: "x" }, undefined, true, true],
  [{ ui: { resourceUri: "ui://a" } }, "ui://a", true, true],
  [{ "ui/resourceUri": "ui://b" }, "ui://b", true, true],
  [{ "ui/resourceUri": "ui://b", ui: { resourceUri: "ui://a" } }, "ui://a", true, true],
  [{ ui: { resourceUri: "https://a.example" } }, undefined, true, true],
  [{ ui: { resourceUri: ["ui://a"] } }, undefined, true, true],
  [{ ui: { visibility: ["model"] } }, undefined, true, false],
  [{ ui: { visibility: ["app"] } }, undefined, false, true],
  [{ ui: { visibility: ["app", "model"] } }, undefined, true, true],
  [{ ui: { visibility: [] } }, undefined, false, false],
  [{ ui: { visibility: "app" } }, undefined, true, true],
] as const)("toolApp reads %j", (_meta, resourceUri, isForModel, isForApps) => {
  expect(toolApp({ _meta })).toEqual({ resourceUri, isForModel, isForApps });
});
