/** Which hosts and origins are accepted, and what browsers may read. */
import { describe, expect, test } from "vitest";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { hosts } from "./hosts.js";
import { call, modern, open, plain, R4, request } from "./messages.js";
import { Subject } from "./subject.js";

type Headers = Readonly<Record<string, string | undefined>>;

const own: McpHandlerOptions = {};
const named: McpHandlerOptions = {
  allowedHosts: ["mcp.example", "other.example:8080"],
  allowedOrigins: ["https://app.example", "http://localhost:6274"],
};
const any: McpHandlerOptions = { allowedHosts: "any" };

const rows: readonly (readonly [string, McpHandlerOptions, Headers, 200 | 400 | 403])[] = [
  ["localhost", own, { host: "localhost" }, 200],
  ["localhost with a port", own, { host: "localhost:3000" }, 200],
  ["127.0.0.1 with a port", own, { host: "127.0.0.1:3000" }, 200],
  ["[::1] with a port", own, { host: "[::1]:3000" }, 200],
  ["upper case", own, { host: "LOCALHOST:3000" }, 200],
  ["a foreign host", own, { host: "evil.example" }, 403],
  ["a host with the same beginning", own, { host: "localhost.evil.example" }, 403],
  ["a host that begins with the address", own, { host: "127.0.0.1.evil.example:80" }, 403],
  ["a host with a user", own, { host: "localhost@evil.example" }, 400],
  ["two hosts in one field", own, { host: "localhost, localhost" }, 400],
  ["two hosts where any is allowed", any, { host: "a.example, b.example" }, 400],
  ["a host with a path", any, { host: "a.example/b" }, 400],
  ["another address", own, { host: "192.168.0.1" }, 403],
  ["a named host", named, { host: "mcp.example" }, 200],
  ["a named host with any port", named, { host: "mcp.example:1234" }, 200],
  ["a named host with its port", named, { host: "other.example:8080" }, 200],
  ["a named host with another port", named, { host: "other.example:9090" }, 403],
  ["a named host without its port", named, { host: "other.example" }, 403],
  ["loopback, where only other hosts are allowed", named, { host: "localhost" }, 403],
  ["any host", any, { host: "whatever.example" }, 200],
  ["no origin", own, { host: "localhost" }, 200],
  ["the own origin", own, { host: "localhost:3000", origin: "http://localhost:3000" }, 200],
  ["the own origin with https", own, { host: "localhost:3000", origin: "https://localhost:3000" }, 200],
  ["an origin with another port", own, { host: "localhost:3000", origin: "http://localhost:3001" }, 403],
  ["a foreign origin", own, { host: "localhost", origin: "http://evil.example" }, 403],
  ["an origin with the same beginning", own, { host: "localhost", origin: "http://localhost.evil.example" }, 403],
  ["the origin of a file", own, { host: "localhost", origin: "null" }, 403],
  ["an empty origin", own, { host: "localhost", origin: "" }, 403],
  ["an invalid origin", own, { host: "localhost", origin: "localhost" }, 403],
  ["an extension's origin", own, { host: "localhost", origin: "chrome-extension://localhost" }, 403],
  ["a named origin", named, { host: "mcp.example", origin: "https://app.example" }, 200],
  ["a named origin with http", named, { host: "mcp.example", origin: "http://app.example" }, 403],
  ["a named origin with a port", named, { host: "mcp.example", origin: "http://localhost:6274" }, 200],
  ["a foreign origin, any host", any, { host: "whatever.example", origin: "https://evil.example" }, 403],
];

