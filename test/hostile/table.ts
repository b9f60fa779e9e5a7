/** What a connection has negotiated before the input: nothing, a session of that revision, or a revision per request. */
export type Opening = "unopened" | (typeof REVISIONS)[number];

export const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;

const [R1, R2, R3, R4, R5] = REVISIONS;
const SESSIONS = [R1, R2, R3, R4] as const;
const ANY = ["unopened", ...REVISIONS] as const;

/**
 * One input. `json` is sent over every transport and, unless `bare`, gets the metadata of the stateless era where that
 * applies; `raw` is bytes on a stream. `params` is the text with which params begin.
 */
export type Sent =
  | { readonly json: unknown; readonly bare?: true }
  | { readonly raw: (params: string) => readonly (string | Uint8Array)[] }
  | { readonly retry: (state: string) => { readonly requestState?: unknown; readonly [member: string]: unknown } };

/** `…` in a message or result stands for any text. */
export type Reply =
  | { readonly id: unknown; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly id: unknown; readonly result: string };

export interface Case {
  readonly in: readonly Opening[];
  /** Empty: no response. */
  readonly replies: readonly Reply[];
  /** Whether they are sent as one array. */
  readonly together?: true;
  /** The message of the error that is passed to `onerror`. */
  readonly reported?: string;
}

/** An input from a client, and the response of the server. */
export interface Row {
  readonly group: string;
  readonly input: string;
  readonly send: readonly Sent[];
  readonly cases: readonly Case[];
  /** Sections of the specification; `ours` and the reason where it states nothing. */
  readonly source: string;
  /** Options of the server and its transport, where the defaults do not show the behaviour. */
  readonly options?: { readonly stateTtlMs?: number; readonly maxDepth?: number };
  /** Whether the documentation leaves it out: a valid input near an invalid one, or one more of its kind. */
  readonly undocumented?: true;
}

const NO_ID = Symbol("no id");
/** The `id` of a reply that has none. */
export const ABSENT: unknown = NO_ID;

const ours = (reason: string): string => `ours: ${reason}`;
const fails = (id: unknown, code: number, message: string, data?: unknown): Reply => ({
  id,
  code,
  message,
  ...(data !== undefined && { data }),
});
const typeNames = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
const answers = (id: unknown, result = "…"): Reply => ({ id, result });

function request(id: unknown, method: unknown, params?: unknown): object {
  return { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) };
}
function notification(method: unknown, params?: unknown): object {
  return { jsonrpc: "2.0", method, ...(params !== undefined && { params }) };
}
const json = (...values: readonly unknown[]): Sent[] => values.map((value) => ({ json: value }));
const bare = (...values: readonly unknown[]): Sent[] => values.map((value) => ({ json: value, bare: true }));
const line = (text: (params: string) => string): Sent[] => [{ raw: (params) => [`${text(params)}\n`] }];
const call = (id: unknown, name: unknown, args?: unknown): object =>
  request(id, "tools/call", { name, ...(args !== undefined && { arguments: args }) });

/** An error without id, in revisions that allow one; in the others, no response. */
function withoutId(code: number, message: string): Case[] {
  return [
    { in: ["unopened", R4, R5], replies: [fails(ABSENT, code, message)] },
    { in: [R1, R2, R3], replies: [], reported: message },
  ];
}
const everywhere = (...replies: readonly Reply[]): Case[] => [{ in: REVISIONS, replies }];
const silence = (reported?: string): Case[] => [{ in: ANY, replies: [], ...(reported !== undefined && { reported }) }];
const WHICH = "Unknown protocol version: …";

const NOT_JSON_RPC = 'Invalid Request: it is not a JSON-RPC 2.0 message ("jsonrpc" must be "2.0")';
const NO_BATCH = "Invalid Request: this revision does not support batches";
const EARLY_BATCH = "Invalid Request: a batch needs a session whose revision supports batches";
/** A batch in a revision without batches; requests with an id are rejected one by one. */
function noBatch(...ids: readonly unknown[]): Case[] {
  const refused = (message: string): Reply[] => ids.map((id) => fails(id, -32600, message));
  if (ids.length > 0)
    return [
      { in: ["unopened", R5], replies: refused(EARLY_BATCH), reported: EARLY_BATCH },
      { in: [R1, R3, R4], replies: refused(NO_BATCH), reported: NO_BATCH },
    ];
  return [
    { in: ["unopened", R5], replies: [fails(ABSENT, -32600, EARLY_BATCH)] },
    { in: [R4], replies: [fails(ABSENT, -32600, NO_BATCH)] },
    { in: [R1, R3], replies: [], reported: NO_BATCH },
  ];
}
const BAD_ID = "Invalid Request: id must be a string or an integer…";
const CODES = "basic: error codes (JSON-RPC 2.0, section 5.1)";
const ID_OPTIONAL = "2025-11-25, basic: error responses";

