import type { Client } from "../../runtime/src/client.js";
import { REVISIONS } from "./table.js";

const R4 = REVISIONS[3];
const R5 = REVISIONS[4];
export type ClientOpening = typeof R4 | typeof R5;
const BOTH = [R4, R5] as const;

/** A request from our client, as the server receives it. */
export interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The result of the call: a value (`…` stands for any text), the number of items, or an error by its code. */
export type Outcome =
  | { readonly value: string }
  | { readonly count: number }
  | { readonly code: string | number; readonly message: string };

/** The messages of a server, and what our client does with them. */
export interface ClientRow {
  readonly group: string;
  readonly input: string;
  readonly in: readonly ClientOpening[];
  /** The call of the client. */
  readonly call: (client: Client) => Promise<unknown>;
  /** The messages that the server sends for each request of the call. */
  readonly answer: (asked: Asked) => readonly unknown[];
  readonly outcome: Outcome;
  /** The message that is passed to `onerror`, or the item that is passed to `onInvalidItem`. */
  readonly reported?: string;
  /** The messages that the client sends, except requests and cancellations. */
  readonly sends?: readonly string[];
  readonly source: string;
}

const ours = (reason: string): string => `ours: ${reason}`;
const RESPONSES = "JSON-RPC 2.0, section 5";
const CHECKED = "server/tools: clients validate results";
const listTools = (client: Client): Promise<unknown> => client.listTools();
const callTool = (client: Client): Promise<unknown> => client.callTool({ name: "add", arguments: {} });
const ok = ({ id }: Asked, result: object): object => ({ jsonrpc: "2.0", id, result: { ...KEPT, ...result } });
const KEPT = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const tool = (name: unknown): object => ({ name, inputSchema: { type: "object" } });
const noTools = (asked: Asked): object => ok(asked, { tools: [] });
const EMPTY = { value: '…"tools":[]…' };
const SHAPE = "it does not match the schema";

function broken(input: string, members: object, why: string): ClientRow {
  return {
    group: "Invalid responses",
    input,
    in: BOTH,
    call: listTools,
    answer: ({ id }) => [{ jsonrpc: "2.0", id, ...members }],
    outcome: { code: "INVALID_MESSAGE", message: `the response to tools/list has ${why}` },
    source: RESPONSES,
  };
}

/** A message that comes before the response; the response still counts. */
function before(input: string, first: (asked: Asked) => unknown, more: Partial<ClientRow> = {}): ClientRow {
  return {
    group: "Unexpected messages",
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
  group: "Invalid results",
  input,
  in: BOTH,
  call: listTools,
  answer: ({ id }) => [{ jsonrpc: "2.0", id, result }],
  outcome: { code: "INVALID_RESULT", message: `invalid result of tools/list: ${reason}` },
  source: CHECKED,
  ...more,
});

/** A result that the schema forbids, but that known servers send with one clear meaning. */
function forgiven(
  input: string,
  result: object,
  outcome: string,
  seen: string,
  more: Partial<ClientRow> = {},
): ClientRow {
  return {
    group: "Tolerated results",
    input,
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, result)],
    outcome: { value: outcome },
    source: ours(`a tolerance of the revision's overlay; seen at https://github.com/${seen}`),
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
/** Each level references the next one twice. */
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
  ["references a URL", { type: "object", $ref: "http://127.0.0.1:9/schema.json" }],
  ["references a file", { type: "object", $ref: "file:///etc/passwd" }],
  ["references itself endlessly", { type: "object", allOf: [{ $ref: "#" }] }],
  ["doubles with each level of references", doubling],
  ["has a pattern that takes exponential time", { type: "object", properties: { a: { pattern: "^(a+)+$" } } }],
  ["is nested 1,000 levels deep", nested(1_000)],
  ["has an unknown dialect", { type: "object", $schema: "https://example.com/dialect" }],
  ["is not a valid schema", { type: "object", minProperties: "many" }],
];