describe.each(hosts)("$name", ({ open: host }) => {
  test.each(rows)("%s", async (_, options, headers, status) => {
    const at = await host(new Subject().server, options);
    const sent = call(1, "echo", { text: "x" });
    const answer = await at.send({ ...sent, headers: { ...sent.headers, ...headers } });
    expect(answer.status).toBe(status);
    if (status !== 200) expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32600 } });
    for (const method of ["GET", "DELETE", "OPTIONS"]) {
      const other = await at.send({ method, headers });
      if (status === 200) expect(other.status).not.toBe(403);
      else expect(other.status).toBe(status);
      other.cut();
    }
  });

  const origin = "https://app.example";
  const browser = { host: "mcp.example", origin };

  test("sends CORS headers with every response to an allowed origin", async () => {
    const at = await host(new Subject().server, named);
    const more = { headers: browser };
    const answers = [
      await at.send(call(1, "echo", { text: "x" }, more)),
      await at.send(
        call(2, "say", { lines: ["a"] }, { ...more, meta: { "io.modelcontextprotocol/logLevel": "info" } }),
      ),
      await at.send(modern(3, "tools/unknown", {}, more)),
      await at.send(modern(4, "tools/list", {}, { headers: { ...browser, "mcp-method": "x" } })),
      await at.send(plain("{", more)),
      await at.send(plain(request(1, "ping"), more)),
      await at.send(
        plain(
          request(1, "initialize", { protocolVersion: R4, capabilities: {}, clientInfo: { name: "b", version: "1" } }),
          more,
        ),
      ),
      await at.send({ method: "PUT", headers: browser }),
      await at.send({ method: "GET", headers: { ...browser, accept: "text/event-stream" } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 400, 400, 400, 200, 405, 200]);
    for (const answer of answers) {
      expect([answer.header("access-control-allow-origin"), answer.header("vary")]).toEqual([origin, "origin"]);
      expect(answer.header("access-control-expose-headers")?.toLowerCase()).toContain("mcp-session-id");
      expect(answer.header("access-control-allow-credentials")).toBeUndefined();
      answer.cut();
    }
  });

  test("sends CORS headers in a session", async () => {
    const at = await host(new Subject().server, { allowedOrigins: [origin] });
    const session = await open(at, R4);
    for (const sent of [
      session.sent(request(1, "ping")),
      session.sent({ jsonrpc: "2.0", method: "notifications/x" }),
      session.sent(request(2, "tools/call", { name: "say", arguments: { lines: ["a"] } })),
      { method: "GET", headers: { accept: "text/event-stream", ...session.headers } },
      { method: "DELETE", headers: session.headers },
    ]) {
      const answer = await at.send({ ...sent, headers: { ...sent.headers, origin } });
      expect(answer.header("access-control-allow-origin")).toBe(origin);
      answer.cut();
    }
  });

  test("sends no CORS headers without allowedOrigins, not even to the own origin", async () => {
    const at = await host(new Subject().server);
    const answer = await at.send(
      call(1, "echo", { text: "x" }, { headers: { host: "localhost:1", origin: "http://localhost:1" } }),
    );
    expect([answer.status, answer.header("access-control-allow-origin"), answer.header("vary")]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });

  describe("a preflight", () => {
    const preflight = async (headers: Headers) =>
      (await host(new Subject().server, named)).send({
        method: "OPTIONS",
        headers: { ...browser, "access-control-request-method": "POST", ...headers },
      });

    test("allows the methods and all the headers that clients send", async () => {
      const answer = await preflight({ "access-control-request-headers": "content-type" });
      expect([answer.status, await answer.text(), answer.header("access-control-allow-origin")]).toEqual([
        204,
        "",
        origin,
      ]);
      expect(answer.header("access-control-allow-methods")).toBe("GET, POST, DELETE");
      const allowed = answer.header("access-control-allow-headers")?.split(", ") ?? [];
      expect(allowed).toEqual(
        expect.arrayContaining([
          "accept",
          "authorization",
          "content-type",
          "last-event-id",
          "mcp-method",
          "mcp-name",
          "mcp-protocol-version",
          "mcp-session-id",
        ]),
      );
    });

    test.each([
      ["a parameter of a tool", "Mcp-Param-Zone, x-evil", ["mcp-param-zone"]],
      ["several", "mcp-param-a,mcp-param-b , mcp-param-c", ["mcp-param-a", "mcp-param-b", "mcp-param-c"]],
      ["names that only resemble one", "mcp-param-, mcp-paramx, mcp-param-a b, *", []],
    ])("allows %s", async (_, requested, wanted) => {
      const answer = await preflight({ "access-control-request-headers": requested });
      const allowed = answer.header("access-control-allow-headers")?.split(", ") ?? [];
      expect(allowed.filter((name) => name.startsWith("mcp-param"))).toEqual(wanted);
      expect(allowed.filter((name) => ["*", "x-evil", "mcp-paramx"].includes(name))).toEqual([]);
    });

    test("allows the headers of allowedHeaders", async () => {
      const at = await host(new Subject().server, { ...named, allowedHeaders: ["X-Api-Key"] });
      const asked = { "access-control-request-method": "POST", "access-control-request-headers": "x-api-key" };
      const answer = await at.send({ method: "OPTIONS", headers: { ...browser, ...asked } });
      expect(answer.header("access-control-allow-headers")?.split(", ")).toContain("X-Api-Key");
    });

    test("of a foreign origin is rejected", async () => {
      const answer = await preflight({ origin: "https://evil.example" });
      expect([answer.status, answer.header("access-control-allow-origin")]).toEqual([403, undefined]);
    });
  });
});
