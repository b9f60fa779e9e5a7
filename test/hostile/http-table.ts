import { type Fields, head, modern, post, request, usual } from "./http-bytes.js";

/** Values that an HTTP input may contain: sessions of two users, and event ids. */
export interface Ids {
  /** A session of 2025-11-25 that belongs to the sender. */
  readonly session: string;
  /** A session of another user. */
  readonly foreign: string;
  /** An event of another user's session. */
  readonly foreignEvent: string;
  /** An event that is no longer stored. */
  readonly evicted: string;
}

/** A response; `…` in the message stands for any text. Without a code, its body is empty. */
export interface HttpReply {
  readonly status: number;
  readonly code?: number;
  readonly message?: string;
  /** Instead of an error. */
  readonly result?: string;
}

/** Bytes that a client sends over one connection, and the responses. */
export interface HttpRow {
  readonly group: string;
  readonly input: string;
  readonly send: (ids: Ids) => readonly (string | Uint8Array)[];
  /** Empty: no response until the client disconnects. */
  readonly replies: readonly HttpReply[];
  readonly source: string;
}

/** A case that takes more than one connection; `http-scenarios.test.ts` plays it under its name. */
export interface HttpScenario {
  readonly input: string;
  readonly outcome: string;
  readonly source: string;
}

/** The limit of the server that gets the rows. */
export const MAX_BODY_BYTES = 10_000;

const ours = (reason: string): string => `ours: ${reason}`;
const HT = "2026-07-28, basic/transports/streamable-http";
const ENCODING = `${HT}: value encoding`;
const SESSION = "2025-11-25, basic/transports: session management";
const RESUMABILITY = "2025-11-25, basic/transports: resumability";
const ORIGIN = "basic/transports: security warning";

const ping = request(1, "ping");
const call = (fields: Fields): string => modern("tools/call", { name: "add", arguments: { a: 1, b: 2 } }, fields);
const zone = (value: unknown, field: string | undefined): string =>
  modern("tools/call", { name: "zone", arguments: { zone: value } }, { "Mcp-Param-Zone": field });

const refused = (status: number, code: number, message: string): HttpReply[] => [{ status, code, message }];
const invalid = (status: number, message: string): HttpReply[] => refused(status, -32600, message);
const mismatch = (message: string): HttpReply[] => refused(400, -32020, `Header mismatch: ${message}`);
const answered = (result = "…"): HttpReply[] => [{ status: 200, result }];
/** Node's own parser rejects it, with an empty body. */
const unread = (status = 400): HttpReply[] => [{ status }];

const once =
  (group: string, source: string) =>
  (input: string, sent: string | ((ids: Ids) => string), replies: readonly HttpReply[]): HttpRow => ({
    group,
    input,
    source,
    send: (ids) => [typeof sent === "string" ? sent : sent(ids)],
    replies,
  });

const who = once("Host and Origin", ORIGIN);
const forbiddenHost = invalid(403, "Forbidden: this Host is not allowed…");
const forbiddenOrigin = invalid(403, "Forbidden: this Origin is not allowed…");
const access: readonly HttpRow[] = [
  who("a foreign `Host`", post(ping, { Host: "evil.example" }), forbiddenHost),
  who("an empty `Host`", post(ping, { Host: "" }), forbiddenHost),
  who("no `Host`", post(ping, { Host: undefined }), unread()),
  who(
    "a foreign `Host` in the request line",
    head("GET", {}, "http://evil.example/mcp").replace("Host: localhost", "Host: evil.example"),
    forbiddenHost,
  ),
  who("a foreign `Origin`", post(ping, { Origin: "https://evil.example" }), forbiddenOrigin),
  who("the `Origin` `null`", post(ping, { Origin: "null" }), forbiddenOrigin),
  who(
    "a preflight request from a foreign `Origin`",
    head("OPTIONS", { Origin: "https://evil.example" }),
    forbiddenOrigin,
  ),
  who("a stream opened by a foreign `Origin`", head("GET", { Origin: "https://evil.example" }), forbiddenOrigin),
];