const output = { content: [], structuredContent: { a: `${"a".repeat(40)}!` } };

export const clientRows: readonly ClientRow[] = [
  broken(
    "both a result and an error",
    { result: { tools: [] }, error: { code: 1, message: "" } },
    "both a result and an error",
  ),
  broken("neither a result nor an error", {}, "a non-object result"),
  broken("a result that is null", { result: null }, "a non-object result"),
  broken("a result that is an array", { result: [] }, "a non-object result"),
  broken("an error whose code is a fraction", { error: { code: 0.5, message: "" } }, "a malformed error"),
  broken("an error whose code is a string", { error: { code: "-32600", message: "" } }, "a malformed error"),
  broken("an error without a message", { error: { code: 1 } }, "a malformed error"),
  broken("an error that is a string", { error: "no" }, "a malformed error"),
  {
    group: "Invalid responses",
    input: "an error with an unknown code",
    in: BOTH,
    call: listTools,
    answer: ({ id }) => [{ jsonrpc: "2.0", id, error: { code: 123456, message: "what", data: { a: 1 } } }],
    outcome: { code: 123456, message: "what" },
    source: RESPONSES,
  },

  before("a result with an unknown id", () => ({ jsonrpc: "2.0", id: 999, result: {} }), {
    reported: "received a response whose id matches no pending request",
  }),
  before("a result whose id has another type", ({ id }) => ({ jsonrpc: "2.0", id: String(id), result: {} }), {
    reported: "received a response whose id matches no pending request",
  }),
  before("a result with the id `__proto__`", () => ({ jsonrpc: "2.0", id: "__proto__", result: {} }), {
    reported: "received a response whose id matches no pending request",
  }),
  before(
    "an error without an id, with the message `what?`",
    () => ({ jsonrpc: "2.0", error: { code: -32700, message: "what?" } }),
    {
      reported: "what?",
    },
  ),
  {
    ...before("a second response", noTools),
    reported: "received a response whose id matches no pending request",
  },
  before("progress with an unknown token", () => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: "constructor", progress: 1 },
  })),
  before(
    "cancellation of a request that the client sent",
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
  before("a notification with the method `__proto__`", () => ({ jsonrpc: "2.0", method: "__proto__" })),
  before(
    "a notification with invalid params",
    () => ({
      jsonrpc: "2.0",
      method: "notifications/resources/updated",
      params: { uri: 1 },
    }),
    { reported: "Invalid params of notifications/resources/updated: …" },
  ),
  before(
    "a notification for an unknown subscription",
    () => ({
      jsonrpc: "2.0",
      method: "notifications/tools/list_changed",
      params: { _meta: { "io.modelcontextprotocol/subscriptionId": "theirs" } },
    }),
    {
      in: [R5],
      reported: "received notifications/tools/list_changed for an unknown subscription",
      source: "2026-07-28, basic/patterns/subscriptions",
    },
  ),
  before(
    "the acknowledgement of an unknown subscription",
    () => ({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: {}, _meta: { "io.modelcontextprotocol/subscriptionId": 999 } },
    }),
    {
      in: [R5],
      reported: "received notifications/subscriptions/acknowledged for an unknown subscription",
      source: "2026-07-28, basic/patterns/subscriptions",
    },
  ),
  {
    group: "Unexpected messages",
    input: "an update before the subscription is acknowledged",
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
    reported: "received notifications/resources/updated out of order",
    source: "2026-07-28, basic/patterns/subscriptions: the acknowledgement comes first",
  },
  {
    group: "Unexpected messages",
    input: "the end of a subscription before it is acknowledged",
    in: [R5],
    call: (client) => client.subscribeResource({ uri: "test://a" }, () => undefined),
    answer: (asked) => [ok(asked, { _meta: { "io.modelcontextprotocol/subscriptionId": asked.id } })],
    outcome: { code: "INVALID_MESSAGE", message: "the subscription ended before the server acknowledged it" },
    source: "2026-07-28, basic/patterns/subscriptions: the acknowledgement comes first",
  },

  before("a `ping`", () => ({ jsonrpc: "2.0", id: 1, method: "ping" }), {
    group: "Requests from the server",
    in: [R4],
    sends: ['{"jsonrpc":"2.0","id":1,"result":{}}'],
    source: "basic/utilities/ping",
  }),
  ...["__proto__", "tools/list", "sampling/createMessage", "roots/list"].map((method) =>
    before(
      `a request with the method \`${method}\`, which this client does not handle`,
      () => ({ jsonrpc: "2.0", id: 1, method }),
      {
        group: "Requests from the server",
        in: [R4],
        sends: [`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: ${method}"}}`],
      },
    ),
  ),
  before(
    "an `elicitation/create` without a schema",
    () => ({
      jsonrpc: "2.0",
      id: 1,
      method: "elicitation/create",
      params: { message: "?" },
    }),
    {
      group: "Requests from the server",
      in: [R4],
      sends: [
        '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params of elicitation/create: …","data":{"issues":[…]}}}',
      ],
    },
  ),
  before("a batch", () => [{ jsonrpc: "2.0", id: 1, method: "ping" }], {
    group: "Requests from the server",
    in: [R4],
    reported: "Invalid Request: this revision does not support batches",
    sends: [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid Request: this revision does not support batches"}}',
    ],
  }),
  before("a batch without any id", () => [1], {
    group: "Requests from the server",
    in: [R4],
    reported: "Invalid Request: this revision does not support batches",
    source: "JSON-RPC 2.0, section 5: errors are for requests; ours: other invalid messages are reported",
  }),
  ...(
    [
      ["a log entry in JSON", { level: "info", msg: "started" }, "it is not a JSON-RPC 2.0 message …"],
      [
        "a request whose `id` is null",
        { jsonrpc: "2.0", id: null, method: "ping" },
        "id must be a string or an integer",
      ],
    ] as const
  ).map(([input, value, reported]) =>
    before(input, () => value, {
      group: "Requests from the server",
      in: [R4],
      reported: `Invalid Request: ${reported}`,
      source: "JSON-RPC 2.0, section 5: errors are for requests; ours: other invalid messages are reported",
    }),
  ),
  ...(
    [
      ["a request", { jsonrpc: "2.0", id: 1, method: "ping" }, "the server sent a request, which its revision forbids"],
      ["a request whose `id` is null", { jsonrpc: "2.0", id: null, method: "ping" }, "Invalid Request: …"],
      ["a request without `jsonrpc`", { id: 1, method: "ping" }, "Invalid Request: …"],
      ["a batch", [{ jsonrpc: "2.0", id: 1, method: "ping" }], "Invalid Request: …"],
      ["an empty object", {}, "Invalid Request: …"],
    ] as const
  ).map(([input, value, reported]) =>
    before(input, () => value, {
      group: "Requests from the server",
      in: [R5],
      reported,
      source: "2026-07-28, basic/patterns: servers send no requests, and clients no responses",
    }),
  ),

  bad("a result without its list", { ...KEPT }, `${SHAPE}: /tools must be an array, got nothing`),
  bad("a list that is an object", { ...KEPT, tools: {} }, `${SHAPE}: /tools must be an array, got an object`),
  bad(
    "a cursor that is not a string",
    { ...KEPT, tools: [], nextCursor: 1 },
    `${SHAPE}: /nextCursor must be a string, got a number`,
  ),
  bad(
    "an unknown `resultType`",
    { resultType: "later", tools: [] },
    'resultType "later" is not known for this method',
    { in: [R5], source: "2026-07-28, basic: results" },
  ),
  bad(
    "an unknown `resultType`, and a list with an invalid item",
    { ...KEPT, resultType: "later", tools: [null, tool("one")] },
    'resultType "later" is not known for this method',
    { in: [R5], source: "2026-07-28, basic: results" },
  ),
  bad(
    "the `resultType` `constructor`",
    { resultType: "constructor", tools: [] },
    'resultType "constructor" is not known for this method',
    { in: [R5], source: "2026-07-28, basic: results" },
  ),
  bad("a `resultType` that is not a string", { resultType: 1, tools: [] }, "resultType is not a string", {
    in: [R5],
    source: "2026-07-28, basic: results",
  }),
  bad(
    "`input_required` for a method that does not allow it",
    { resultType: "input_required", inputRequests: {} },
    'resultType "input_required" is not known for this method',
    { in: [R5], source: "2026-07-28, basic/patterns/mrtr" },
  ),
  bad("`input_required` without input requests", {}, "", {
    ...asking({}),
    outcome: { code: "INVALID_RESULT", message: 'invalid result of tools/call: "input_required" needs one of …' },
  }),
  bad("`input_required` with a request that this client has no handler for", {}, "", {
    ...asking({ inputRequests: { a: { method: "roots/list" } } }),
    outcome: {
      code: "INPUT_REQUIRED_UNSUPPORTED",
      message: "tools/call asks for roots/list: register a handler with setRequestHandler",
    },
  }),
  bad("`input_required` with an unknown method", {}, "", {
    ...asking({ inputRequests: { a: { method: "constructor" } } }),
    outcome: { code: "INVALID_RESULT", message: "invalid result of tools/call: …" },
  }),
  bad("`input_required` on every retry", {}, "", {
    ...asking({ inputRequests: { a: form } }),
    outcome: {
      code: "INPUT_REQUIRED_ROUNDS_EXCEEDED",
      message: "tools/call asked for input more than 10 times (option maxRounds)",
    },
  }),
  bad("a tool result without `content`", { ...KEPT, success: true }, "", {
    call: callTool,
    outcome: {
      code: "INVALID_RESULT",
      message: `invalid result of tools/call: ${SHAPE}: /content must be an array, got nothing`,
    },
  }),
  bad("a task that the client did not request", { ...KEPT, task: {}, structuredContent: {} }, "", {
    in: [R4],
    call: callTool,
    outcome: {
      code: "INVALID_RESULT",
      message: "invalid result of tools/call: it has task, but the request had no task",
    },
    source: "2025-11-25, basic/utilities/tasks: creating tasks",
  }),
  forgiven(
    "`nextCursor: null` on the last page",
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
    '`nextCursor: ""` on the last page, which leads back to the first',
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
    '`nextCursor: ""` on the only page',
    { tools: [tool("one")], nextCursor: "" },
    '{"ttlMs":0,"cacheScope":"private",…"tools":[{"name":"one","inputSchema":{"type":"object"}}]}',
    "modelcontextprotocol/java-sdk/issues/575",
  ),
  forgiven("`tools: null`", { tools: null }, EMPTY.value, "googleapis/mcp-toolbox/issues/869"),
  forgiven(
    "`content: null`",
    { content: null, isError: null },
    '…"content":[]…',
    "modelcontextprotocol/python-sdk/issues/1796",
    { call: callTool },
  ),
  forgiven(
    "structured content that contains null, without `content`",
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
    forgiven(`a list with \`ttlMs: ${JSON.stringify(ttlMs)}\``, { tools: [], ttlMs }, '…"ttlMs":0,…', "", {
      in: [R5],
      source:
        typeof ttlMs === "number"
          ? "2026-07-28, server/utilities/caching: a negative value counts as 0"
          : ours("a value that is not a number counts as 0"),
    }),
  ),
  forgiven("", {}, EMPTY.value, "gensecaihq/Wazuh-MCP-Server/issues/59", {
    input: "a result with `error: null`",
    answer: (asked) => [{ ...noTools(asked), error: null }],
  }),
  forgiven("", {}, "", "gensecaihq/Wazuh-MCP-Server/issues/59", {
    input: "an error with `result: null`",
    answer: ({ id }) => [{ jsonrpc: "2.0", id, result: null, error: { code: 1, message: "no" } }],
    outcome: { code: 1, message: "no" },
  }),
  {
    group: "Invalid results",
    input: "a list with some invalid items",
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, { tools: [tool("one"), null, tool(2), { name: "three" }, tool("four")] })],
    outcome: { count: 2 },
    reported: "invalid item of tools/list: null",
    source: ours("the other items are kept; invalid ones are passed to `onInvalidItem`"),
  },
  {
    group: "Invalid results",
    input: "a list with an invalid item, when `onInvalidItem` throws `the hook is broken`",
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, { tools: ["throw", tool("one")] })],
    outcome: { count: 1 },
    reported: "the hook is broken",
    source: ours("errors of hooks are reported; the call continues"),
  },
  {
    group: "Invalid results",
    input: "a second page of 150,000 items",
    in: [R5],
    call: listTools,
    answer: (asked) =>
      asked.params?.["cursor"] === undefined
        ? [ok(asked, { tools: [tool("first")], nextCursor: "2" })]
        : [ok(asked, { tools: Array.from({ length: 150_000 }, () => tool("more")) })],
    outcome: { count: 150_001 },
    source: ours("only the size of a message and the number of pages are limited"),
  },
  {
    group: "Invalid results",
    input: "pages that form a loop",
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, { tools: [], nextCursor: "again" })],
    outcome: {
      code: "LIST_PAGINATION_EXCEEDED",
      message: "tools/list was stopped after 1 pages: the server still returns a nextCursor",
    },
    source: ours("the cursor is the same as before"),
  },
  {
    group: "Invalid results",
    input: "endless pages",
    in: BOTH,
    call: listTools,
    answer: (asked) => [ok(asked, { tools: [], nextCursor: `after ${asked.id}` })],
    outcome: {
      code: "LIST_PAGINATION_EXCEEDED",
      message: "tools/list was stopped after 1000 pages: the server still returns a nextCursor",
    },
    source: ours("the limit is 1,000 pages"),
  },
  ...schemas.flatMap(([input, outputSchema]): ClientRow[] => [
    {
      group: "Output schemas of tools",
      input: `listing a tool whose output schema ${input}`,
      in: BOTH,
      call: listTools,
      answer: (asked) => [ok(asked, { tools: [{ ...tool("add"), outputSchema }] })],
      outcome: { count: 1 },
      source: "basic: JSON Schema usage; ours: an unusable schema does not hide its tool",
    },
    {
      group: "Output schemas of tools",
      input: `calling a tool whose output schema ${input}`,
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
      source: ours("the tool has run, so its result is returned without validation"),
    },
  ]),
];