const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
/** Whether `JSON.stringify` of this engine works without recursion. */
function printsAnyDepth(): boolean {
  try {
    return JSON.stringify(JSON.parse(deep(100_000))).length > 0;
  } catch {
    return false;
  }
}
/** A call whose argument has this many levels; the message has three more. */
const deepCall = (levels: number, name: string): Sent[] =>
  line(
    (params) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params}"name":"${name}","arguments":{"a":${deep(levels)}}}}`,
  );
const TOO_DEEP = "The message is nested deeper than 1000 levels";
const MAX_DEPTH = ours("the limit `maxDepth`, which RFC 8259, section 9, allows");

const text: readonly Row[] = [
  {
    group: "Malformed and oversized lines",
    input: "a line that is not JSON",
    send: line(() => '{"jsonrpc":"2.0","id":1,'),
    cases: withoutId(-32700, "Parse error: …"),
    source: ID_OPTIONAL,
  },
  {
    group: "Malformed and oversized lines",
    input: "a line that is not UTF-8, split within a character",
    send: [{ raw: () => ['{"jsonrpc":"2.0","id":1,"method":"', Uint8Array.of(0xc3), Uint8Array.of(0x28), '"}\n'] }],
    cases: withoutId(-32700, "Parse error: not UTF-8"),
    source: `basic/transports: messages are UTF-8; ${ID_OPTIONAL}`,
  },
  {
    group: "Malformed and oversized lines",
    input: "a line that is UTF-8, split within a character",
    send: [
      {
        raw: (params) => [
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params}"name":"keys","arguments":{"`,
          Uint8Array.of(0xf0, 0x9f),
          Uint8Array.of(0x98),
          Uint8Array.of(0x80),
          '":1}}}\n',
        ],
      },
    ],
    cases: everywhere(answers(1, "…😀…")),
    source: "basic/transports: messages are UTF-8",
    undocumented: true,
  },
  {
    group: "Malformed and oversized lines",
    input: "a surrogate encoded as bytes (CESU-8)",
    send: [{ raw: () => ['{"jsonrpc":"2.0","id":1,"method":"', Uint8Array.of(0xed, 0xa0, 0x80), '"}\n'] }],
    cases: withoutId(-32700, "Parse error: not UTF-8"),
    source: `RFC 3629, section 3; ${ID_OPTIONAL}`,
  },
  {
    group: "Malformed and oversized lines",
    input: "a lone surrogate, escaped",
    send: line((params) =>
      JSON.stringify(call(1, "keys")).replace('{"name":"keys"', `{${params}"name":"keys","arguments":{"\\ud800":1}`),
    ),
    cases: everywhere(answers(1, "…ud800…")),
    source: "RFC 8259, section 8.2: valid JSON; it is passed through, and escaped when it is sent",
    undocumented: true,
  },
  {
    group: "Malformed and oversized lines",
    input: "a byte order mark before the first message",
    send: [
      { raw: (params) => [`\ufeff{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${params.slice(0, -1)}}}\n`] },
    ],
    cases: [{ in: [R5], replies: [answers(1)] }],
    source: "RFC 8259, section 8.1: parsers may ignore it",
    undocumented: true,
  },
  {
    group: "Malformed and oversized lines",
    input: "a byte order mark before a later message",
    send: line(() => '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}'),
    cases: [
      { in: [R1, R2, R3], replies: [], reported: "Parse error: …" },
      { in: [R4], replies: [fails(ABSENT, -32700, "Parse error: …")] },
    ],
    source: `RFC 8259, section 8.1: parsers may ignore it, but only at the start; ${ID_OPTIONAL}`,
  },
  {
    group: "Malformed and oversized lines",
    input: "a duplicate member",
    send: line((params) => `{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list","params":{${params.slice(0, -1)}}}`),
    cases: everywhere(answers(2)),
    source: ours("the last one counts, as in `JSON.parse`; RFC 8259, section 4, leaves it open"),
  },
  {
    group: "Malformed and oversized lines",
    input: "an empty line, or one with only whitespace",
    send: [{ raw: () => ["\n", "\r\n", " \t\n"] }],
    cases: silence(),
    source: ours("it contains no message"),
  },
  {
    group: "Malformed and oversized lines",
    input: "a line of 100 MB",
    send: [
      {
        raw: () => {
          const part = "x".repeat(2 ** 20);
          return ['{"jsonrpc":"2.0","id":1,"method":"', ...Array.from({ length: 100 }, () => part), '"}\n'];
        },
      },
    ],
    cases: withoutId(-32600, "The message is longer than 16777216 bytes"),
    source: ours("the limit `maxMessageBytes`; the rest of the line is skipped"),
  },
  {
    group: "Malformed and oversized lines",
    input: "an array nested 100,000 levels deep",
    send: line(() => deep(100_000)),
    cases: withoutId(-32600, TOO_DEEP),
    source: MAX_DEPTH,
  },
  {
    group: "Malformed and oversized lines",
    input: "an array of 600,000 empty objects",
    send: line(() => `[${"{},".repeat(599_999)}{}]`),
    cases: withoutId(-32600, "The message has more than 1000000 values (option maxValues)"),
    source: ours("the limit `maxValues`, which RFC 8259, section 9, allows"),
  },
  {
    group: "Malformed and oversized lines",
    input: "a request nested 1,001 levels deep",
    send: deepCall(998, "echo"),
    cases: [{ in: ANY, replies: [fails(1, -32600, TOO_DEEP)], reported: TOO_DEEP }],
    source: MAX_DEPTH,
  },
  {
    group: "Malformed and oversized lines",
    input: "a request nested 1,000 levels deep",
    send: deepCall(997, "echo"),
    cases: everywhere(answers(1, "…echo…")),
    source: MAX_DEPTH,
    undocumented: true,
  },
  {
    group: "Malformed and oversized lines",
    input: "arguments nested 100,000 levels deep, without `maxDepth`, for a handler that ignores them",
    send: deepCall(100_000, "keys"),
    options: { maxDepth: Infinity },
    cases: everywhere(answers(1, "…a…")),
    source: MAX_DEPTH,
    undocumented: true,
  },
  {
    group: "Malformed and oversized lines",
    input: "arguments nested 100,000 levels deep, without `maxDepth`, for a handler that returns them",
    send: deepCall(100_000, "echo"),
    options: { maxDepth: Infinity },
    cases: printsAnyDepth()
      ? everywhere(answers(1, "…echo…"))
      : [
          // These revisions have no structured content.
          { in: [R1, R2], replies: [answers(1, "…echo…")] },
          {
            in: [R3, R4, R5],
            replies: [fails(1, -32603, "Internal error")],
            reported: "Maximum call stack size exceeded",
          },
        ],
    source: `${CODES}: the handler's result cannot be serialized`,
    undocumented: true,
  },
];

const nothings: readonly (readonly [string, unknown])[] = [
  ["a number", 1],
  ["a string", "ping"],
  ["null", null],
  ["true", true],
  ["an empty object", {}],
];

