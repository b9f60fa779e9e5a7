import { type Fields, head, modern, post, request, usual } from "./http-bytes.js";

/** What the input of an HTTP server may refer to: sessions of two users, and event ids. */
export interface Ids {
  /** A session of 2025-11-25, of the user who sends. */
  readonly session: string;
  /** One of another user. */
  readonly foreign: string;
  /** An event of another user's session. */
  readonly foreignEvent: string;
  /** An event that is not kept any more. */
  readonly evicted: string;
}

/** An answer; `…` in the message stands for anything. No code: its body is empty. */
export interface HttpReply {
  readonly status: number;
  readonly code?: number;
  readonly message?: string;
  /** Instead of an error. */
  readonly result?: string;
}

/** Bytes that a client sends over one connection, and what comes back. */
export interface HttpRow {
  readonly group: string;
  readonly input: string;
  readonly send: (ids: Ids) => readonly (string | Uint8Array)[];
  /** None: silence, until the client goes. */
  readonly replies: readonly HttpReply[];
  readonly source: string;
}

/** More than bytes; `http-scenarios.test.ts` plays it under its name. */
export interface HttpScenario {
  readonly input: string;
  readonly outcome: string;
  readonly source: string;
}

/** Of the server that the rows are sent to. */
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
/** Node's own parser refuses it, without a body. */
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

const who = once("Who is asked, and by whom", ORIGIN);
const forbiddenHost = invalid(403, "Forbidden: this Host is not served…");
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
    "a foreign `Origin` that asks what it may do",
    head("OPTIONS", { Origin: "https://evil.example" }),
    forbiddenOrigin,
  ),
  who("a foreign `Origin` that opens a stream", head("GET", { Origin: "https://evil.example" }), forbiddenOrigin),
];

const http = once("What HTTP asks for", `${HT}: sending messages`);
const form: readonly HttpRow[] = [
  http("a method that there is not", head("PUT", { "Content-Length": "0" }), invalid(405, "Method Not Allowed")),
  http("`Accept` without JSON", post(ping, { Accept: "text/event-stream" }), invalid(406, "Not Acceptable: …")),
  http("`Accept` without event streams", post(ping, { Accept: "application/json" }), invalid(406, "Not Acceptable: …")),
  http("`Accept` of something else", post(ping, { Accept: "text/html" }), invalid(406, "Not Acceptable: …")),
  http("no `Accept`, which means anything", modern("server/discover", {}, { Accept: undefined }), answered()),
  http(
    "GET of something else than an event stream",
    head("GET", { Accept: "application/json" }),
    invalid(406, "Not Acceptable: …"),
  ),
  http("no `Content-Type`", post(ping, { "Content-Type": undefined }), invalid(415, "Unsupported Media Type: …")),
  http(
    "another `Content-Type`, as forms of foreign pages can send",
    post(ping, { "Content-Type": "text/plain" }),
    invalid(415, "Unsupported Media Type: …"),
  ),
];

const bodies: readonly HttpRow[] = [
  ...[
    ["half a message", post('{"jsonrpc":"2.0",'), refused(400, -32700, "Parse error: the body is no JSON")],
    ["nothing", post(""), refused(400, -32700, "Parse error: the body is no JSON")],
    ["a message that is none", post('{"id":1}'), invalid(400, "Invalid Request: …")],
    [
      "1,001 levels",
      post("[".repeat(1_001) + "]".repeat(1_001)),
      refused(400, -32600, "The message is nested deeper than 1000 levels"),
    ],
    ["ten thousand brackets", post("[".repeat(9_999)), refused(400, -32700, "Parse error: …")],
    [
      "a longer one than `maxBodyBytes`",
      head("POST", { ...usual, "Content-Length": String(MAX_BODY_BYTES + 1) }),
      invalid(413, "Content Too Large: …"),
    ],
    [
      "a longer one than it said, in chunks",
      `${head("POST", { ...usual, "Transfer-Encoding": "chunked" })}2711\r\n${" ".repeat(0x2711)}\r\n`,
      invalid(413, "Content Too Large: …"),
    ],
    [
      "a compressed one, which could be a bomb",
      post("\x1f\x8b", { "Content-Encoding": "gzip" }),
      invalid(415, "Unsupported Media Type: bodies must not be compressed"),
    ],
    ["a shorter one than it said", head("POST", { ...usual, "Content-Length": "500" }) + "{}", []],
    ["two lengths", post("{}", { "Content-Length": "2\r\nContent-Length: 3" }), unread()],
    ["a length and chunks", post("{}", { "Transfer-Encoding": "chunked" }), unread()],
    ["a length that is none", post("{}", { "Content-Length": "-1" }), unread()],
  ].map(([input, sent, replies]) =>
    once("The body", ours("limits that the specification does not set; JSON-RPC 2.0, section 5.1"))(
      input as string,
      sent as string,
      replies as HttpReply[],
    ),
  ),
  {
    group: "The body",
    input: "no UTF-8",
    send: () => [head("POST", { ...usual, "Content-Length": "3" }), Uint8Array.of(0x22, 0xff, 0x22)],
    replies: refused(400, -32700, "Parse error: the body is no JSON"),
    source: "basic/transports: messages are UTF-8",
  },
];