/** A server that replies to `initialize` incorrectly. */
export interface OpeningRow {
  readonly input: string;
  /** Members of the response to `initialize`. */
  readonly members: object;
  readonly code: string | number;
  readonly message: string;
  readonly source: string;
}

const LIFECYCLE = "basic/lifecycle: version negotiation";

export const openingRows: readonly OpeningRow[] = [
  {
    input: "a result of another method",
    members: { result: { tools: [] } },
    code: "INVALID_RESULT",
    message: "the server responded to initialize with an invalid result…",
    source: LIFECYCLE,
  },
  {
    input: "a result that is not an object",
    members: { result: "hello" },
    code: "INVALID_MESSAGE",
    message: "the response to initialize has a non-object result",
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
    input: "a version that this client does not support",
    members: { result: { protocolVersion: "2099-01-01", capabilities: {}, serverInfo: { name: "s", version: "1" } } },
    code: "NO_COMMON_REVISION",
    message: "client and server share no revision: …",
    source: LIFECYCLE,
  },
  {
    input: "the version `__proto__`",
    members: { result: { protocolVersion: "__proto__", capabilities: {}, serverInfo: { name: "s", version: "1" } } },
    code: "NO_COMMON_REVISION",
    message: "client and server share no revision: …",
    source: LIFECYCLE,
  },
];