const envelopes: readonly Row[] = [
  ...nothings.map(([input, value]): Row => ({
    group: "Invalid JSON-RPC messages",
    input,
    send: bare(value),
    cases: withoutId(-32600, NOT_JSON_RPC),
    source: `${CODES}; ${ID_OPTIONAL}`,
  })),
  {
    group: "Invalid JSON-RPC messages",
    input: "an object whose member `__proto__` is a request",
    send: line(() => '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}'),
    cases: withoutId(-32600, NOT_JSON_RPC),
    source: `${CODES}: \`__proto__\` is an ordinary member`,
  },
  {
    group: "Invalid JSON-RPC messages",
    input: "a request without `jsonrpc`",
    send: bare({ id: 7, method: "tools/list" }),
    cases: [{ in: ANY, replies: [fails(7, -32600, NOT_JSON_RPC)] }],
    source: "JSON-RPC 2.0, sections 4 and 5",
  },
  {
    group: "Invalid JSON-RPC messages",
    input: 'a request with `"jsonrpc": "1.0"`',
    send: bare({ jsonrpc: "1.0", id: 7, method: "tools/list" }),
    cases: [{ in: ANY, replies: [fails(7, -32600, NOT_JSON_RPC)] }],
    source: "JSON-RPC 2.0, sections 4 and 5",
  },
  {
    group: "Invalid JSON-RPC messages",
    input: "a request whose `method` is not a string",
    send: bare(request(7, 1)),
    cases: [{ in: ANY, replies: [fails(7, -32600, "Invalid Request: method must be a string")] }],
    source: "JSON-RPC 2.0, sections 4 and 5",
  },
  {
    group: "Invalid JSON-RPC messages",
    input: "a request whose `params` is an array",
    send: bare(request(7, "tools/list", [1])),
    cases: [{ in: ANY, replies: [fails(7, -32600, "Invalid Request: params must be an object")] }],
    source: "basic: requests; JSON-RPC 2.0 allows arrays, MCP does not",
  },
  {
    group: "Invalid JSON-RPC messages",
    input: "a request whose `params` is null",
    send: bare(request(7, "tools/list", null)),
    cases: [{ in: ANY, replies: [fails(7, -32600, "Invalid Request: params must be an object")] }],
    source: "JSON-RPC 2.0, section 4.2: params are structured or absent",
  },
  {
    group: "Invalid JSON-RPC messages",
    input: "a notification whose `params` is an array",
    send: bare(notification("notifications/initialized", [1])),
    cases: silence("received a malformed notification"),
    source: "basic: notifications get no response",
  },
  {
    group: "Invalid JSON-RPC messages",
    input: "an object with only `jsonrpc`",
    send: bare({ jsonrpc: "2.0" }),
    cases: withoutId(-32600, "Invalid Request: it has neither method nor result nor error"),
    source: `${CODES}; ${ID_OPTIONAL}`,
  },
  {
    group: "Invalid JSON-RPC messages",
    input: "an object with only `jsonrpc` and `id`",
    send: bare({ jsonrpc: "2.0", id: 7 }),
    cases: silence("received a response whose id matches no pending request"),
    source: ours("it is probably a response without a result, and responses get no response"),
  },
];

const badIds: readonly (readonly [string, string])[] = [
  ["null", "null"],
  ["a fraction", "1.5"],
  ["true", "true"],
  ["an object", "{}"],
  ["an array", "[1]"],
  ["1e400, which overflows", "1e400"],
  ["2^53 + 1, which is rounded", "9007199254740993"],
];
const goodIds: readonly (readonly [string, string, unknown])[] = [
  ["0", "0", 0],
  ["a negative integer", "-7", -7],
  ["2^53 - 1", "9007199254740991", 9007199254740991],
  ["an integer written as 1.0e1", "1.0e1", 10],
  ["an empty string", '""', ""],
  ["the string `__proto__`", '"__proto__"', "__proto__"],
];

const ids: readonly Row[] = [
  ...badIds.map(([input, id]): Row => ({
    group: "Request ids",
    input: `a request whose id is ${input}`,
    send: line((params) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{${params.slice(0, -1)}}}`),
    cases: withoutId(-32600, BAD_ID),
    source: id.startsWith("9")
      ? ours("the response with a rounded id could match another request")
      : `basic: requests; ${ID_OPTIONAL}`,
  })),
  ...goodIds.map(([input, id, back]): Row => ({
    group: "Request ids",
    input: `a request whose id is ${input}`,
    send: line((params) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{${params.slice(0, -1)}}}`),
    cases: everywhere(answers(back)),
    source: "basic: requests",
    undocumented: true,
  })),
  {
    group: "Request ids",
    input: "a request with the id of a request in progress",
    send: json(call(7, "hang"), request(7, "tools/list")),
    cases: everywhere(fails(7, -32600, "Invalid Request: id is in use")),
    source: "basic: requests: ids are unique; the first request continues",
  },
  {
    group: "Request ids",
    input: "the id of a request in progress, as a string",
    send: json(call(7, "hang"), request("7", "tools/list")),
    cases: everywhere(answers("7")),
    source: 'basic: requests: 7 and "7" are different ids',
    undocumented: true,
  },
];

const many = (length: number): object[] => Array.from({ length }, (_, id) => request(id, "ping"));

const batches: readonly Row[] = [
  {
    group: "Batches",
    input: "a batch",
    send: bare([request(1, "ping"), request("1", "tools/list"), notification("notifications/initialized")]),
    cases: [{ in: [R2], replies: [answers(1, "{}"), answers("1")], together: true }, ...noBatch(1, "1")],
    source: `2025-03-26, basic: batching; 2025-06-18, changelog: removed; no message of a rejected batch is executed; ${ID_OPTIONAL}`,
  },
  {
    group: "Batches",
    input: "a batch of notifications",
    send: bare([notification("notifications/initialized"), notification("nobody/knows")]),
    cases: [{ in: [R2], replies: [] }],
    source: "JSON-RPC 2.0, section 6",
    undocumented: true,
  },
  {
    group: "Batches",
    input: "an empty batch",
    send: bare([]),
    cases: [{ in: [R2], replies: [], reported: "Invalid Request: the batch is empty" }, ...noBatch()],
    source: `JSON-RPC 2.0, section 6: an error with id null, which 2025-03-26 does not allow; ${ID_OPTIONAL}`,
  },
  {
    group: "Batches",
    input: "a batch of 10,000 requests",
    send: bare(many(10_000)),
    cases: [
      {
        in: [R2],
        replies: many(10_000).map((_, id) =>
          fails(id, -32600, "Invalid Request: the batch has more than 1000 messages"),
        ),
        together: true,
        reported: "Invalid Request: the batch has more than 1000 messages",
      },
      ...noBatch(...many(10_000).map((_, id) => id)),
    ],
    source: ours("the limit `limits.batchLength`; each request is rejected under its id, and none is executed"),
  },
  {
    group: "Batches",
    input: "a batch that contains `initialize`",
    send: bare([
      request(1, "initialize", { protocolVersion: R2, capabilities: {}, clientInfo: { name: "raw", version: "1" } }),
    ]),
    cases: [
      { in: [R2], replies: [fails(1, -32600, "Invalid Request: already initialized")], together: true },
      ...noBatch(1),
    ],
    source: `2025-03-26, basic/lifecycle: \`initialize\` is never part of a batch; ${ID_OPTIONAL}`,
  },
  {
    group: "Batches",
    input: "a batch with invalid messages",
    send: bare([1, request(5, "ping"), [], request(null, "ping")]),
    cases: [{ in: [R2], replies: [answers(5)], together: true, reported: "Invalid Request: …" }],
    source: `JSON-RPC 2.0, section 6: errors with id null, which 2025-03-26 does not allow; ${ID_OPTIONAL}`,
  },
  {
    group: "Batches",
    input: "a batch in which the error of one request cannot be serialized",
    send: bare([call(1, "throw-circular-data"), request(2, "ping")]),
    cases: [
      {
        in: [R2],
        replies: [fails(1, -32603, "Internal error"), answers(2)],
        together: true,
        reported: "Converting circular structure…",
      },
    ],
    source: ours("an error response takes the place of the one that cannot be serialized; the batch stays one message"),
  },
];