const header = once("Headers that repeat the request (2026-07-28)", `${HT}: standard headers, custom headers`);
const mirrored: readonly HttpRow[] = [
  header(
    "no `MCP-Protocol-Version`",
    call({ "MCP-Protocol-Version": undefined }),
    mismatch("mcp-protocol-version is missing"),
  ),
  header(
    "another `MCP-Protocol-Version`",
    call({ "MCP-Protocol-Version": "2025-11-25" }),
    mismatch('mcp-protocol-version says "2025-11-25"…'),
  ),
  header("no `Mcp-Method`", call({ "Mcp-Method": undefined }), mismatch("mcp-method is missing")),
  header("another `Mcp-Method`", call({ "Mcp-Method": "tools/list" }), mismatch('mcp-method says "tools/list"…')),
  header(
    "`Mcp-Method` twice",
    call({ "Mcp-Method": "tools/call\r\nMcp-Method: tools/call" }),
    mismatch("mcp-method says…"),
  ),
  header("no `Mcp-Name`", call({ "Mcp-Name": undefined }), mismatch("mcp-name is missing")),
  header("another `Mcp-Name`", call({ "Mcp-Name": "sub" }), mismatch('mcp-name says "sub"…')),
  header("`Mcp-Name` in Latin-1", call({ "Mcp-Name": "ädd" }), mismatch("mcp-name says…")),
  header("no `Mcp-Param-…`", zone("a", undefined), mismatch("mcp-param-zone is missing")),
  header("another `Mcp-Param-…`", zone("a", "b"), mismatch("mcp-param-zone says…")),
  header("`Mcp-Param-…` twice", zone("a", "a\r\nMcp-Param-Zone: a"), mismatch("mcp-param-zone says…")),
  header("a `Mcp-Param-…` that nothing asks for", call({ "Mcp-Param-Other": "x" }), answered()),
  ...[
    ["a sentinel of Base64 without padding", "=?base64?SGVsbG8?="],
    ["a sentinel of something else", "=?base64?SGVs!!!bG8=?="],
    ["a sentinel of no UTF-8", "=?base64?/w==?="],
    ["a sentinel in a sentinel", "=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?="],
    ["a sentinel in other letters, which is none", "=?BASE64?SGVsbG8=?="],
  ].map(([input = "", field]) =>
    once("Headers that repeat the request (2026-07-28)", ENCODING)(
      input,
      zone("Hello", field),
      mismatch("mcp-param-zone says…"),
    ),
  ),
  header("a session, which means nothing here", call({ "Mcp-Session-Id": "x" }), answered()),
];

