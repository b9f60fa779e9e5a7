/** How requests are classified, and how invalid ones are rejected (requirements by step). */
import { describe, expect, test } from "vitest";
import { McpServer as CoreMcpServer } from "../../../runtime/src/server/core.js";
import type { McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { all, answered, BATCH, none, refused, type Row, rows, version } from "./classification-rows.js";
import { type Host, hosts } from "./hosts.js";
import {
  CAPABILITIES,
  initialize,
  type Message,
  modern,
  notification,
  open,
  plain,
  R4,
  R5,
  request,
  VERSION,
} from "./messages.js";
import { Subject } from "./subject.js";

/** The responses of an endpoint that supports only the stateless era. */
const modernOnly: readonly Row[] = [
  { input: "GET", send: { method: "GET", headers: { accept: "text/event-stream" } }, gets: [405, -32600] },
  { input: "DELETE", send: { method: "DELETE", headers: none }, gets: [405, -32600] },
  { input: "initialize", send: plain(initialize(R4)), gets: [400, -32022, { supported: [R5], requested: R4 }] },
  {
    input: "initialize that names a revision",
    send: modern(1, "initialize"),
    gets: [404, -32601, { supported: [R5] }],
  },
  {
    input: "initialize that names a revision, without the header",
    send: plain(modern(1, "initialize").body),
    gets: [404, -32601, { supported: [R5] }],
  },
  {
    input: "another request",
    send: plain(request(1, "ping"), version(R4)),
    gets: [400, -32022, { supported: [R5], requested: R4 }],
  },
  {
    input: "a request that names no revision",
    send: plain(request(1, "ping")),
    gets: [400, -32022, { supported: [R5], requested: "unknown" }],
  },
  { input: "a response", send: plain({ jsonrpc: "2.0", id: 1, result: {} }, { headers: none }), gets: refused },
  { input: "an array", send: plain(BATCH, { headers: none }), gets: refused },
  { input: "a request", send: modern(1, "server/discover"), gets: [200, { result: { supportedVersions: [R5] } }] },
];

/** The responses of an endpoint that supports only the handshake era. */
const handshakeOnly: readonly Row[] = [
  {
    input: "a request that names a revision",
    send: modern(1, "server/discover"),
    gets: [400, -32602, { supported: [R4], requested: R5 }],
  },
  {
    input: "a request with the header of the stateless era",
    send: plain(request(1, "ping"), version(R5)),
    gets: [400, -32602, { supported: [R4], requested: R5 }],
  },
  {
    input: "GET without a session and a version",
    send: { method: "GET", headers: { accept: "text/event-stream" } },
    gets: refused,
  },
  { input: "initialize", send: plain(initialize(R4)), gets: [200, { result: { protocolVersion: R4 } }] },
];

/** The responses of an endpoint without sessions. */
const stateless: readonly Row[] = [
  {
    input: "GET",
    send: { method: "GET", headers: { accept: "text/event-stream", "mcp-protocol-version": R4 } },
    gets: [405, -32600],
  },
  { input: "DELETE", send: { method: "DELETE", headers: none }, gets: [405, -32600] },
  { input: "a response", send: plain({ jsonrpc: "2.0", id: 1, result: {} }, { headers: none }), gets: refused },
  { input: "a notification", send: plain(notification("notifications/initialized"), version(R4)), gets: [202] },
  {
    input: "a request with any session",
    send: plain(request(1, "ping"), { headers: { ...none, "mcp-protocol-version": R4 } }),
    gets: [200, answered],
  },
  {
    input: "a request with an unknown version",
    send: plain(request(1, "ping"), version("1999-01-01")),
    gets: [400, -32022, { supported: all, requested: "1999-01-01" }],
  },
  { input: "an array, which only 2025-03-26 has", send: plain(BATCH, version(R4)), gets: refused },
  {
    input: "an array of 2025-03-26, which has no version header",
    send: plain([request(1, "ping"), request(2, "nope")]),
    gets: [200, [{ id: 1 }, { id: 2, error: { code: -32601 } }]],
  },
];

async function play({ send, gets: [status, wanted, data] }: Row, host: Host): Promise<void> {
  const sent = typeof send === "function" ? send(await open(host, R4)) : send;
  const answer = await host.send(sent);
  const body = await answer.text();
  expect({ status: answer.status, body }).toMatchObject({ status });
  if (wanted === undefined) {
    expect(body).toBe("");
    return;
  }
  const message = JSON.parse(body) as Message;
  if (typeof wanted === "object") {
    expect(message).toMatchObject(wanted);
    return;
  }
  expect(message).toMatchObject({ jsonrpc: "2.0", error: { code: wanted, ...(data && { data }) } });
  // Only the response to a request that was read has an id.
  const { id, method } = (sent.body ?? {}) as { id?: unknown; method?: unknown };
  if (method !== undefined && typeof id === "number" && (status < 403 || status === 406)) expect(message.id).toBe(id);
  else if (status !== 404) expect(message).not.toHaveProperty("id");
}

function core(...revisions: readonly string[]): CoreMcpServer {
  const sides = serverSides.filter(({ revision }) => revisions.includes(revision));
  const server = new CoreMcpServer({ name: "core", version: "1" }, { revisions: sides });
  server.registerTool("nothing", {}, () => ({ content: [] }));
  return server;
}

const endpoints: readonly {
  readonly serves: string;
  readonly rows: readonly Row[];
  readonly server: () => CoreMcpServer;
  readonly options?: McpHandlerOptions;
}[] = [
  { serves: "every revision", rows, server: () => new Subject().server },
  { serves: "the stateless era only", rows: modernOnly, server: () => core(R5) },
  { serves: "2025-11-25 only", rows: handshakeOnly, server: () => core(R4) },
  { serves: "no sessions", rows: stateless, server: () => new Subject().server, options: { sessions: false } },
];

describe.each(hosts)("$name", ({ open: host }) => {
  describe.each(endpoints)("an endpoint that serves $serves", ({ rows: some, server, options }) => {
    test.each(some)("$input", async (row) => play(row, await host(server(), options)));
  });

  test("a rejected method lists the allowed ones", async () => {
    const allowed = async (server: CoreMcpServer, options?: McpHandlerOptions) =>
      (await (await host(server, options)).send({ method: "PUT" })).header("allow");
    expect(await allowed(core(R5))).toBe("POST");
    expect(await allowed(core(R4, R5))).toBe("GET, POST, DELETE");
    expect(await allowed(core(R4, R5), { sessions: false })).toBe("POST");
    expect(await allowed(core("2024-11-05", R5))).toBe("GET, POST");
  });

  test("repeats the id of a request that is not acceptable", async () => {
    const at = await host(new Subject().server);
    for (const accept of ["application/json", "text/event-stream", "text/html"]) {
      const refused = await at.send(plain(request("a", "ping"), { headers: { accept } }));
      expect([refused.status, ((await refused.json()) as Message).id]).toEqual([406, "a"]);
    }
  });

  test("names missing metadata", async () => {
    const at = await host(new Subject().server);
    const lacking = await (await at.send(plain(request(1, "tools/list"), version(R5)))).text();
    const half = plain(request(1, "tools/list", { _meta: { [VERSION]: R5 } }), {
      headers: { "mcp-protocol-version": R5, "mcp-method": "tools/list" },
    });
    expect([lacking.includes(VERSION), lacking.includes(CAPABILITIES)]).toEqual([true, true]);
    const answer = await at.send(half);
    expect([answer.status, (await answer.text()).includes(CAPABILITIES)]).toEqual([400, true]);
  });
});