const responses: readonly Row[] = [
  [
    "a result with an unknown id",
    { jsonrpc: "2.0", id: 99, result: {} },
    "received a response whose id matches no pending request",
  ],
  [
    "an error with an unknown id",
    { jsonrpc: "2.0", id: 99, error: { code: -1, message: "no" } },
    "received a response whose id matches no pending request",
  ],
  [
    "a response with both `result` and `error`",
    { jsonrpc: "2.0", id: 99, result: {}, error: { code: -1, message: "no" } },
    "received a response whose id matches no pending request",
  ],
  [
    "a response whose `id` is an object",
    { jsonrpc: "2.0", id: {}, result: {} },
    "received a response whose id matches no pending request",
  ],
  ["a result without `id`", { jsonrpc: "2.0", result: {} }, "received a response without id"],
  [
    "an error whose `id` is null, with the message `what?`",
    { jsonrpc: "2.0", id: null, error: { code: -32700, message: "what?" } },
    "what?",
  ],
].map(([input, value, reported]): Row => ({
  group: "Responses without a request",
  input: input as string,
  send: bare(value),
  cases: silence(reported as string),
  source: "JSON-RPC 2.0, section 5: a response gets no response",
}));

const odd = ["__proto__", "constructor", "toString", "hasOwnProperty", ""] as const;
/** The documentation shows one of the odd names. */
const oneOf = (name: string): { readonly undocumented?: true } =>
  odd.includes(name as never) && name !== "__proto__" ? { undocumented: true } : {};

const methods: readonly Row[] = [
  ...["nobody/knows", ...odd].map((method): Row => ({
    ...oneOf(method),
    group: "Methods",
    input: `a request with the unknown method \`${JSON.stringify(method)}\``,
    send: json(request(7, method)),
    cases: everywhere(fails(7, -32601, `Method not found: ${method}`)),
    source: CODES,
  })),
  {
    group: "Methods",
    input: "a request before `initialize`, without the metadata of 2026-07-28",
    send: bare(request(7, "tools/list")),
    cases: [{ in: ["unopened"], replies: [fails(7, -32602, WHICH, { supported: [...REVISIONS].reverse() })] }],
    source: "up to 2025-11-25, basic/lifecycle: initialization comes first; 2026-07-28, basic: required metadata",
  },
  ...["roots/list", "sampling/createMessage", "elicitation/create", "notifications/tools/list_changed"].map(
    (method): Row => ({
      group: "Methods",
      input: `a request with the method \`${method}\`, which servers do not handle`,
      send: json(request(7, method)),
      cases: everywhere(fails(7, -32601, `Method not found: ${method}`)),
      source: CODES,
    }),
  ),
  ...(
    [
      ["ping", [R5]],
      ["initialize", [R5]],
      ["logging/setLevel", [R5]],
      ["resources/subscribe", [R5]],
      ["server/discover", SESSIONS],
      ["subscriptions/listen", SESSIONS],
      ["tasks/get", [...SESSIONS, R5]],
    ] as const
  ).map(([method, openings]): Row => ({
    group: "Methods",
    input: `a request with the method \`${method}\`, which does not exist in the revision or which the server does not support`,
    send: json(request(7, method)),
    cases: [{ in: openings, replies: [fails(7, -32601, `Method not found: ${method}`)] }],
    source: CODES,
  })),
  ...["nobody/knows", "tools/list", "notifications/tools/list_changed", ...odd].map((method): Row => ({
    ...oneOf(method),
    group: "Methods",
    input: `a notification with the method \`${JSON.stringify(method)}\``,
    send: json(notification(method)),
    cases: silence(),
    source: "JSON-RPC 2.0, section 4.1: notifications get no response",
  })),
];