const http = once("Method, Accept and Content-Type", `${HT}: sending messages`);
const form: readonly HttpRow[] = [
  http("an unsupported HTTP method", head("PUT", { "Content-Length": "0" }), invalid(405, "Method Not Allowed")),
  http("`Accept` without JSON", post(ping, { Accept: "text/event-stream" }), invalid(406, "Not Acceptable: …")),
  http("`Accept` without event streams", post(ping, { Accept: "application/json" }), invalid(406, "Not Acceptable: …")),
  http("`Accept` with another type", post(ping, { Accept: "text/html" }), invalid(406, "Not Acceptable: …")),
  http("no `Accept`, which allows any type", modern("server/discover", {}, { Accept: undefined }), answered()),
  http(
    "GET that does not accept event streams",
    head("GET", { Accept: "application/json" }),
    invalid(406, "Not Acceptable: …"),
  ),
  http("no `Content-Type`", post(ping, { "Content-Type": undefined }), invalid(415, "Unsupported Media Type: …")),
  http(
    "another `Content-Type`, such as that of a cross-site form",
    post(ping, { "Content-Type": "text/plain" }),
    invalid(415, "Unsupported Media Type: …"),
  ),
];

const bodies: readonly HttpRow[] = [
  ...[
    ["half a message", post('{"jsonrpc":"2.0",'), refused(400, -32700, "Parse error: the body is not valid JSON")],
    ["an empty body", post(""), refused(400, -32700, "Parse error: the body is not valid JSON")],
    ["JSON that is not a message", post('{"id":1}'), invalid(400, "Invalid Request: …")],
    [
      "JSON nested 1,001 levels deep",
      post("[".repeat(1_001) + "]".repeat(1_001)),
      refused(400, -32600, "The message is nested deeper than 1000 levels"),
    ],
    ["9,999 open brackets", post("[".repeat(9_999)), refused(400, -32700, "Parse error: …")],
    [
      "a body longer than `maxBodyBytes`",
      head("POST", { ...usual, "Content-Length": String(MAX_BODY_BYTES + 1) }),
      invalid(413, "Content Too Large: …"),
    ],
    [
      "a chunked body longer than `maxBodyBytes`",
      `${head("POST", { ...usual, "Transfer-Encoding": "chunked" })}2711\r\n${" ".repeat(0x2711)}\r\n`,
      invalid(413, "Content Too Large: …"),
    ],
    [
      "a compressed body",
      post("\x1f\x8b", { "Content-Encoding": "gzip" }),
      invalid(415, "Unsupported Media Type: bodies must not be compressed"),
    ],
    ["a body shorter than its `Content-Length`", head("POST", { ...usual, "Content-Length": "500" }) + "{}", []],
    ["two values of `Content-Length`", post("{}", { "Content-Length": "2\r\nContent-Length: 3" }), unread()],
    ["`Content-Length` and `Transfer-Encoding`", post("{}", { "Transfer-Encoding": "chunked" }), unread()],
    ["a negative `Content-Length`", post("{}", { "Content-Length": "-1" }), unread()],
  ].map(([input, sent, replies]) =>
    once("Request body", ours("limits of mcpwright; JSON-RPC 2.0, section 5.1"))(
      input as string,
      sent as string,
      replies as HttpReply[],
    ),
  ),
  {
    group: "Request body",
    input: "a body that is not UTF-8",
    send: () => [head("POST", { ...usual, "Content-Length": "3" }), Uint8Array.of(0x22, 0xff, 0x22)],
    replies: refused(400, -32700, "Parse error: the body is not valid JSON"),
    source: "basic/transports: messages are UTF-8",
  },
];

