import type { Client } from "../../runtime/src/client.js";
import { REVISIONS } from "./table.js";

const R4 = REVISIONS[3];
const R5 = REVISIONS[4];
export type ClientOpening = typeof R4 | typeof R5;
const BOTH = [R4, R5] as const;

/** A request of our client, as the server sees it. */
export interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What comes of it: the value (`…` stands for anything), or an error by its code. */
export type Outcome =
  | { readonly value: string }
  | { readonly count: number }
  | { readonly code: string | number; readonly message: string };

/** A server's answers, and what our client makes of them. */
export interface ClientRow {
  readonly group: string;
  readonly input: string;
  readonly in: readonly ClientOpening[];
  /** What the client is called for. */
  readonly call: (client: Client) => Promise<unknown>;
  /** What the server sends for each request that comes of the call. */
  readonly answer: (asked: Asked) => readonly unknown[];
  readonly outcome: Outcome;
  /** What `onerror` or `onInvalidItem` is told. */
  readonly reported?: string;
  /** What the client sends besides requests and cancellations. */
  readonly sends?: readonly string[];
  readonly source: string;
}

const ours = (reason: string): string => `ours: ${reason}`;
const RESPONSES = "JSON-RPC 2.0, section 5";
const CHECKED = "server/tools: clients check what servers answer";
const listTools = (client: Client): Promise<unknown> => client.listTools();
const callTool = (client: Client): Promise<unknown> => client.callTool({ name: "add", arguments: {} });
const ok = ({ id }: Asked, result: object): object => ({ jsonrpc: "2.0", id, result: { ...KEPT, ...result } });
const KEPT = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const tool = (name: unknown): object => ({ name, inputSchema: { type: "object" } });
const noTools = (asked: Asked): object => ok(asked, { tools: [] });
const EMPTY = { value: '…"tools":[]…' };
const SHAPE = "it does not have the shape that the schema asks for";

function broken(input: string, members: object, why: string): ClientRow {
  return {
    group: "Answers that are no responses",
    input,
    in: BOTH,
    call: listTools,
    answer: ({ id }) => [{ jsonrpc: "2.0", id, ...members }],
    outcome: { code: "INVALID_MESSAGE", message: `tools/list was answered by ${why}` },
    source: RESPONSES,
  };
}

/** Something else comes first; the answer follows, and counts. */
function before(input: string, first: (asked: Asked) => unknown, more: Partial<ClientRow> = {}): ClientRow {
  return {
    group: "Messages that nobody asked for",
    input,
    in: BOTH,
    call: listTools,
    answer: (asked) => [first(asked), noTools(asked)],
    outcome: EMPTY,
    source: RESPONSES,
    ...more,
  };
}

const bad = (input: string, result: object, reason: string, more: Partial<ClientRow> = {}): ClientRow => ({
  group: "Results that a method cannot have",
  input,
  in: BOTH,
  call: listTools,
  answer: ({ id }) => [{ jsonrpc: "2.0", id, result }],
  outcome: { code: "INVALID_RESULT", message: `invalid result of tools/list: ${reason}` },
  source: CHECKED,
  ...more,
});

/** Not what the schema asks for, but servers in the field send it, and mean one thing by it. */
function forgiven(
  input: string,
  result: object,
  outcome: string,
  seen: string,
  more: Partial<ClientRow> = {},
): ClientRow {
  return {
    group: "Results that are forgiven",
    input,
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, result)],
    outcome: { value: outcome },
    source: ours(`a tolerance of the revision's overlay; met at https://github.com/${seen}`),
    ...more,
  };
}

const form = {
  method: "elicitation/create",
  params: { message: "?", requestedSchema: { type: "object", properties: {} } },
};
const asking = (result: object): Partial<ClientRow> => ({
  in: [R5],
  call: callTool,
  answer: ({ id }) => [{ jsonrpc: "2.0", id, result: { resultType: "input_required", ...result } }],
  source: "2026-07-28, basic/patterns/mrtr",
});

const nested = (levels: number): object => {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level++) schema = { type: "object", properties: { a: schema } };
  return schema;
};
/** Each level refers twice to the next one. */
const doubling = {
  type: "object",
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `d${level}`,
      level === 39 ? true : { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
    ]),
  ),
};