const session = once("Sessions (to 2025-11-25)", SESSION);
const inSession = (id: string | undefined, fields: Fields = {}): Fields => ({ "Mcp-Session-Id": id, ...fields });
const gone = invalid(404, "Session not found");
const missing = invalid(400, "Bad Request: mcp-session-id is missing…");
const unknown = inSession("11111111-2222-4333-8444-555555555555");
const stream: Fields = { Accept: "text/event-stream", "MCP-Protocol-Version": "2025-11-25" };
const result = { jsonrpc: "2.0", id: 1, result: {} };
const sessions: readonly HttpRow[] = [
  session("no session on POST", post(ping), missing),
  session("no session on GET", head("GET", stream), missing),
  session("no session on DELETE", head("DELETE", {}), missing),
  session("an unknown session on POST", post(ping, unknown), gone),
  session("an unknown session on GET", head("GET", { ...stream, ...unknown }), gone),
  session("an unknown session on DELETE", head("DELETE", unknown), gone),
  session("a prototype key as session", post(ping, inSession("__proto__")), gone),
  session("a session twice", ({ session: id }) => post(ping, inSession(`${id}\r\nMcp-Session-Id: ${id}`)), gone),
  session("another user's session on POST", ({ foreign }) => post(ping, inSession(foreign)), gone),
  session("another user's session on GET", ({ foreign }) => head("GET", { ...stream, ...inSession(foreign) }), gone),
  session("another user's session on DELETE", ({ foreign }) => head("DELETE", inSession(foreign)), gone),
  session(
    "another user's session to initialize again",
    ({ foreign }) => post(request(1, "initialize", {}), inSession(foreign)),
    gone,
  ),
  session("a response without a session", post(result), missing),
  session(
    "a response to a question of another user's session",
    ({ foreign }) => post(result, inSession(foreign)),
    gone,
  ),
  session(
    "an unknown `MCP-Protocol-Version`",
    ({ session: id }) => post(ping, inSession(id, { "MCP-Protocol-Version": "x" })),
    refused(400, -32022, "…"),
  ),
  session(
    "a batch, in a session without batches",
    ({ session: id }) => post([ping], inSession(id)),
    invalid(400, "Invalid Request: this revision has no batches"),
  ),
];

const event = once("Streams to resume (to 2025-11-25)", RESUMABILITY);
const lost = invalid(400, "Last-Event-ID names no event of this session…");
const from = (id: string, last: string): string => head("GET", { ...stream, ...inSession(id), "Last-Event-ID": last });
const events: readonly HttpRow[] = [
  event("an invented `Last-Event-ID`", ({ session: id }) => from(id, "1"), lost),
  event("a `Last-Event-ID` made up from the session's id", ({ session: id }) => from(id, `${id}.1_9`), lost),
  event("another user's `Last-Event-ID`", ({ session: id, foreignEvent }) => from(id, foreignEvent), lost),
  event("a `Last-Event-ID` that is not kept any more", ({ session: id, evicted }) => from(id, evicted), lost),
];

const wire = once("Bytes on the wire", ours("Node's parser; it answers without a body and closes the connection"));
const bytes: readonly HttpRow[] = [
  wire("no HTTP", "hello\r\n\r\n", unread()),
  wire("a zero byte in a header", call({ "X-Own": "a\0b" }), unread()),
  wire("a line break in a header, without a name behind it", call({ "X-Own": "a\nb" }), unread()),
  wire("more headers than 16 kB", call({ "X-Own": "x".repeat(20_000) }), unread(431)),
  {
    group: "Bytes on the wire",
    input: "several requests at once on one connection; a bad one does not spoil the others",
    send: () => [modern("server/discover") + post("{") + call({ "Mcp-Name": undefined }) + call({})],
    replies: [
      ...answered(),
      ...refused(400, -32700, "Parse error: …"),
      ...mismatch("mcp-name is missing"),
      ...answered("…3…"),
    ],
    source: "RFC 9112, section 9.3.2: they are answered in order",
  },
  {
    group: "Bytes on the wire",
    input: "a request that comes byte by byte",
    send: () => Array.from(call({})),
    replies: answered("…3…"),
    source: "RFC 9112",
  },
  {
    group: "Bytes on the wire",
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
    input: "two clients with equal request ids, in every era, at once",
    outcome: "Each gets its own answers, on its own connections",
    source: "CVE-2026-25536; basic: ids are unique per requestor",
  },
  idle: {
    input: "2,000 connections that send nothing, or half a head",
    outcome: "Others are served; whoever begins a head and does not end it within a minute is cut off",
    source: ours("Node bounds the time, the operating system the number"),
  },
  bomb: {
    input: "a compressed body of a kilobyte that would be a gigabyte",
    outcome: "415; nothing is decompressed",
    source: ours("no body needs compression"),
  },
  tooMuch: {
    input: "a body without end",
    outcome:
      "413 as soon as it is longer than `maxBodyBytes`, and the connection is closed, two seconds later at the latest",
    source: ours("a limit that the specification does not set"),
  },
  otherAnswers: {
    input: "answers with all ids there could be, in another session than the question's",
    outcome: "202, reported; the question waits for its own client",
    source: SESSION,
  },
  cuts: {
    input: "a hundred clients that break off in the middle of a request, of a stream, and of a subscription",
    outcome: "Nothing of them is left, but sessions until they are idle for long",
    source: `${HT}: cancellation`,
  },
} as const satisfies Readonly<Record<string, HttpScenario>>;