const header = once("Headers that mirror the request (2026-07-28)", `${HT}: standard headers, custom headers`);
const mirrored: readonly HttpRow[] = [
  header(
    "no `MCP-Protocol-Version`",
    call({ "MCP-Protocol-Version": undefined }),
    mismatch("mcp-protocol-version is missing"),
  ),
  header(
    "a different `MCP-Protocol-Version`",
    call({ "MCP-Protocol-Version": "2025-11-25" }),
    mismatch('mcp-protocol-version is "2025-11-25"…'),
  ),
  header("no `Mcp-Method`", call({ "Mcp-Method": undefined }), mismatch("mcp-method is missing")),
  header("a different `Mcp-Method`", call({ "Mcp-Method": "tools/list" }), mismatch('mcp-method is "tools/list"…')),
  header(
    "`Mcp-Method` twice",
    call({ "Mcp-Method": "tools/call\r\nMcp-Method: tools/call" }),
    mismatch("mcp-method is…"),
  ),
  header("no `Mcp-Name`", call({ "Mcp-Name": undefined }), mismatch("mcp-name is missing")),
  header("a different `Mcp-Name`", call({ "Mcp-Name": "sub" }), mismatch('mcp-name is "sub"…')),
  header("`Mcp-Name` in Latin-1", call({ "Mcp-Name": "ädd" }), mismatch("mcp-name is…")),
  header("no `Mcp-Param-…`", zone("a", undefined), mismatch("mcp-param-zone is missing")),
  header("a different `Mcp-Param-…`", zone("a", "b"), mismatch("mcp-param-zone is…")),
  header("`Mcp-Param-…` twice", zone("a", "a\r\nMcp-Param-Zone: a"), mismatch("mcp-param-zone is…")),
  header("a declared `Mcp-Param-…` without a value in the body", zone(undefined, "a"), mismatch("mcp-param-zone is…")),
  header("an unknown `Mcp-Param-…`", call({ "Mcp-Param-Other": "x" }), answered()),
  ...[
    ["an encoded value in Base64 without padding", "=?base64?SGVsbG8?="],
    ["an encoded value that is not Base64", "=?base64?SGVs!!!bG8=?="],
    ["an encoded value that is not UTF-8", "=?base64?/w==?="],
    ["an encoded value that is encoded twice", "=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?="],
    ["an encoded value with `BASE64` in capitals, which is not an encoding", "=?BASE64?SGVsbG8=?="],
  ].map(([input = "", field]) =>
    once("Headers that mirror the request (2026-07-28)", ENCODING)(
      input,
      zone("Hello", field),
      mismatch("mcp-param-zone is…"),
    ),
  ),
  header("a session id, which has no meaning in 2026-07-28", call({ "Mcp-Session-Id": "x" }), answered()),
];

const session = once("Sessions (up to 2025-11-25)", SESSION);
const inSession = (id: string | undefined, fields: Fields = {}): Fields => ({ "Mcp-Session-Id": id, ...fields });
const gone = invalid(404, "Session not found");
const missing = invalid(400, "Bad Request: mcp-session-id is missing…");
const unknown = inSession("11111111-2222-4333-8444-555555555555");
const stream: Fields = { Accept: "text/event-stream", "MCP-Protocol-Version": "2025-11-25" };
const result = { jsonrpc: "2.0", id: 1, result: {} };
const notice = { jsonrpc: "2.0", method: "notifications/initialized" };
const sessions: readonly HttpRow[] = [
  session("no session on POST", post(ping), missing),
  session("no session on GET", head("GET", stream), missing),
  session("no session on DELETE", head("DELETE", {}), missing),
  session("an unknown session on POST", post(ping, unknown), gone),
  session("an unknown session on GET", head("GET", { ...stream, ...unknown }), gone),
  session("an unknown session on DELETE", head("DELETE", unknown), gone),
  session("the session id `__proto__`", post(ping, inSession("__proto__")), gone),
  session("`Mcp-Session-Id` twice", ({ session: id }) => post(ping, inSession(`${id}\r\nMcp-Session-Id: ${id}`)), gone),
  session("another user's session on POST", ({ foreign }) => post(ping, inSession(foreign)), gone),
  session("another user's session on GET", ({ foreign }) => head("GET", { ...stream, ...inSession(foreign) }), gone),
  session("another user's session on DELETE", ({ foreign }) => head("DELETE", inSession(foreign)), gone),
  session(
    "another user's session to initialize again",
    ({ foreign }) => post(request(1, "initialize", {}), inSession(foreign)),
    gone,
  ),
  session("a response without a session", post(result), missing),
  session("a notification without a session", post(notice), missing),
  session("a response in another user's session", ({ foreign }) => post(result, inSession(foreign)), gone),
  session(
    "an unknown `MCP-Protocol-Version`",
    ({ session: id }) => post(ping, inSession(id, { "MCP-Protocol-Version": "x" })),
    refused(400, -32022, "…"),
  ),
  session(
    "a batch, in a session without batches",
    ({ session: id }) => post([ping], inSession(id)),
    invalid(400, "Invalid Request: this revision does not support batches"),
  ),
];