const schemas: readonly (readonly [string, object])[] = [
  ["refers to the network", { type: "object", $ref: "http://127.0.0.1:9/schema.json" }],
  ["refers to a file", { type: "object", $ref: "file:///etc/passwd" }],
  ["refers to itself without end", { type: "object", allOf: [{ $ref: "#" }] }],
  ["doubles at each level", doubling],
  ["has a pattern that takes exponential time", { type: "object", properties: { a: { pattern: "^(a+)+$" } } }],
  ["is 1,000 levels deep", nested(1_000)],
  ["is of an unknown dialect", { type: "object", $schema: "https://example.com/dialect" }],
  ["is no schema", { type: "object", minProperties: "many" }],
];

const output = { content: [], structuredContent: { a: `${"a".repeat(40)}!` } };

export const clientRows: readonly ClientRow[] = [
  broken(
    "both a result and an error",
    { result: { tools: [] }, error: { code: 1, message: "" } },
    "both a result and an error",
  ),
  broken("neither a result nor an error", {}, "a result that is no object"),
  broken("a result that is null", { result: null }, "a result that is no object"),
  broken("a result that is an array", { result: [] }, "a result that is no object"),
  broken("an error whose code is a fraction", { error: { code: 0.5, message: "" } }, "a malformed error"),
  broken("an error whose code is a text", { error: { code: "-32600", message: "" } }, "a malformed error"),
  broken("an error without message", { error: { code: 1 } }, "a malformed error"),
  broken("an error that is a text", { error: "no" }, "a malformed error"),
  {
    group: "Answers that are no responses",
    input: "an error whose code nobody knows",
    in: BOTH,
    call: listTools,
    answer: ({ id }) => [{ jsonrpc: "2.0", id, error: { code: 123456, message: "what", data: { a: 1 } } }],
    outcome: { code: 123456, message: "what" },
    source: RESPONSES,
  },

  before("a result for a request that was never sent", () => ({ jsonrpc: "2.0", id: 999, result: {} }), {
    reported: "received a response to no request",
  }),
  before("a result whose id has another type", ({ id }) => ({ jsonrpc: "2.0", id: String(id), result: {} }), {
    reported: "received a response to no request",
  }),
  before("a result called __proto__", () => ({ jsonrpc: "2.0", id: "__proto__", result: {} }), {
    reported: "received a response to no request",
  }),
  before("an error without id", () => ({ jsonrpc: "2.0", error: { code: -32700, message: "what?" } }), {
    reported: "what?",
  }),
  {
    ...before("a second answer", noTools),
    reported: "received a response to no request",
  },
  before("progress of nothing", () => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: "constructor", progress: 1 },
  })),
  before(
    "cancellation of a request that the client has sent",
    ({ id }) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id },
    }),
    {
      source:
        "basic/utilities/cancellation (2026-07-28: basic/patterns/cancellation): only requests of the other direction, or subscriptions, can be cancelled",
    },
  ),
  before("a notification called __proto__", () => ({ jsonrpc: "2.0", method: "__proto__" })),
  before(
    "a notification with params that it cannot have",
    () => ({
      jsonrpc: "2.0",
      method: "notifications/resources/updated",
      params: { uri: 1 },
    }),
    { reported: "Invalid params of notifications/resources/updated: …" },
  ),
  before(
    "a notification for a subscription of somebody else",
    () => ({
      jsonrpc: "2.0",
      method: "notifications/tools/list_changed",
      params: { _meta: { "io.modelcontextprotocol/subscriptionId": "theirs" } },
    }),
    {
      in: [R5],
      reported: "received notifications/tools/list_changed for no subscription of ours",
      source: "2026-07-28, basic/patterns/subscriptions",
    },
  ),
  before(
    "the acknowledgement of a subscription that nobody asked for",
    () => ({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: {}, _meta: { "io.modelcontextprotocol/subscriptionId": 999 } },
    }),
    {
      in: [R5],
      reported: "received notifications/subscriptions/acknowledged for no subscription of ours",
      source: "2026-07-28, basic/patterns/subscriptions",
    },
  ),
  {
    group: "Messages that nobody asked for",
    input: "a change before the subscription is acknowledged",
    in: [R5],
    call: (client) => client.subscribeResource({ uri: "test://a" }, () => undefined),
    answer: ({ id }) => {
      const _meta = { "io.modelcontextprotocol/subscriptionId": id };
      return [
        { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "test://a", _meta } },
        {
          jsonrpc: "2.0",
          method: "notifications/subscriptions/acknowledged",
          params: { notifications: { resourceSubscriptions: ["test://a"] }, _meta },
        },
      ];
    },
    outcome: { value: "true" },
    reported: "received notifications/resources/updated out of turn",
    source: "2026-07-28, basic/patterns/subscriptions: the acknowledgement comes first",
  },
  {
    group: "Messages that nobody asked for",
    input: "the end of a subscription that was not acknowledged",
    in: [R5],
    call: (client) => client.subscribeResource({ uri: "test://a" }, () => undefined),
    answer: (asked) => [ok(asked, { _meta: { "io.modelcontextprotocol/subscriptionId": asked.id } })],
    outcome: { code: "INVALID_MESSAGE", message: "the stream ended before it was acknowledged" },
    source: "2026-07-28, basic/patterns/subscriptions: the acknowledgement comes first",
  },

  before("a ping", () => ({ jsonrpc: "2.0", id: 1, method: "ping" }), {
    group: "Requests of a server",
    in: [R4],
    sends: ['{"jsonrpc":"2.0","id":1,"result":{}}'],
    source: "basic/utilities/ping",
  }),
  ...["__proto__", "tools/list", "sampling/createMessage", "roots/list"].map((method) =>
    before(`a request of ${method}, which this client does not offer`, () => ({ jsonrpc: "2.0", id: 1, method }), {
      group: "Requests of a server",
      in: [R4],
      sends: [`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: ${method}"}}`],
    }),
  ),
  before(
    "a form that no form can be made of",
    () => ({
      jsonrpc: "2.0",
      id: 1,
      method: "elicitation/create",
      params: { message: "?" },
    }),
    {
      group: "Requests of a server",
      in: [R4],
      sends: ['{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params of elicitation/create: …"}}'],
    },
  ),
  before("a batch", () => [{ jsonrpc: "2.0", id: 1, method: "ping" }], {
    group: "Requests of a server",
    in: [R4],
    reported: "Invalid Request: batches are not part of this revision",
    sends: [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid Request: batches are not part of this revision"}}',
    ],
  }),
  before("a batch of nothing that has an id", () => [1], {
    group: "Requests of a server",
    in: [R4],
    reported: "Invalid Request: batches are not part of this revision",
    source: "JSON-RPC 2.0, section 5: an error answers a request; ours: what names none is reported",
  }),
  ...(
    [
      ["a line of a log", { level: "info", msg: "started" }, "it is not a JSON-RPC 2.0 message …"],
      ["a request whose id is null", { jsonrpc: "2.0", id: null, method: "ping" }, "id must be a string or an integer"],
    ] as const
  ).map(([input, value, reported]) =>
    before(input, () => value, {
      group: "Requests of a server",
      in: [R4],
      reported: `Invalid Request: ${reported}`,
      source: "JSON-RPC 2.0, section 5: an error answers a request; ours: what names none is reported",
    }),
  ),
  ...(
    [
      ["a request", { jsonrpc: "2.0", id: 1, method: "ping" }, "the server sent a request, which its revision forbids"],
      ["a request whose id is null", { jsonrpc: "2.0", id: null, method: "ping" }, "Invalid Request: …"],
      ["a request without jsonrpc", { id: 1, method: "ping" }, "Invalid Request: …"],
      ["a batch", [{ jsonrpc: "2.0", id: 1, method: "ping" }], "Invalid Request: …"],
      ["an empty object", {}, "Invalid Request: …"],
    ] as const
  ).map(([input, value, reported]) =>
    before(`${input} in the stateless era`, () => value, {
      group: "Requests of a server",
      in: [R5],
      reported,
      source: "2026-07-28, basic/patterns: servers send no requests, and clients no responses",
    }),
  ),

  bad("a result without its list", { ...KEPT }, SHAPE),
  bad("a list that is no list", { ...KEPT, tools: {} }, SHAPE),
  bad("a cursor that is no text", { ...KEPT, tools: [], nextCursor: 1 }, SHAPE),
  bad(
    "a resultType that nobody knows",
    { resultType: "later", tools: [] },
    'resultType "later" is not known for this method',
    { in: [R5], source: "2026-07-28, basic: results" },
  ),
  bad(
    "a list with a broken item, of a resultType that nobody knows",
    { ...KEPT, resultType: "later", tools: [null, tool("one")] },
    'resultType "later" is not known for this method',
    { in: [R5], source: "2026-07-28, basic: results" },
  ),
  bad(
    "a resultType called constructor",
    { resultType: "constructor", tools: [] },
    'resultType "constructor" is not known for this method',
    { in: [R5], source: "2026-07-28, basic: results" },
  ),
  bad("a resultType that is no text", { resultType: 1, tools: [] }, "resultType is not a string", {
    in: [R5],
    source: "2026-07-28, basic: results",
  }),
  bad(
    "a question where none may be asked",
    { resultType: "input_required", inputRequests: {} },
    'resultType "input_required" is not known for this method',
    { in: [R5], source: "2026-07-28, basic/patterns/mrtr" },
  ),
  bad("a question without questions", {}, "", {
    ...asking({}),
    outcome: { code: "INVALID_RESULT", message: 'invalid result of tools/call: "input_required" needs one of …' },
  }),
  bad("a question that this client has no handler for", {}, "", {
    ...asking({ inputRequests: { a: { method: "roots/list" } } }),
    outcome: {
      code: "INPUT_REQUIRED_UNSUPPORTED",
      message: "tools/call asks for roots/list, which this client has no handler for",
    },
  }),
  bad("a question that there is not", {}, "", {
    ...asking({ inputRequests: { a: { method: "constructor" } } }),
    outcome: { code: "INVALID_RESULT", message: "invalid result of tools/call: …" },
  }),
  bad("questions without end", {}, "", {
    ...asking({ inputRequests: { a: form } }),
    outcome: { code: "INPUT_REQUIRED_ROUNDS_EXCEEDED", message: "tools/call asked for input more than 10 times" },
  }),
  bad("a tool that answers something of its own", { ...KEPT, success: true }, "", {
    call: callTool,
    outcome: { code: "INVALID_RESULT", message: `invalid result of tools/call: ${SHAPE}` },
  }),
  bad("a task where none was asked for", { ...KEPT, task: {}, structuredContent: {} }, "", {
    in: [R4],
    call: callTool,
    outcome: {
      code: "INVALID_RESULT",
      message: "invalid result of tools/call: it has task, but the request had no task",
    },
    source: "2025-11-25, basic/utilities/tasks: creating tasks",
  }),
  forgiven(
    "null where a list has no further page",
    { tools: [tool("one")], nextCursor: null },
    '…"tools":[{"name":"one",…}]…',
    "Hmbown/Codewhale/issues/5335",
  ),
  forgiven(
    "null in optional members of items",
    { tools: [{ ...tool("one"), title: null, annotations: { title: null, readOnlyHint: true }, _meta: null }] },
    '…{"name":"one","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}…',
    "Azure/data-api-builder/issues/3599",
  ),
  forgiven(
    "an empty cursor on the last page, which leads back to the first",
    {},
    '{"ttlMs":0,"cacheScope":"private",…"tools":[{"name":"one",…},{"name":"two",…}]}',
    "modelcontextprotocol/java-sdk/issues/575",
    {
      answer: (asked) => [
        asked.params?.["cursor"] === "2"
          ? ok(asked, { tools: [tool("two")], nextCursor: "" })
          : ok(asked, { tools: [tool("one")], nextCursor: "2" }),
      ],
    },
  ),
  forgiven(
    "an empty cursor on the only page",
    { tools: [tool("one")], nextCursor: "" },
    '{"ttlMs":0,"cacheScope":"private",…"tools":[{"name":"one","inputSchema":{"type":"object"}}]}',
    "modelcontextprotocol/java-sdk/issues/575",
  ),
  forgiven("null for no tools", { tools: null }, EMPTY.value, "googleapis/mcp-toolbox/issues/869"),
  forgiven(
    "null for no content",
    { content: null, isError: null },
    '…"content":[]…',
    "modelcontextprotocol/python-sdk/issues/1796",
    { call: callTool },
  ),
  forgiven(
    "no content beside structured content, and nulls in that",
    { structuredContent: { a: null }, _meta: { b: null } },
    '…"structuredContent":{"a":null},"_meta":{"b":null},"content":[]…',
    "modelcontextprotocol/python-sdk/issues/1796",
    { call: callTool },
  ),
  forgiven(
    "a list without cache hints",
    { tools: [], ttlMs: undefined, cacheScope: undefined },
    '…"ttlMs":0,"cacheScope":"private"…',
    "browseros-ai/BrowserOS/issues/2504",
    { in: [R5] },
  ),
  ...[-1, "soon", true].map((ttlMs) =>
    forgiven(`a list to be kept for ${JSON.stringify(ttlMs)} ms`, { tools: [], ttlMs }, '…"ttlMs":0,…', "", {
      in: [R5],
      source: "2026-07-28, server/utilities/caching: negative counts as 0",
    }),
  ),
  forgiven("", {}, EMPTY.value, "gensecaihq/Wazuh-MCP-Server/issues/59", {
    input: "a result, and null for the error",
    answer: (asked) => [{ ...noTools(asked), error: null }],
  }),
  forgiven("", {}, "", "gensecaihq/Wazuh-MCP-Server/issues/59", {
    input: "an error, and null for the result",
    answer: ({ id }) => [{ jsonrpc: "2.0", id, result: null, error: { code: 1, message: "no" } }],
    outcome: { code: 1, message: "no" },
  }),
  {
    group: "Results that a method cannot have",
    input: "a list in which some items are broken",
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, { tools: [tool("one"), null, tool(2), { name: "three" }, tool("four")] })],
    outcome: { count: 2 },
    reported: "invalid item of tools/list: null",
    source: ours("one bad item must not empty a list; `onInvalidItem` is told of it"),
  },
  {
    group: "Results that a method cannot have",
    input: "a list with a broken item, and `onInvalidItem` throws",
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, { tools: ["throw", tool("one")] })],
    outcome: { count: 1 },
    reported: "the hook is broken",
    source: ours("hooks that fail are reported, and take nothing with them"),
  },
  {
    group: "Results that a method cannot have",
    input: "a second page of 150,000 items",
    in: [R5],
    call: listTools,
    answer: (asked) =>
      asked.params?.["cursor"] === undefined
        ? [ok(asked, { tools: [tool("first")], nextCursor: "2" })]
        : [ok(asked, { tools: Array.from({ length: 150_000 }, () => tool("more")) })],
    outcome: { count: 150_001 },
    source: ours("the only bounds are those of a message and of the number of pages"),
  },
  {
    group: "Results that a method cannot have",
    input: "pages that go in a circle",
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, { tools: [], nextCursor: "again" })],
    outcome: {
      code: "LIST_PAGINATION_EXCEEDED",
      message: "tools/list does not end: after 1 pages there is another one",
    },
    source: ours("a cursor that has been given before"),
  },
  {
    group: "Results that a method cannot have",
    input: "pages without end",
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, { tools: [], nextCursor: `after ${asked.id}` })],
    outcome: {
      code: "LIST_PAGINATION_EXCEEDED",
      message: "tools/list does not end: after 1000 pages there is another one",
    },
    source: ours("a limit of 1,000 pages"),
  },
  ...schemas.flatMap(([input, outputSchema]): ClientRow[] => [
    {
      group: "Schemas of a server's tools",
      input: `an output schema that ${input}: listing the tool`,
      in: BOTH,
      call: listTools,
      answer: (asked) => [ok(asked, { tools: [{ ...tool("add"), outputSchema }] })],
      outcome: { count: 1 },
      source: "basic: JSON Schema usage; ours: what cannot be used hides no tool",
    },
    {
      group: "Schemas of a server's tools",
      input: `an output schema that ${input}: calling the tool`,
      in: BOTH,
      call: async (client) => {
        await client.listTools();
        return callTool(client);
      },
      answer: (asked) => [
        asked.method === "tools/list" ? ok(asked, { tools: [{ ...tool("add"), outputSchema }] }) : ok(asked, output),
      ],
      outcome: { value: '…"structuredContent":…' },
      reported: 'the output of tool "add" is not checked: this JSON Schema cannot be used: …',
      source: ours("the tool has run, and its result would be lost; `onerror` is told that nothing was checked"),
    },
  ]),
];

