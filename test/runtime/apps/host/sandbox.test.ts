import { describe, expect, test } from "vitest";
import { readApp, type ResourceReader } from "../../../../runtime/src/apps/host/app-resource.js";
import { allowAttribute, contentPolicy, grantedPermissions } from "../../../../runtime/src/apps/host/content-policy.js";
import { fittingSize } from "../../../../runtime/src/apps/host/fitting-size.js";
import { sandboxPage } from "../../../../runtime/src/apps/host/sandbox-proxy.js";

describe("the policy", () => {
  test("without declared domains, nothing can be loaded or reached", () => {
    expect(contentPolicy().split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'unsafe-inline'",
      "style-src 'unsafe-inline'",
      "img-src data:",
      "media-src data:",
      "font-src 'none'",
      "connect-src 'none'",
      "frame-src 'none'",
      "base-uri 'self' about:",
      "object-src 'none'",
      "form-action 'none'",
    ]);
  });

  test("declared domains are allowed for their purpose", () => {
    const policy = contentPolicy({
      connectDomains: ["wss://live.example"],
      resourceDomains: ["https://*.cdn.example", "https://img.example"],
      frameDomains: ["https://video.example"],
      baseUriDomains: ["https://base.example"],
    });
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'unsafe-inline' https://*.cdn.example https://img.example",
      "style-src 'unsafe-inline' https://*.cdn.example https://img.example",
      "img-src data: https://*.cdn.example https://img.example",
      "media-src data: https://*.cdn.example https://img.example",
      "font-src https://*.cdn.example https://img.example",
      "connect-src wss://live.example",
      "frame-src https://video.example",
      "base-uri https://base.example",
      "object-src 'none'",
      "form-action 'none'",
    ]);
  });

  test.each([
    ["*"],
    ["https:"],
    ["'unsafe-eval'"],
    ["https://a.example; script-src *"],
    ["https://a.example https://b.example"],
    ["data:"],
    ["https://a.example/path"],
  ])("an entry that is not an origin is an error: %s", (entry) => {
    expect(() => contentPolicy({ connectDomains: [entry] })).toThrow(
      expect.objectContaining({ code: "INVALID_CONFIGURATION" }) as Error,
    );
  });

  test("permissions are those that are asked for and granted", () => {
    const asked = { camera: {}, microphone: {}, clipboardWrite: {} };
    const granted = grantedPermissions(asked, { camera: {}, clipboardWrite: {}, geolocation: {} });
    expect(granted).toEqual({ camera: {}, clipboardWrite: {} });
    expect(allowAttribute(granted)).toBe("camera; clipboard-write");
    expect(grantedPermissions(asked, undefined)).toEqual({});
    expect(grantedPermissions(undefined, asked)).toEqual({});
  });
});

describe("the page of the sandbox", () => {
  const hostOrigins = ["https://chat.example"];

  test("it can be framed by the hosts, and has the policy of the app", () => {
    const csp = encodeURIComponent(JSON.stringify({ connectDomains: ["https://api.example"] }));
    const { headers, html } = sandboxPage(`/?csp=${csp}`, { hostOrigins });
    expect(headers["content-security-policy"]).toContain("connect-src https://api.example;");
    expect(headers["content-security-policy"]).toContain("; frame-ancestors https://chat.example");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(html).toContain('["https://chat.example"]');
  });

  test("without a parameter it has the strictest policy", () => {
    const { headers } = sandboxPage(new URL("https://sandbox.example/"), { hostOrigins });
    expect(headers["content-security-policy"]).toBe(`${contentPolicy()}; frame-ancestors https://chat.example`);
  });

  test.each([
    ["/?csp=x", "the parameter csp is not JSON"],
    ["/?csp=[]", "csp must be an object"],
    [`/?csp={"connectDomains":"https://a.example"}`, "csp.connectDomains must be an array of origins"],
    [`/?csp={"connectDomains":["*"]}`, `csp.connectDomains[0] "*" has no scheme`],
  ])("the request %s is an error", (url, message) => {
    expect(() => sandboxPage(url, { hostOrigins })).toThrow(message);
  });

  test.each([[[]], [["https://chat.example/"]], [["*"]], [['https://a.example"</script>']]])(
    "the hosts %j are an error",
    (origins) => {
      expect(() => sandboxPage("/", { hostOrigins: origins })).toThrow("hostOrigins");
    },
  );
});

describe("an app is read and checked", () => {
  const uri = "ui://weather/chart";
  const html = "<!doctype html><p>Wien, Österreich";
  const mimeType = "text/html;profile=mcp-app";
  const reader = (...contents: object[]): ResourceReader => ({
    readResource: () =>
      Promise.resolve({ resultType: "complete", contents: contents as never, ttlMs: 0, cacheScope: "private" }),
  });

  test("from a text or from bytes", async () => {
    const ui = { csp: { connectDomains: ["https://api.example"] }, prefersBorder: true };
    const blob = Buffer.from(html).toString("base64");
    expect(await readApp(reader({ uri, mimeType, text: html, _meta: { ui } }), uri)).toEqual({ uri, html, meta: ui });
    expect(await readApp(reader({ uri, mimeType: "text/html; profile=mcp-app", blob }), uri)).toEqual({
      uri,
      html,
      meta: {},
    });
  });

  test.each(["ui://weather/forecast chart", "ui://weather/größe", "ui://weather/a/../chart"])(
    "at %s, of which its server sends the normal form",
    async (asked) => {
      const read = readApp(reader({ uri: new URL(asked).href, mimeType, text: html }), asked);
      expect(await read).toEqual({ uri: asked, html, meta: {} });
    },
  );

  test.each([
    ["another URI", "file:///a", { uri: "file:///a", mimeType, text: html }, "its URI does not begin with ui://"],
    ["another resource", uri, { uri: "ui://other", mimeType, text: html }, "the server sent other resources"],
    [
      "another type",
      uri,
      { uri, mimeType: "text/html", text: html },
      "its type is text/html, not text/html;profile=mcp-app",
    ],
    ["no type", uri, { uri, text: html }, "its type is not stated"],
    ["invalid metadata", uri, { uri, mimeType, text: html, _meta: { ui: { csp: [] } } }, "_meta.ui does not match"],
    [
      "a domain that is not an origin",
      uri,
      { uri, mimeType, text: html, _meta: { ui: { csp: { frameDomains: ["https://a.example; x"] } } } },
      "csp.frameDomains[0]",
    ],
    ["bytes that are not UTF-8", uri, { uri, mimeType, blob: "/w==" }, "is not an app"],
    ["bytes that are not base64", uri, { uri, mimeType, blob: "?" }, "is not an app"],
  ])("%s is an error", async (_name, asked, contents, message) => {
    const read = readApp(reader(contents), asked);
    await expect(read).rejects.toMatchObject({ code: "INVALID_RESULT" });
    await expect(read).rejects.toThrow(message);
  });
});

test.each([
  [{ height: 200, width: 300 }, {}, { height: "200px" }],
  [{ height: 200 }, { containerDimensions: { maxHeight: 150 } }, { height: "150px" }],
  [{ height: 200, width: 300 }, { containerDimensions: { height: 100, maxWidth: 250 } }, { width: "250px" }],
  [{ height: -5, width: 300 }, { containerDimensions: { width: 100 } }, { height: "0px" }],
  [{ height: 1e9 }, {}, { height: "20000px" }],
])("content of %j in %j gets %j", (size, context, css) => {
  expect(fittingSize(size, context)).toEqual(css);
});