const hello = { protocolVersion: R4, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
const claiming = (meta: unknown): Sent[] => bare(request(7, "tools/list", { _meta: meta }));

const opening: readonly Row[] = [
  {
    group: "Opening and metadata",
    input: "a `ping` before `initialize`",
    send: bare(request(7, "ping")),
    cases: [{ in: ["unopened"], replies: [answers(7, "{}")] }],
    source: "basic/lifecycle: initialization",
    undocumented: true,
  },
  {
    group: "Opening and metadata",
    input: "a second `initialize`",
    send: bare(request(7, "initialize", hello)),
    cases: [{ in: SESSIONS, replies: [fails(7, -32600, "Invalid Request: already initialized")] }],
    source: ours("basic/lifecycle only states that initialization comes first"),
  },
  {
    group: "Opening and metadata",
    input: "`initialize` without capabilities",
    send: bare(request(7, "initialize", { ...hello, capabilities: undefined })),
    cases: [
      {
        in: ["unopened"],
        replies: [fails(7, -32602, "Invalid params of initialize: /capabilities must be an object, got nothing")],
      },
    ],
    source: CODES,
  },
  {
    group: "Opening and metadata",
    input: "`initialize` without params",
    send: bare(request(7, "initialize")),
    cases: [{ in: ["unopened"], replies: [fails(7, -32602, "Invalid params of initialize: they are missing")] }],
    source: CODES,
  },
  ...["1999-01-01", "__proto__", R5].map((protocolVersion): Row => ({
    group: "Opening and metadata",
    input: `\`initialize\` with the version \`${JSON.stringify(protocolVersion)}\``,
    send: bare(request(7, "initialize", { ...hello, protocolVersion })),
    cases: [{ in: ["unopened"], replies: [answers(7, `…"protocolVersion":"${R4}"…`)] }],
    source: "basic/lifecycle: version negotiation: the newest version with `initialize`",
  })),
  {
    group: "Opening and metadata",
    input: "`notifications/initialized` before `initialize`",
    send: bare(notification("notifications/initialized")),
    cases: [{ in: ["unopened"], replies: [] }],
    source: "JSON-RPC 2.0, section 4.1: notifications get no response",
  },
  {
    group: "Opening and metadata",
    input: "metadata with a version that is not a string",
    send: claiming({ [VERSION]: 1, [CAPABILITIES]: {} }),
    cases: [{ in: ANY, replies: [fails(7, -32602, `Invalid params: _meta["${VERSION}"] must be a string`)] }],
    source: "2026-07-28, basic: required metadata",
  },
  {
    group: "Opening and metadata",
    input: "metadata without capabilities",
    send: claiming({ [VERSION]: R5 }),
    cases: [{ in: ANY, replies: [fails(7, -32602, `Invalid params: _meta["${CAPABILITIES}"] must be an object`)] }],
    source: "2026-07-28, basic: required metadata",
  },
  {
    group: "Opening and metadata",
    input: "metadata with capabilities that are an array",
    send: claiming({ [VERSION]: R5, [CAPABILITIES]: [] }),
    cases: [{ in: ANY, replies: [fails(7, -32602, `Invalid params: _meta["${CAPABILITIES}"] must be an object`)] }],
    source: "2026-07-28, basic: required metadata",
  },
  ...["2099-01-01", "__proto__", R4].map((version): Row => ({
    group: "Opening and metadata",
    input: `metadata with the version \`${JSON.stringify(version)}\``,
    send: claiming({ [VERSION]: version, [CAPABILITIES]: {} }),
    cases: [
      {
        in: ANY,
        replies: [
          fails(7, -32022, "Unsupported protocol version", {
            // A request cannot claim a revision that needs `initialize`.
            supported: version === R4 ? [R5] : [...REVISIONS].reverse(),
            requested: version,
          }),
        ],
      },
    ],
    source: "2026-07-28, basic/versioning: unsupported versions",
  })),
  {
    group: "Opening and metadata",
    input: "metadata with an unknown log level",
    send: claiming({ [VERSION]: R5, [CAPABILITIES]: {}, [LOG_LEVEL]: "verbose" }),
    cases: [
      { in: ANY, replies: [fails(7, -32602, `Invalid params: _meta["${LOG_LEVEL}"] does not match the schema`)] },
    ],
    source: "2026-07-28, server/utilities/logging",
  },
  ...[
    ["a `clientInfo` that is a string", { "io.modelcontextprotocol/clientInfo": "x" }] as const,
    ["a client capability that is not an object", { [CAPABILITIES]: { elicitation: true } }] as const,
    ["a `progressToken` that is an object", { progressToken: {} }] as const,
  ].map(([input, meta]): Row => ({
    group: "Opening and metadata",
    input: `metadata with ${input}`,
    send: claiming({ [VERSION]: R5, [CAPABILITIES]: {}, ...meta }),
    cases: [
      {
        in: ANY,
        replies: [fails(7, -32602, `Invalid params: _meta["${Object.keys(meta).join("")}"] does not match the schema`)],
      },
    ],
    source: "2026-07-28, basic: `_meta`",
  })),
  ...[null, 1, "text", []].map((meta): Row => ({
    group: "Opening and metadata",
    input: `\`_meta\` that is \`${JSON.stringify(meta)}\``,
    send: claiming(meta),
    cases: [
      { in: ["unopened"], replies: [fails(7, -32602, WHICH)] },
      {
        in: SESSIONS,
        replies: [fails(7, -32602, `Invalid params of tools/list: /_meta must be an object, got ${typeNames(meta)}`)],
      },
    ],
    source: CODES,
  })),
];

/** Input, method, params and the reason. */
const badParams: readonly (readonly [string, string, unknown, readonly Opening[], string])[] = [
  ["`tools/call` without `name`", "tools/call", {}, REVISIONS, "/name must be a string, got nothing"],
  [
    "`tools/call` with a `name` that is not a string",
    "tools/call",
    { name: 1 },
    REVISIONS,
    "/name must be a string, got a number",
  ],
  [
    "`tools/call` with `arguments` that are an array",
    "tools/call",
    { name: "add", arguments: [1, 2] },
    REVISIONS,
    "/arguments must be an object, got an array",
  ],
  [
    "`tools/call` with `arguments` that are null",
    "tools/call",
    { name: "add", arguments: null },
    REVISIONS,
    "/arguments must be an object, got null",
  ],
  [
    "`tools/list` with a `cursor` that is not a string",
    "tools/list",
    { cursor: 1 },
    REVISIONS,
    "/cursor must be a string, got a number",
  ],
  [
    "`prompts/get` with an argument that is not a string",
    "prompts/get",
    { name: "greet", arguments: { name: 1 } },
    REVISIONS,
    "/arguments/name must be a string, got a number",
  ],
  ["`resources/read` without `uri`", "resources/read", {}, REVISIONS, "/uri must be a string, got nothing"],
  [
    "`resources/subscribe` with a `uri` that is not a string",
    "resources/subscribe",
    { uri: {} },
    SESSIONS,
    "/uri must be a string, got an object",
  ],
  [
    "`logging/setLevel` with an unknown level",
    "logging/setLevel",
    { level: "loud" },
    SESSIONS,
    '/level must be one of "debug", …, got a string',
  ],
  [
    "`completion/complete` with an unknown kind of reference",
    "completion/complete",
    { ref: { type: "ref/tool", name: "add" }, argument: { name: "a", value: "" } },
    REVISIONS,
    "/ref/type must be one of …, got a string",
  ],
  [
    "`subscriptions/listen` without a filter",
    "subscriptions/listen",
    {},
    [R5],
    "/notifications must be an object, got nothing",
  ],
  [
    "a `progressToken` that is an object",
    "tools/list",
    { _meta: { progressToken: {} } },
    SESSIONS,
    "/_meta/progressToken must be a string or an integer, got an object",
  ],
  [
    "a `progressToken` that is null",
    "tools/list",
    { _meta: { progressToken: null } },
    SESSIONS,
    "/_meta/progressToken must be a string or an integer, got null",
  ],
  [
    "a `progressToken` that is a fraction",
    "tools/list",
    { _meta: { progressToken: 0.5 } },
    SESSIONS,
    "/_meta/progressToken must be an integer, got a number",
  ],
];

const notFound = (id: unknown, uri: string): Case[] => [
  { in: SESSIONS, replies: [fails(id, -32002, "Resource not found", { uri })] },
  { in: [R5], replies: [fails(id, -32602, "Resource not found", { uri })] },
];

const params: readonly Row[] = [
  ...badParams.map(([input, method, value, openings, reason]): Row => ({
    group: "Params",
    input,
    send: json(request(7, method, value)),
    cases: [{ in: openings, replies: [fails(7, -32602, `Invalid params of ${method}: ${reason}`)] }],
    source: CODES,
  })),
  {
    group: "Params",
    input: "`tools/call` without params",
    send: json(request(7, "tools/call")),
    cases: [
      { in: SESSIONS, replies: [fails(7, -32602, "Invalid params of tools/call: they are missing")] },
      { in: [R5], replies: [fails(7, -32602, "Invalid params of tools/call: /name must be a string, got nothing")] },
    ],
    source: CODES,
  },
  ...["nope", ...odd].map((name): Row => ({
    ...oneOf(name),
    group: "Params",
    input: `the unknown tool \`${JSON.stringify(name)}\``,
    send: json(call(7, name)),
    cases: everywhere(fails(7, -32602, `Unknown tool: ${name}`)),
    source: "server/tools: error handling",
  })),
  {
    group: "Params",
    input: "arguments that do not match the tool's schema",
    send: json(call(7, "add", { a: 1, b: "2" })),
    cases: [
      { in: [R1, R2, R3], replies: [fails(7, -32602, "Invalid arguments for tool add: /b: …")] },
      { in: [R4, R5], replies: [answers(7, '…Invalid arguments for tool add: /b: …"isError":true…')] },
    ],
    source: "server/tools: error handling; since 2025-11-25, a tool result, so that the model can try again",
  },
  {
    group: "Params",
    input: "arguments named `__proto__` and `constructor`",
    send: line(
      (params) =>
        `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{${params}"name":"keys","__proto__":{"name":"hang"},"arguments":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}`,
    ),
    cases: everywhere(answers(7, "…constructor…true…")),
    source: ours("they are ordinary names; the prototype does not change"),
  },
  ...["nope", ...odd].map((name): Row => ({
    ...oneOf(name),
    group: "Params",
    input: `the unknown prompt \`${JSON.stringify(name)}\``,
    send: json(request(7, "prompts/get", { name })),
    cases: everywhere(fails(7, -32602, `Unknown prompt: ${name}`)),
    source: "server/prompts: error handling",
  })),
  {
    group: "Params",
    input: "prompt arguments named `__proto__` and `constructor`",
    send: line(
      (params) =>
        `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{${params}"name":"greet","arguments":{"__proto__":"x","constructor":"y"}}}`,
    ),
    cases: everywhere(answers(7, "…constructor…")),
    source: ours("they are ordinary names; the prototype does not change"),
  },
  ...["test://nope", "nope", "../../etc/passwd", "item://", ...odd].map((uri): Row => ({
    ...oneOf(uri),
    group: "Params",
    input: `the unknown resource \`${JSON.stringify(uri)}\``,
    send: json(request(7, "resources/read", { uri })),
    cases: notFound(7, uri),
    source: "server/resources: error handling",
  })),
  ...["nope", "", "AAAA", "x".repeat(100_000)].map((cursor): Row => ({
    group: "Params",
    input: `a cursor that the server did not issue: ${cursor.length > 10 ? "100,000 characters" : `\`${JSON.stringify(cursor)}\``}`,
    send: json(request(6, "tools/list"), request(7, "tools/list", { cursor })),
    cases: everywhere(answers(6), fails(7, -32602, "Invalid params: cursor was not returned by this server")),
    source: "server/utilities/pagination: error handling",
  })),
  {
    group: "Params",
    input: 'completion for the unknown prompt `"__proto__"`',
    send: json(
      request(7, "completion/complete", {
        ref: { type: "ref/prompt", name: "__proto__" },
        argument: { name: "a", value: "" },
      }),
    ),
    cases: everywhere(fails(7, -32602, "Unknown prompt: __proto__")),
    source: "server/utilities/completion: error handling",
  },
  ...odd.map((name): Row => ({
    ...oneOf(name),
    group: "Params",
    input: `completion for the unknown argument \`${JSON.stringify(name)}\``,
    send: json(
      request(7, "completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name, value: "" } }),
    ),
    cases: everywhere(answers(7, '…"values":[]…')),
    source: ours("an argument without a completion has no values"),
  })),
  {
    group: "Params",
    input: "a URI that a template could match in very many ways (CVE-2026-0621)",
    send: json(
      request(7, "resources/read", { uri: `many://x${"/a".repeat(5_000)}` }),
      request(8, "resources/read", { uri: `item://${"/".repeat(20_000)}?` }),
    ),
    cases: [
      { in: SESSIONS, replies: [fails(7, -32002, "Resource not found"), fails(8, -32002, "Resource not found")] },
      { in: [R5], replies: [fails(7, -32602, "Resource not found"), fails(8, -32602, "Resource not found")] },
    ],
    source: ours("matching takes linear time; very long URIs match nothing"),
  },
];

const unasked: readonly Row[] = [
  ...(
    [
      ["an unknown request", { requestId: 99 }],
      ["the request `__proto__`", { requestId: "__proto__" }],
      ["a request, with a `reason` that is not a string", { requestId: 99, reason: 1 }],
    ] as const
  ).map(([input, value]): Row => ({
    group: "Cancellation and progress",
    input: `cancellation of ${input}`,
    send: bare(notification("notifications/cancelled", value)),
    cases: silence(),
    source: "basic/utilities/cancellation (2026-07-28: basic/patterns/cancellation): error handling",
  })),
  {
    group: "Cancellation and progress",
    input: "cancellation of a completed request",
    send: [...json(request(7, "tools/list")), ...bare(notification("notifications/cancelled", { requestId: 7 }))],
    cases: everywhere(answers(7)),
    source: "basic/utilities/cancellation (2026-07-28: basic/patterns/cancellation): error handling",
  },
  {
    group: "Cancellation and progress",
    input: "cancellation of a request whose handler ignores the signal",
    send: [...json(call(7, "deaf")), ...bare(notification("notifications/cancelled", { requestId: 7 }))],
    cases: everywhere(),
    source: "basic/utilities/cancellation (2026-07-28: basic/patterns/cancellation): no response",
  },
  {
    group: "Cancellation and progress",
    input: "two cancellations of a request whose handler then throws",
    send: [
      ...json(call(7, "hang")),
      ...bare(
        notification("notifications/cancelled", { requestId: 7 }),
        notification("notifications/cancelled", { requestId: 7 }),
      ),
    ],
    cases: everywhere(),
    source: "basic/utilities/cancellation (2026-07-28: basic/patterns/cancellation): no response",
  },
  {
    group: "Cancellation and progress",
    input: "cancellation without params",
    send: bare(notification("notifications/cancelled")),
    cases: silence(),
    source: "basic/utilities/cancellation (2026-07-28: basic/patterns/cancellation): error handling",
  },
  {
    group: "Cancellation and progress",
    input: "cancellation with a `requestId` that is an object",
    send: bare(notification("notifications/cancelled", { requestId: {} })),
    cases: silence(),
    source: "basic/utilities/cancellation (2026-07-28: basic/patterns/cancellation): error handling",
  },
  {
    group: "Cancellation and progress",
    input: "progress with an unknown token",
    send: bare(notification("notifications/progress", { progressToken: "__proto__", progress: 1 })),
    cases: silence(),
    source: "basic/utilities/progress (2026-07-28: basic/patterns/progress): behaviour requirements",
  },
  {
    group: "Cancellation and progress",
    input: "a notification that the server handles, with invalid params",
    send: bare(notification("notifications/roots/list_changed", { _meta: 1 })),
    cases: [
      {
        in: SESSIONS,
        replies: [],
        reported: "Invalid params of notifications/roots/list_changed: /_meta must be an object, got a number",
      },
      { in: ["unopened"], replies: [] },
    ],
    source: "JSON-RPC 2.0, section 4.1: notifications get no response",
  },
  {
    group: "Cancellation and progress",
    input: "progress whose value is not a number",
    send: bare(notification("notifications/progress", { progressToken: 1, progress: "much" })),
    cases: silence(),
    source: "JSON-RPC 2.0, section 4.1: notifications get no response",
  },
];

const INTERNAL = (input: string, name: string, reported: string): Row => ({
  group: "Failing handlers",
  input,
  send: json(call(7, name)),
  cases: everywhere(fails(7, -32603, "Internal error")).map((one) => ({ ...one, reported })),
  source: `${CODES}: the client does not get the cause`,
});

const toolFailures = (text: string, reported: string): Row["cases"] =>
  everywhere(answers(7, text)).map((one) => ({ ...one, reported }));

const handlers: readonly Row[] = [
  ...["throw-error", "throw-late"].map((name): Row => ({
    group: "Failing handlers",
    input:
      name === "throw-late"
        ? "an asynchronous tool that throws an error, `the disk is full`"
        : "a tool that throws an error, `the disk is full`",
    send: json(call(7, name)),
    cases: toolFailures('{…"content":[{"type":"text","text":"the disk is full"}],"isError":true…}', "the disk is full"),
    source: "server/tools: error handling: the model gets only the message of the error",
  })),
  {
    group: "Failing handlers",
    input: "a tool that throws a string, `just text`",
    send: json(call(7, "throw-text")),
    cases: toolFailures('…"just text"…"isError":true…', "just text"),
    source: "server/tools: error handling",
  },
  {
    group: "Failing handlers",
    input: "a tool that throws a `ProtocolError`, 4001 `not today`",
    send: json(call(7, "throw-protocol-error")),
    cases: everywhere(fails(7, 4001, "not today", { retryAfter: 60 })),
    source: "server/tools: error handling: the error is the response",
  },
  {
    group: "Failing handlers",
    input: "a tool that throws an object that cannot become a string",
    send: json(call(7, "throw-nothing")),
    cases: toolFailures(
      '…"a value was thrown that cannot be converted to a string"…"isError":true…',
      "a value was thrown that cannot be converted to a string",
    ),
    source: "server/tools: error handling",
  },
  INTERNAL(
    "a tool that throws a `ProtocolError` with circular data",
    "throw-circular-data",
    "Converting circular structure…",
  ),
  INTERNAL(
    "a tool that throws a `ProtocolError` whose code is a fraction, `half an error`",
    "throw-fractional-code",
    "half an error",
  ),
  INTERNAL("a tool that returns nothing", "return-nothing", "…must return an object"),
  INTERNAL("a tool that returns a string", "return-text", "…must return an object"),
  INTERNAL(
    "a tool that returns neither content nor structured content",
    "return-empty",
    "…must return content or structuredContent",
  ),
  INTERNAL(
    "a tool that returns content that is not an array",
    "return-wrong-content",
    "…must return content as an array",
  ),
  INTERNAL(
    "a tool that returns structured content that does not match its schema",
    "break-output",
    "…does not match its outputSchema…",
  ),
  ...(
    [
      ["circular", "return-circular", "Converting circular structure…"],
      ["a bigint", "return-bigint", "…BigInt…"],
      ["an object whose `toJSON` throws", "return-throwing-json", "…"],
    ] as const
  ).map(([input, name, reported]): Row => ({
    group: "Failing handlers",
    input: `a tool that returns structured content that is ${input}`,
    send: json(call(7, name)),
    cases: [
      // These revisions have no structured content.
      { in: [R1, R2], replies: [answers(7, '…"content":[]…')] },
      { in: [R3, R4, R5], replies: [fails(7, -32603, "Internal error")], reported },
    ],
    source: `${CODES}: the client does not get the cause`,
  })),
  INTERNAL("a tool that returns an object whose `then` throws an error, `then`", "return-thenable", "then"),
  ...(
    [
      ["a prompt that throws", "prompts/get", { name: "throw" }],
      ["a prompt that returns nothing", "prompts/get", { name: "return-nothing" }],
      ["a resource that throws", "resources/read", { uri: "test://throw" }],
    ] as const
  ).map(([input, method, value]): Row => ({
    group: "Failing handlers",
    input,
    send: json(request(7, method, value)),
    cases: everywhere(fails(7, -32603, "Internal error")).map((one) => ({ ...one, reported: "…" })),
    source: `${CODES}: the client does not get the cause`,
  })),
  {
    group: "Failing handlers",
    input: "a resource that throws `ResourceNotFoundError`",
    send: json(request(7, "resources/read", { uri: "test://gone" })),
    cases: notFound(7, "test://gone"),
    source: "server/resources: error handling",
  },
];

const ask = call(7, "ask", { what: "x" });
const again = (state: unknown, more: object = {}): Record<string, unknown> => ({
  name: "ask",
  arguments: { what: "x" },
  requestState: state,
  ...more,
});
const accept = { inputResponses: { name: { action: "accept", content: { name: "Ada" } } } };
const REFUSED = fails(8, -32602, "Invalid or expired requestState");
const MULTI = "2026-07-28, basic/patterns/mrtr: `requestState` is untrusted input; the client does not get the reason";
const flip = (state: string): string => `${state.slice(0, -2)}${state.at(-2) === "A" ? "B" : "A"}${state.slice(-1)}`;

function stateRow(
  input: string,
  retry: Extract<Sent, { retry: unknown }>["retry"],
  reason: string,
  more?: Partial<Row>,
): Row {
  return {
    group: "requestState",
    input,
    send: [...json(ask), { retry }],
    cases: [
      {
        in: [R5],
        replies: [answers(7, '…"resultType":"input_required"…'), REFUSED],
        reported: `requestState of tools/call rejected: ${reason}`,
      },
    ],
    source: MULTI,
    ...more,
  };
}

const NOT_SEALED = "it was not sealed by this server for this principal and these params";

const states: readonly Row[] = [
  {
    group: "requestState",
    input: "an unchanged state",
    send: [...json(ask), { retry: (state) => again(state, accept) }],
    cases: [{ in: [R5], replies: [answers(7), answers(8, "…x: …Ada…")] }],
    source: "2026-07-28, basic/patterns/mrtr",
    undocumented: true,
  },
  stateRow("a state with one changed character", (state) => again(flip(state), accept), NOT_SEALED),
  stateRow("a truncated state", (state) => again(state.slice(0, -9), accept), NOT_SEALED),
  stateRow("an empty state", () => again("", accept), NOT_SEALED),
  stateRow(
    "a state with a million more characters",
    (state) => again(state + "A".repeat(1_000_000), accept),
    NOT_SEALED,
  ),
  stateRow("a state of another server", () => again(`v1.local.${"A".repeat(200)}`, accept), NOT_SEALED),
  stateRow("a state for other arguments", (state) => again(state, { ...accept, arguments: { what: "y" } }), NOT_SEALED),
  stateRow("a state for another tool", (state) => again(state, { ...accept, name: "wait" }), NOT_SEALED),
  stateRow("an expired state", (state) => again(state, accept), "it has expired", {
    options: { stateTtlMs: 0 },
  }),
  {
    group: "requestState",
    input: "a state in a revision without `requestState`",
    send: json(request(7, "tools/call", { ...again("x"), name: "add", arguments: { a: 1, b: 2 } })),
    cases: [{ in: SESSIONS, replies: [answers(7, '…"3"…')] }],
    source: "basic: requests: unknown members have no meaning",
  },
  {
    group: "requestState",
    input: "a request nested 100,000 levels deep, without `maxDepth`, whose handler asks",
    send: line(
      (params) =>
        `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{${params}"name":"ask","arguments":{"what":"x"},"more":${deep(100_000)}}}`,
    ),
    options: { maxDepth: Infinity },
    cases: [{ in: [R5], replies: [fails(7, -32603, "Internal error")], reported: "Maximum call stack size exceeded" }],
    source: ours("the state is bound to a digest of the request, which cannot be computed"),
    undocumented: true,
  },
  {
    group: "requestState",
    input: "a state that is not a string",
    send: [...json(ask), { retry: () => again({}, accept) }],
    cases: [
      {
        in: [R5],
        replies: [
          answers(7),
          fails(8, -32602, "Invalid params of tools/call: /requestState must be a string, got an object"),
        ],
      },
    ],
    source: CODES,
  },
  {
    group: "requestState",
    input: "`inputResponses` that are null",
    send: [...json(ask), { retry: (state) => again(state, { inputResponses: null }) }],
    cases: [
      {
        in: [R5],
        replies: [
          answers(7),
          fails(8, -32602, "Invalid params of tools/call: /inputResponses must be an object, got null"),
        ],
      },
    ],
    source: CODES,
  },
  {
    group: "requestState",
    input: "an additional input response with an unknown key",
    send: [
      ...json(ask),
      {
        retry: (state) =>
          again(state, { inputResponses: { ...accept.inputResponses, constructor: { action: "cancel" } } }),
      },
    ],
    cases: [{ in: [R5], replies: [answers(7), answers(8, "…Ada…")] }],
    source: "2026-07-28, basic/patterns/mrtr: unknown keys are ignored",
  },
  {
    group: "requestState",
    input: "an input response that does not match its request, twice",
    send: [
      ...json(ask),
      { retry: (state) => again(state, { inputResponses: { name: { action: "accept", content: { name: 1 } } } }) },
      { retry: (state) => again(state, { inputResponses: { name: { action: "accept", content: { name: 1 } } } }) },
    ],
    cases: [
      {
        in: [R5],
        replies: [
          answers(7),
          answers(8, '…"resultType":"input_required"…'),
          fails(9, -32602, 'Invalid params: inputResponses["name"]: …'),
        ],
      },
    ],
    source: "2026-07-28, basic/patterns/mrtr: the server asks again; ours: once",
  },
  {
    group: "requestState",
    input: "the state of a waiting handler, used twice",
    send: [
      ...json(call(7, "wait")),
      { retry: (state) => ({ name: "wait", requestState: state, ...accept }) },
      { retry: (state) => ({ name: "wait", requestState: state, ...accept }) },
    ],
    cases: [
      {
        in: [R5],
        replies: [answers(7, '…"resultType":"input_required"…'), answers(8, "…Ada…"), { ...REFUSED, id: 9 }],
        reported: "requestState of tools/call rejected: its handler no longer waits",
      },
    ],
    source: ours("a waiting handler continues once"),
  },
];

export const rows: readonly Row[] = [
  ...text,
  ...envelopes,
  ...ids,
  ...batches,
  ...responses,
  ...methods,
  ...opening,
  ...params,
  ...unasked,
  ...handlers,
  ...states,
];

/** A case that takes more than one message; `scenarios.test.ts` plays it under its name. */
export interface Scenario {
  readonly input: string;
  readonly outcome: string;
  readonly source: string;
}

const STDIO = "basic/transports: stdio";

export const scenarios = {
  truncated: {
    input: "the input ends within a message",
    outcome: "The partial message is dropped and reported; the connection closes as at any end of the input",
    source: `${STDIO}; ours: a partial message is not a message`,
  },
  killed: {
    input: "a client that is killed while it sends, and while the server handles its requests",
    outcome: "The connection closes; after the grace period, the signals of running handlers are aborted",
    source: STDIO,
  },
  stuck: {
    input: "a client that does not read",
    outcome:
      "The server stops reading from it; when `maxQueuedBytes` are queued for it, the connection is closed (`LIMIT_EXCEEDED`)",
    source: ours("the queue for each peer is limited"),
  },
  foreignState: {
    input: "a `requestState` that was sealed with another server's key",
    outcome: "-32602 `Invalid or expired requestState`; reported on the server",
    source: "2026-07-28, basic/patterns/mrtr: `requestState` is untrusted input",
  },
  lowLevel: {
    input:
      "handlers of the low-level `Server` that return nothing, a string, an array, or an object whose members cannot be read",
    outcome: "-32603 `Internal error`; reported on the server",
    source: "basic: error codes (JSON-RPC 2.0, section 5.1)",
  },
  inFlight: {
    input: "more concurrent requests than `limits.requestsInFlight`",
    outcome:
      "-32603 `Too many requests in flight; try again later` for each request over the limit; the others continue",
    source: ours("a limit of mcpwright"),
  },
  subscriptions: {
    input: "more concurrent subscriptions than `limits.subscriptions`",
    outcome: "-32603 `Too many subscriptions` for each subscription over the limit; the others continue",
    source: ours("a limit of mcpwright"),
  },
  serverProcess: {
    input: "a server process that reads malformed lines and half a message, and then the end of its input",
    outcome: "Each line gets its own reply; the process handles valid requests in between and exits with code 0",
    source: STDIO,
  },
  clientProcess: {
    input: "a server process that prints garbage between its responses, and exits within a message",
    outcome:
      "The client reports the garbage and gets the responses; after the exit, calls fail with `CONNECTION_CLOSED`, whose cause states that the process exited in the middle of a message",
    source: STDIO,
  },
} as const satisfies Readonly<Record<string, Scenario>>;