/** A server that does not open the connection as it should. */
export interface OpeningRow {
  readonly input: string;
  /** What answers `initialize`. */
  readonly members: object;
  readonly code: string | number;
  readonly message: string;
  readonly source: string;
}

const LIFECYCLE = "basic/lifecycle: version negotiation";

export const openingRows: readonly OpeningRow[] = [
  {
    input: "a result of something else",
    members: { result: { tools: [] } },
    code: "INVALID_RESULT",
    message: "initialize was answered by something else",
    source: LIFECYCLE,
  },
  {
    input: "no object",
    members: { result: "hello" },
    code: "INVALID_MESSAGE",
    message: "initialize was answered by a result that is no object",
    source: RESPONSES,
  },
  {
    input: "an error",
    members: { error: { code: -32603, message: "no" } },
    code: -32603,
    message: "no",
    source: RESPONSES,
  },
  {
    input: "a version that this client does not speak",
    members: { result: { protocolVersion: "2099-01-01", capabilities: {}, serverInfo: { name: "s", version: "1" } } },
    code: "NO_COMMON_REVISION",
    message: "client and server share no revision: …",
    source: LIFECYCLE,
  },
  {
    input: "the version __proto__",
    members: { result: { protocolVersion: "__proto__", capabilities: {}, serverInfo: { name: "s", version: "1" } } },
    code: "NO_COMMON_REVISION",
    message: "client and server share no revision: …",
    source: LIFECYCLE,
  },
];