const event = once("Resumed streams (up to 2025-11-25)", RESUMABILITY);
const lost = invalid(400, "Last-Event-ID does not name a stored event of this session");
const from = (id: string, last: string): string => head("GET", { ...stream, ...inSession(id), "Last-Event-ID": last });
const events: readonly HttpRow[] = [
  event("an invented `Last-Event-ID`", ({ session: id }) => from(id, "1"), lost),
  event("a `Last-Event-ID` built from the session id", ({ session: id }) => from(id, `${id}.1_9`), lost),
  event("another user's `Last-Event-ID`", ({ session: id, foreignEvent }) => from(id, foreignEvent), lost),
  event("a `Last-Event-ID` that is no longer stored", ({ session: id, evicted }) => from(id, evicted), lost),
];

const wire = once("Malformed HTTP", ours("Node's parser replies without a body and closes the connection"));
const bytes: readonly HttpRow[] = [
  wire("bytes that are not HTTP", "hello\r\n\r\n", unread()),
  wire("a zero byte in a header", call({ "X-Own": "a\0b" }), unread()),
  wire("a line break in a header value", call({ "X-Own": "a\nb" }), unread()),
  wire("more than 16 kB of headers", call({ "X-Own": "x".repeat(20_000) }), unread(431)),
  {
    group: "Malformed HTTP",
    input: "several pipelined requests on one connection, some of them invalid",
    send: () => [modern("server/discover") + post("{") + call({ "Mcp-Name": undefined }) + call({})],
    replies: [
      ...answered(),
      ...refused(400, -32700, "Parse error: …"),
      ...mismatch("mcp-name is missing"),
      ...answered("…3…"),
    ],
    source: "RFC 9112, section 9.3.2: responses are sent in order",
  },
  {
    group: "Malformed HTTP",
    input: "a request sent byte by byte",
    send: () => Array.from(call({})),
    replies: answered("…3…"),
    source: "RFC 9112",
  },
  {
    group: "Malformed HTTP",
    input: "half of the head, and then nothing",
    send: () => [head("POST", usual).slice(0, 30)],
    replies: [],
    source: ours("Node closes the connection after a minute (`headersTimeout`)"),
  },
];

export const httpRows: readonly HttpRow[] = [
  ...access,
  ...form,
  ...bodies,
  ...mirrored,
  ...sessions,
  ...events,
  ...bytes,
];

export const httpScenarios = {
  equalIds: {
    input: "two clients with equal request ids at the same time, with and without sessions",
    outcome: "Each client gets its own responses, on its own connections",
    source: "CVE-2026-25536; basic: ids are unique per requestor",
  },
  idle: {
    input: "2,000 connections that send nothing, or half a head",
    outcome: "Other clients are served; a connection whose head is not complete within a minute is closed",
    source: ours("Node limits the time, the operating system the number"),
  },
  bomb: {
    input: "a small compressed body that is large when decompressed",
    outcome: "415; the body is not decompressed",
    source: ours("requests do not need compression"),
  },
  tooMuch: {
    input: "an endless body",
    outcome: "413 as soon as the body is longer than `maxBodyBytes`; the connection is closed within two seconds",
    source: ours("a limit of mcpwright"),
  },
  otherAnswers: {
    input: "responses with guessed ids in a session that was not asked",
    outcome: "202 or 400, reported; the request still waits for the client that was asked",
    source: SESSION,
  },
  cuts: {
    input: "a hundred clients that disconnect during a request, a stream or a subscription",
    outcome: "Their state is removed, except sessions, which end after their idle timeout",
    source: `${HT}: cancellation`,
  },
} as const satisfies Readonly<Record<string, HttpScenario>>;
