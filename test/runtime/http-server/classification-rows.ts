import type { Sent } from "./hosts.js";
import {
  BOTH,
  claim,
  initialize,
  modern,
  notification,
  plain,
  R2,
  R3,
  R4,
  R5,
  type RawSession,
  request,
  VERSION,
} from "./messages.js";

/** The status, and the code or the result of the response; neither for an empty body. */
export type Expected = readonly [status: number, code?: number | object, data?: object];

export interface Row {
  readonly input: string;
  readonly send: Sent | ((session: RawSession) => Sent);
  readonly gets: Expected;
}

export const BATCH = [request(1, "ping")];
export const all = [R5, R4, R3, R2, "2024-11-05"];
export const refused: Expected = [400, -32600];
export const none = { "mcp-session-id": "11111111-2222-3333-4444-555555555555" };
const withClaim = (body: object): object => ({ ...body, params: { _meta: claim() } });
export const version = (value: string): Partial<Sent> => ({ headers: { "mcp-protocol-version": value } });
export const answered = { result: {} };

/** The responses of an endpoint that supports every revision. */
export const rows: readonly Row[] = [
  // Origin and Host are checked first.
  {
    input: "a foreign Origin, with other errors",
    send: { method: "PUT", headers: { origin: "http://evil.example" } },
    gets: [403, -32600],
  },
  { input: "a foreign Host", send: { method: "GET", headers: { host: "evil.example" } }, gets: [403, -32600] },
  // The method.
  { input: "PUT", send: { method: "PUT", body: "{}" }, gets: [405, -32600] },
  { input: "PATCH", send: { method: "PATCH", body: "{}" }, gets: [405, -32600] },
  {
    input: "GET that does not accept an event stream",
    send: { method: "GET", headers: { accept: "text/html" } },
    gets: [406, -32600],
  },
  {
    input: "GET without a session",
    send: { method: "GET", headers: { accept: "text/event-stream", "mcp-protocol-version": R4 } },
    gets: refused,
  },
  { input: "GET with an unknown session", send: { method: "GET", headers: none }, gets: [404, -32600] },
  { input: "DELETE without a session", send: { method: "DELETE" }, gets: refused },
  { input: "DELETE of an unknown session", send: { method: "DELETE", headers: none }, gets: [404, -32600] },
  // The type of the body.
  { input: "a body without Content-Type", send: { body: "{}", headers: { accept: BOTH } }, gets: [415, -32600] },
  {
    input: "a body of another type",
    send: plain("{}", { headers: { "content-type": "text/plain" } }),
    gets: [415, -32600],
  },
  {
    input: "a body of a longer type",
    send: plain("{}", { headers: { "content-type": "application/json-patch+json" } }),
    gets: [415, -32600],
  },
  {
    input: "JSON with a charset",
    send: plain(request(1, "server/discover"), { headers: { "content-type": "Application/JSON; charset=utf-8" } }),
    gets: refused,
  },
  {
    input: "an encoding that changes nothing",
    send: plain("{}", { headers: { "content-encoding": "Identity" } }),
    gets: [400, -32600],
  },
  { input: "a compressed body", send: plain("{}", { headers: { "content-encoding": "gzip" } }), gets: [415, -32600] },
  { input: "no body", send: plain(undefined), gets: [400, -32700] },
  { input: "half a message", send: plain('{"jsonrpc":'), gets: [400, -32700] },
  { input: "a body that is not UTF-8", send: plain(Uint8Array.of(0x22, 0xff, 0x22)), gets: [400, -32700] },
  { input: "JSON that is not a message", send: plain("1"), gets: refused },
  { input: "a message without a JSON-RPC version", send: plain({ id: 1, method: "ping" }), gets: refused },
  { input: "a request with null as id", send: plain(request(null, "ping")), gets: refused },
  {
    input: "a client that accepts only JSON",
    send: plain(request(1, "ping"), { headers: { accept: "application/json" } }),
    gets: [406, -32600],
  },
  {
    input: "a client that accepts only streams",
    send: plain(request(1, "ping"), { headers: { accept: "text/event-stream" } }),
    gets: [406, -32600],
  },
  {
    input: "a client that accepts anything",
    send: { ...modern(1, "server/discover", {}, { headers: { accept: "*/*" } }) },
    gets: [200, { result: { supportedVersions: all } }],
  },
  {
    input: "a client that accepts all subtypes of both types",
    send: { ...modern(1, "server/discover", {}, { headers: { accept: "application/*, TEXT/event-stream;q=0.5" } }) },
    gets: [200, { result: { supportedVersions: all } }],
  },
  {
    input: "a client without Accept",
    send: { ...modern(1, "server/discover", {}, { headers: { accept: undefined } }) },
    gets: [200, { result: { supportedVersions: all } }],
  },
  // Arrays.
  { input: "an empty array", send: plain([]), gets: refused },
  { input: "an array without a session", send: plain(BATCH), gets: refused },
  { input: "an array in a session of 2025-11-25", send: (session) => session.sent(BATCH), gets: refused },
  {
    input: "an array that names a revision, in a session",
    send: (session) => session.sent([...BATCH, withClaim(request(2, "ping"))]),
    gets: refused,
  },
  { input: "an array that names a revision", send: plain([withClaim(request(2, "ping"))]), gets: refused },
  // Responses.
  { input: "a response without a session", send: plain({ jsonrpc: "2.0", id: 1, result: {} }), gets: refused },
  {
    input: "a response in an unknown session",
    send: plain({ jsonrpc: "2.0", id: 1, result: {} }, { headers: none }),
    gets: [404, -32600],
  },
  {
    input: "a response in a session that matches no request",
    send: (session) => session.sent({ jsonrpc: "2.0", id: 1, result: {} }),
    gets: [202],
  },
  {
    input: "a response that names a revision",
    send: plain({ jsonrpc: "2.0", id: 1, result: { _meta: claim() } }),
    gets: refused,
  },
  // Notifications.
  {
    input: "a notification in a session",
    send: (session) => session.sent(notification("notifications/cancelled", { requestId: 1 })),
    gets: [202],
  },
  {
    input: "a notification in an unknown session",
    send: plain(notification("notifications/cancelled", { requestId: 1 }), { headers: none }),
    gets: [404, -32600],
  },
  {
    input: "a notification without a session",
    send: plain(notification("notifications/cancelled", { requestId: 1 })),
    gets: refused,
  },
  {
    input: "a notification that names a revision",
    send: plain(withClaim(notification("notifications/cancelled"))),
    gets: [202],
  },
  {
    input: "a notification with the header of the stateless era",
    send: plain(notification("notifications/unknown"), version(R5)),
    gets: [202],
  },
  {
    input: "a notification in a session, with the header of the stateless era",
    send: (session) => {
      const { headers, ...sent } = session.sent(notification("notifications/initialized"));
      return { ...sent, headers: { ...headers, "mcp-protocol-version": R5, "mcp-method": "x" } };
    },
    gets: [202],
  },
  {
    input: "a notification whose revision differs from the header",
    send: plain(withClaim(notification("notifications/unknown")), version(R4)),
    gets: [400, -32020],
  },
  {
    input: "a notification whose method differs from the header",
    send: plain(withClaim(notification("notifications/unknown")), { headers: { "mcp-method": "x" } }),
    gets: [400, -32020],
  },
  { input: "a notification of initialize", send: plain(notification("initialize", {})), gets: refused },
  // Requests that name a revision.
  {
    input: "a request that names a revision",
    send: modern(1, "server/discover"),
    gets: [200, { result: { supportedVersions: all } }],
  },
  { input: "initialize that names a revision", send: modern(1, "initialize"), gets: [404, -32601] },
  {
    input: "a request that names a revision and an unknown session, which is ignored",
    send: modern(1, "server/discover", {}, { headers: none }),
    gets: [200, { id: 1 }],
  },
  {
    input: "a request whose revision is not a string",
    send: modern(1, "server/discover", {}, { meta: { [VERSION]: 5 } }),
    gets: [400, -32602],
  },
  {
    input: "a request whose revision is null",
    send: modern(1, "server/discover", {}, { meta: { [VERSION]: null } }),
    gets: [400, -32602],
  },
  {
    input: "a request whose client is a string",
    send: modern(1, "server/discover", {}, { meta: { "io.modelcontextprotocol/clientInfo": "x" } }),
    gets: [400, -32602],
  },
  {
    input: "a request whose progress token is an object",
    send: modern(1, "tools/list", { cursor: 5 }, { meta: { progressToken: {} } }),
    gets: [400, -32602],
  },
  {
    input: "a request with other invalid params",
    send: modern(1, "tools/list", { cursor: 5 }),
    gets: [200, -32602],
  },
  {
    input: "a request with a version header of the stateless era, but no revision",
    send: plain(request(1, "server/discover"), version(R5)),
    gets: [400, -32602],
  },
  // Requests that name no revision.
  { input: "initialize", send: plain(initialize(R3)), gets: [200, { result: { protocolVersion: R3 } }] },
  {
    input: "initialize with the header of the stateless era; the body decides",
    send: plain(initialize(R3), version(R5)),
    gets: [200, { result: { protocolVersion: R3 } }],
  },
  {
    input: "initialize with an unknown session",
    send: plain(initialize(R3), { headers: none }),
    gets: [200, { result: { protocolVersion: R3 } }],
  },
  {
    input: "initialize with an unknown version",
    send: plain(initialize("1999-01-01")),
    gets: [200, { result: { protocolVersion: R4 } }],
  },
  { input: "initialize without params", send: plain(request(1, "initialize")), gets: [200, -32602] },
  { input: "a second initialize in a session", send: (session) => session.sent(initialize(R4)), gets: [200, -32600] },
  { input: "a request in a session", send: (session) => session.sent(request(1, "ping")), gets: [200, answered] },
  {
    input: "a request in a session, with the version of another",
    send: (session) => plain(request(1, "ping"), { headers: { ...session.headers, "mcp-protocol-version": R3 } }),
    gets: [200, answered],
  },
  {
    input: "a request in a session, without version",
    send: (session) => plain(request(1, "ping"), { headers: { "mcp-session-id": session.id } }),
    gets: [200, answered],
  },
  {
    input: "a request in a session, with an unknown version",
    send: (session) =>
      plain(request(1, "ping"), { headers: { ...session.headers, "mcp-protocol-version": "1999-01-01" } }),
    gets: [400, -32022, { supported: all, requested: "1999-01-01" }],
  },
  { input: "a request in an unknown session", send: plain(request(1, "ping"), { headers: none }), gets: [404, -32600] },
  { input: "a request without a session", send: plain(request(1, "ping")), gets: refused },
  {
    input: "a request without a session, with a version that has sessions",
    send: plain(request(1, "ping"), version(R4)),
    gets: refused,
  },
  {
    input: "a request with an unknown version",
    send: plain(request(1, "ping"), version("1999-01-01")),
    gets: [400, -32022, { supported: all, requested: "1999-01-01" }],
  },
  {
    input: "a request in a session for an unknown method",
    send: (session) => session.sent(request(1, "tools/unknown")),
    gets: [200, -32601],
  },
];
