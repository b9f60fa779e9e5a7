import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rules } from "../../../../generator/commands/validate/rules.js";
import { handshakeEra, R1, R2, R3, R4, R5, stateless } from "../../../conversations/messages.js";
import { validated, type RecordedTurn, shown } from "./record.js";

const version = '$.params._meta["io.modelcontextprotocol/protocolVersion"]';
const subscription = '$.params._meta["io.modelcontextprotocol/subscriptionId"]';

/** Three lines that open a session, with all capabilities declared by default. */
function session(
  revision: string,
  client: object = {},
  server: object = { tools: {}, logging: {}, resources: {} },
): RecordedTurn[] {
  const params = { protocolVersion: revision, capabilities: client, clientInfo: { name: "c", version: "1" } };
  const result = { protocolVersion: revision, capabilities: server, serverInfo: { name: "s", version: "1" } };
  return [
    { "->": { id: 0, method: "initialize", params } },
    { "<-": { id: 0, result } },
    { "->": { method: "notifications/initialized" } },
  ];
}

const call = (id: unknown, token?: unknown): RecordedTurn => ({
  "->": {
    id,
    method: "tools/call",
    params: { name: "t", ...(token !== undefined && { _meta: { progressToken: token } }) },
  },
});
const done = (id: unknown): RecordedTurn => ({ "<-": { id, result: { content: [] } } });
const progress = (progressToken: unknown, value: number): RecordedTurn => ({
  "<-": { method: "notifications/progress", params: { progressToken, progress: value } },
});
const cancel = (requestId: unknown): RecordedTurn => ({
  "->": { method: "notifications/cancelled", params: { requestId } },
});
const ask = (id: unknown, params: object = {}): RecordedTurn => ({
  "->": stateless(id, "tools/call", { name: "t", ...params }),
});
const complete = (id: unknown, more: object = {}): RecordedTurn => ({
  "<-": { id, result: { resultType: "complete", content: [], ...more } },
});
const form = {
  method: "elicitation/create",
  params: { message: "?", requestedSchema: { type: "object", properties: {} } },
};
const asks = (id: unknown, inputRequests?: object): RecordedTurn => ({
  "<-": { id, result: { resultType: "input_required", ...(inputRequests && { inputRequests }) } },
});
const able = (id: unknown, params: object = {}): RecordedTurn => ({
  "->": stateless(id, "tools/call", { name: "t", ...params }, { elicitation: {} }),
});
const listen: RecordedTurn = {
  "->": stateless(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }),
};
const told = (method: string, id?: unknown, params: object = {}): RecordedTurn => ({
  "<-": {
    method,
    params: { ...params, ...(id !== undefined && { _meta: { "io.modelcontextprotocol/subscriptionId": id } }) },
  },
});
const acknowledged = told("notifications/subscriptions/acknowledged", 1, { notifications: {} });
const changed = "notifications/tools/list_changed";

function messageOf(said: RecordedTurn): object {
  return Object.values(said)[0] as object;
}

type Case = [name: string, conversation: readonly RecordedTurn[], ...expected: string[]];

/** In a session of each revision; the session is lines 1 to 3. */
const ofSessions: readonly Case[] = [
  ["a call", [call(1), done(1)]],
  [
    "pings both ways, with the same id",
    [
      { "->": { id: 1, method: "ping" } },
      { "<-": { id: 1, method: "ping" } },
      { "<-": { id: 1, result: {} } },
      { "->": { id: 1, result: {} } },
    ],
  ],
  ["an error", [call(1), { "<-": { id: 1, error: { code: -32602, message: "no" } } }]],
  ["progress", [call(1, "a"), progress("a", 1), progress("a", 2), done(1)]],
  ["a token that is used again", [call(1, 7), done(1), call(2, 7), progress(7, 1), done(2)]],
  ["a cancelled call", [call(1), cancel(1)]],
  ["no JSON-RPC", [{ "->": "hello" }], "4 error[envelope] $: the message is not an object"],
  [
    "another version",
    [{ "->": { jsonrpc: "1.0", id: 1, method: "ping" } }],
    '4 error[envelope] $.jsonrpc: expected "2.0", received "1.0"',
  ],
  [
    "an id that is null",
    [{ "->": { id: null, method: "ping" } }],
    "4 error[envelope] $.id: expected a string or an integer, received null",
  ],
  [
    "neither result nor error",
    [call(1), { "<-": { id: 1 } }],
    "4 note[unanswered] $: tools/call has no answer until the end",
    "5 error[envelope] $: the message has no method, and not one of result and error",
  ],
  [
    "both result and error",
    [call(1), { "<-": { id: 1, result: {}, error: { code: 1, message: "" } } }],
    "4 note[unanswered] $: tools/call has no answer until the end",
    "5 error[envelope] $: the message has no method, and not one of result and error",
  ],
  [
    "params that are a list",
    [{ "->": { id: 1, method: "ping", params: [] } }],
    "4 error[envelope] $.params: expected an object, received an array",
  ],
  [
    "a result that is a text",
    [call(1), { "<-": { id: 1, result: "fine" } }],
    "4 note[unanswered] $: tools/call has no answer until the end",
    '5 error[envelope] $.result: expected an object, received "fine"',
  ],
  ["an empty batch", [{ "->": [] }], "4 error[batch]"],
  [
    "an id twice at once",
    [call(1), call(1), done(1)],
    "5 error[id-reused] $.id: the request of line 4 has the same id, and is still open",
  ],
  [
    "an id twice",
    [call(1), done(1), call(1), done(1)],
    "6 error[id-reused] $.id: the client has used this id before: its answer is in line 5",
  ],
  [
    "a request nobody knows",
    [{ "->": { id: 1, method: "tools/paint" } }, { "<-": { id: 1, error: { code: -32601, message: "" } } }],
    '4 warning[method-unknown] $.method: {r} does not know the request "tools/paint"',
  ],
  [
    "a notification nobody knows",
    [{ "<-": { method: "notifications/rain" } }],
    '4 warning[method-unknown] $.method: {r} does not know the notification "notifications/rain"',
  ],
  [
    "inherited names",
    [
      { "->": { id: 1, method: "constructor" } },
      { "<-": { id: 1, error: { code: -32601, message: "" } } },
      { "->": { method: "__proto__" } },
    ],
    '4 warning[method-unknown] $.method: {r} does not know the request "constructor"',
    '6 warning[method-unknown] $.method: {r} does not know the notification "__proto__"',
  ],
  [
    "a request of the other side",
    [{ "<-": { id: 1, method: "tools/list" } }, { "->": { id: 1, result: {} } }],
    "4 error[direction] $.method: tools/list is a request that the client sends, not the server",
  ],
  [
    "a notification of the other side",
    [{ "->": { method: changed } }],
    `4 error[direction] $.method: ${changed} is a notification that the server sends, not the client`,
  ],
  [
    "a notification with an id",
    [{ "->": { id: 1, method: "notifications/initialized" } }, { "<-": { id: 1, result: {} } }],
    "4 error[direction] $.method: notifications/initialized is a notification, and has no id",
  ],
  [
    "a request without an id",
    [{ "->": { method: "tools/list" } }],
    "4 error[direction] $.method: tools/list is a request, and needs an id",
  ],
  [
    "no params",
    [{ "->": { id: 1, method: "tools/call" } }, done(1)],
    "4 error[params] $: tools/call has no params, and needs some",
  ],
  [
    "wrong params",
    [{ "->": { id: 1, method: "tools/call", params: { name: 5 } } }, done(1)],
    "4 error[params] $.params.name: expected a string, received 5",
  ],
  [
    "wrong params of a notification",
    [{ "<-": { method: "notifications/message", params: { level: "loud", data: 1 } } }],
    "4 error[params] $.params.level: expected",
  ],
  [
    "no params of a notification",
    [{ "->": { method: "notifications/cancelled" } }],
    "4 error[params] $: notifications/cancelled has no params, and needs some",
  ],
  [
    "a capability that the server lacks",
    [{ "->": { id: 1, method: "prompts/list" } }, { "<-": { id: 1, result: { prompts: [] } } }],
    "4 error[capability] $.method: prompts/list needs prompts, which the server has not declared",
  ],
  [
    "a capability that the client lacks",
    [{ "<-": { id: 1, method: "roots/list" } }, { "->": { id: 1, result: { roots: [] } } }],
    "4 error[capability] $.method: roots/list needs roots, which the client has not declared",
  ],
  [
    "a part of a capability",
    [{ "<-": { method: changed } }],
    `4 error[capability] $.method: ${changed} needs tools.listChanged, which the server has not declared`,
  ],
  ["an answer to nothing", [done(9)], "4 error[answer-unknown] $.id: the client has no open request 9"],
  [
    "an answer with another type of id",
    [call(1), done("1")],
    "4 note[unanswered] $: tools/call has no answer until the end",
    '5 error[answer-unknown] $.id: the client has no open request "1"; that of line 4 has 1, which is another type',
  ],
  [
    "two answers",
    [call(1), done(1), done(1)],
    "6 error[answer-unknown] $.id: the request was answered before, in line 5",
  ],
  [
    "an answer from the wrong side",
    [call(1), { "->": { id: 1, result: {} } }],
    "4 note[unanswered] $: tools/call has no answer until the end",
    "5 error[answer-unknown] $.id: the server has no open request 1",
  ],
  [
    "an answer after all",
    [call(1), cancel(1), done(1)],
    "6 warning[answer-after-cancel] $.id: the request of line 4 was cancelled",
  ],
  [
    "a wrong result",
    [call(1), { "<-": { id: 1, result: { content: [{ type: "text" }] } } }],
    "5 error[result] $.result.content[0].text: expected a string, received nothing",
  ],
  [
    "progress nobody asked for",
    [call(1), progress("a", 1), done(1)],
    '5 error[progress-token] $.params.progressToken: no request of the client has the token "a"',
  ],
  [
    "progress with another type of token",
    [call(1, 1), progress("1", 1), done(1)],
    '5 error[progress-token] $.params.progressToken: no request of the client has the token "1"',
  ],
  [
    "progress after the answer",
    [call(1, "a"), done(1), progress("a", 1)],
    "6 error[progress-token] $.params.progressToken: the request of line 4 is over",
  ],
  [
    "progress that stands still",
    [call(1, "a"), progress("a", 1), progress("a", 1), done(1)],
    "6 error[progress-order] $.params.progress: 1 comes after 1",
  ],
  [
    "a token for two",
    [call(1, "a"), call(2, "a"), done(1), done(2)],
    "5 error[progress-token] $.params._meta.progressToken: the open request of line 4 has the same token",
  ],
  ["cancelling nothing", [cancel(9)], "4 error[cancel-unknown] $.params.requestId: the client has no open request 9"],
  [
    "cancelling what the other side has asked",
    [{ "<-": { id: 9, method: "ping" } }, cancel(9), { "->": { id: 9, result: {} } }],
    "5 error[cancel-unknown] $.params.requestId: the client has no open request 9",
  ],
  [
    "cancelling too late",
    [call(1), done(1), cancel(1)],
    "6 note[cancel-late] $.params.requestId: the request was answered in line 5",
  ],
  ["no answer", [call(1)], "4 note[unanswered] $: tools/call has no answer until the end"],
  [
    "getting ready twice",
    [{ "->": { method: "notifications/initialized" } }],
    "4 error[lifecycle-order] $.method: the client says a second time that it is ready",
  ],
  [
    "another session",
    session("{r}"),
    "4 warning[lifecycle-again] $.method: the session is opened a second time; right only if the server has dropped it",
  ],
  [
    "another revision",
    [{ "->": stateless(1, "server/discover") }, { "<-": { id: 1, error: { code: -32601, message: "" } } }],
    `4 note[other-revision] ${version}: the request is in "${R5}"; neither it nor its answer was looked at`,
  ],
];

describe.each(handshakeEra)("in a session of %s", (revision) => {
  const batches = revision === R2 ? "the batch is empty" : `${revision} has no batches`;

  test.each(ofSessions)("%s", async (_, conversation, ...expected) => {
    const said = JSON.parse(
      JSON.stringify([...session(revision), ...conversation]).replaceAll("{r}", revision),
    ) as RecordedTurn[];
    const found = shown(await validated(said));
    expect(found).toHaveLength(expected.length);
    expected.forEach((text, index) => {
      const whole = text.replaceAll("{r}", revision).replace("error[batch]", `error[batch] $: ${batches}`);
      expect(found[index]?.slice(0, whole.length)).toBe(whole);
    });
  });
});

describe("lifecycle", () => {
  const [request, answer, ready] = session(R4, { roots: {} }) as [RecordedTurn, RecordedTurn, RecordedTurn];
  const roots: RecordedTurn = { "<-": { id: 1, method: "roots/list" } };
  const rootsAnswer: RecordedTurn = { "->": { id: 1, result: { roots: [] } } };

  test.each<Case>([
    [
      "before",
      [call(1), request, answer, ready, done(1)],
      "1 error[lifecycle-order] $.method: tools/call comes before the session is opened",
    ],
    [
      "during",
      [request, call(1), answer, ready, done(1)],
      "2 warning[lifecycle-haste] $.method: tools/call comes before the server has opened the session",
    ],
    [
      "before it is ready",
      [request, answer, call(1), done(1), ready],
      "3 error[lifecycle-order] $.method: tools/call comes before the client has said that it is ready",
    ],
    [
      "before the client is ready",
      [request, answer, roots, rootsAnswer, ready],
      "3 warning[lifecycle-haste] $.method: the server asks for roots/list before the client has said that it is ready",
    ],
    [
      "pings at any time",
      [
        { "->": { id: 5, method: "ping" } },
        request,
        { "<-": { id: 5, result: {} } },
        { "<-": { id: 1, method: "ping" } },
        answer,
        { "->": { id: 1, result: {} } },
        ready,
      ],
    ],
    [
      "ready at once",
      [ready, request, answer],
      "1 error[lifecycle-order] $.method: the client reports that it is ready before the session is opened",
    ],
    [
      "refused, and once more",
      [
        request,
        { "<-": { id: 0, error: { code: -32602, message: "no" } } },
        { "->": { ...messageOf(request), id: 1 } },
        { "<-": { ...messageOf(answer), id: 1 } },
        ready,
      ],
    ],
    ["a process that was started again", [request, request, answer, ready]],
    [
      "cancelled",
      [request, cancel(0)],
      "2 error[cancel-unknown] $.params.requestId: the request that opens the session cannot be cancelled",
    ],
    [
      "another version than that to be held against",
      session(R3),
      `2 error[revision-differs] $.result.protocolVersion: the session is opened in "${R3}", and held against ${R4}`,
    ],
  ])("%s", async (_, conversation, ...expected) => {
    expect(shown(await validated(conversation, R4))).toEqual(expected);
  });
});

describe("batches", () => {
  test(`${R2} has them`, async () => {
    const batch: RecordedTurn[] = [
      { "->": [messageOf(call(1)), messageOf(call(2)), { id: 3, method: "tools/call", params: {} }] },
      { "<-": [messageOf(done(2)), messageOf(done(1)), { id: 3, result: { content: 1 } }] },
    ];
    const report = await validated([...session(R2), ...batch]);
    expect(report.messages).toBe(9);
    expect(shown(report)).toEqual([
      "4 error[params] $[2].params.name: expected a string, received nothing",
      "5 error[result] $[2].result.content: expected an array, received 1",
    ]);
  });

  test("but not to open a session", async () => {
    const [request, ...rest] = session(R2) as [{ "->": unknown }, ...RecordedTurn[]];
    const found = shown(await validated([{ "->": [request["->"]] }, ...rest]));
    expect(found).toEqual(["1 error[lifecycle-order] $[0].method: the session is opened in a batch"]);
  });
});

describe("alternatives of 2025-11-25", () => {
  const server = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
  const task = {
    taskId: "t",
    status: "working",
    createdAt: "2026-01-01T00:00:00Z",
    lastUpdatedAt: "2026-01-01T00:00:00Z",
    ttl: null,
  };
  const asTask: RecordedTurn = {
    "->": { id: 1, method: "tools/call", params: { name: "t", task: {}, _meta: { progressToken: 1 } } },
  };

  test.each<Case>([
    ["a task, which goes on after the answer", [asTask, { "<-": { id: 1, result: { task } } }, progress(1, 1)]],
    [
      "a task that nobody asked for",
      [call(1), { "<-": { id: 1, result: { task } } }],
      "5 error[result-alternative] $.result.task: tools/call was called without task",
    ],
    [
      "a task with a fault",
      [asTask, { "<-": { id: 1, result: { task: { ...task, taskId: 1 } } } }],
      "5 error[result] $.result.task.taskId: expected a string, received 1",
    ],
  ])("%s", async (_, conversation, ...expected) => {
    expect(shown(await validated([...session(R4, {}, server), ...conversation]))).toEqual(expected);
  });

  test("a condition of a capability", async () => {
    const sampling = { messages: [], maxTokens: 1, tools: [] };
    const asked: RecordedTurn[] = [{ "<-": { id: 1, method: "sampling/createMessage", params: sampling } }];
    const found = shown(await validated([...session(R4, { sampling: {} }), ...asked]));
    expect(found[0]).toBe(
      "4 error[capability] $.params.tools: sampling/createMessage with tools needs sampling.tools, which the client has not declared",
    );
  });
});

describe(`in ${R5}`, () => {
  const discovered = (capabilities: object): RecordedTurn[] => [
    { "->": stateless(0, "server/discover") },
    {
      "<-": {
        id: 0,
        result: { resultType: "complete", supportedVersions: [R5], capabilities, ttlMs: 0, cacheScope: "private" },
      },
    },
  ];

  test.each<Case>([
    ["a call", [ask(1), complete(1)]],
    ["an id that is used again", [ask(1), complete(1), ask(1), complete(1)]],
    [
      "no metadata",
      [ask(1), complete(1), call(2), complete(2)],
      "3 error[params] $.params._meta: expected an object, received nothing",
    ],
    [
      "no capabilities",
      [
        ask(1),
        complete(1),
        {
          "->": {
            id: 2,
            method: "tools/call",
            params: { name: "t", _meta: { "io.modelcontextprotocol/protocolVersion": R5 } },
          },
        },
        complete(2),
      ],
      '3 error[params] $.params._meta["io.modelcontextprotocol/clientCapabilities"]: expected an object, received nothing',
    ],
    [
      "no kind of result",
      [ask(1), { "<-": { id: 1, result: { content: [] } } }],
      "2 error[result] $.result.resultType: expected a string, received nothing",
    ],
    [
      "an unknown kind of result",
      [ask(1), complete(1, { resultType: "perhaps" })],
      '2 error[result-alternative] $.result.resultType: "perhaps" is none of the results of tools/call',
    ],
    [
      "a kind that the method does not have",
      [{ "->": stateless(1, "tools/list") }, asks(1, { a: form })],
      '2 error[result-alternative] $.result.resultType: "input_required" is none of the results of tools/list',
    ],
    [
      "a question with nothing in it",
      [ask(1), asks(1)],
      '2 error[result-alternative] $.result: "input_required" needs one of inputRequests, requestState',
    ],
    [
      "a question and its answer",
      [able(1), asks(1, { a: form }), able(2, { inputResponses: { a: { action: "decline" } } }), complete(2)],
    ],
    [
      "a question that the client cannot answer",
      [ask(1), asks(1, { a: form })],
      "2 error[capability] $.result.inputRequests.a.method: elicitation/create needs elicitation, which the client has not declared",
    ],
    [
      "a question that cannot be asked",
      [ask(1), asks(1, { a: { method: "tools/list", params: {} } })],
      "2 error[result] $.result.inputRequests.a",
      '2 error[question] $.result.inputRequests.a.method: "tools/list" cannot be asked',
    ],
    [
      "an answer to no question",
      [able(1, { inputResponses: { a: { action: "decline" } } }), complete(1)],
      '1 error[question] $.params.inputResponses.a: there is no input request "a"',
    ],
    [
      "an answer of another kind",
      [able(1), asks(1, { a: form }), able(2, { inputResponses: { a: { roots: [] } } }), complete(2)],
      "3 error[question] $.params.inputResponses.a.action: expected",
    ],
    [
      "a request of the server",
      [ask(1), { "<-": { id: 1, ...form } }, { "->": { id: 1, result: {} } }, complete(1)],
      `2 error[direction] $.method: in ${R5}, elicitation/create travels inside of results`,
    ],
    [
      "a question of old",
      [{ "->": stateless(1, "tools/call", { name: "t" }, { roots: {} }) }, asks(1, { a: { method: "roots/list" } })],
      `2 note[deprecated] $.result.inputRequests.a.method: ${R5} deprecates "roots/list": `,
    ],
    [
      "what the server has not declared",
      [...discovered({}), ask(1), complete(1)],
      "3 error[capability] $.method: tools/call needs tools, which the server has not declared",
    ],
    [
      "logs that nobody asked for",
      [ask(1), told("notifications/message", undefined, { level: "info", data: 1 }), complete(1)],
      `2 error[log-unasked] $.method: no open request asks for logs`,
      "2 note[deprecated]",
    ],
    [
      "logs",
      [
        ask(1, { _meta: { "io.modelcontextprotocol/logLevel": "info" } }),
        told("notifications/message", undefined, { level: "info", data: 1 }),
        complete(1),
      ],
      "2 note[deprecated]",
    ],
    [
      "a subscription",
      [
        listen,
        acknowledged,
        told(changed, 1),
        { "<-": { method: "notifications/cancelled", params: { requestId: 1 } } },
      ],
    ],
    [
      "a change on no subscription",
      [ask(1), told(changed, 1), complete(1)],
      `2 error[subscription] ${subscription}: 1 is not an open subscription`,
    ],
    [
      "a change that does not say where",
      [listen, acknowledged, told(changed)],
      `3 error[subscription] $.params: ${changed} does not say to which subscription it belongs`,
    ],
    [
      "a change before the acknowledgement",
      [listen, told(changed, 1), acknowledged],
      `2 error[subscription] $.method: ${changed} comes before notifications/subscriptions/acknowledged`,
    ],
    [
      "a change after the end",
      [
        listen,
        acknowledged,
        { "<-": { id: 1, result: { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": 1 } } } },
        told(changed, 1),
      ],
      `4 error[subscription] ${subscription}: 1 is not an open subscription`,
    ],
    [
      "a server that cancels a call",
      [ask(1), { "<-": { method: "notifications/cancelled", params: { requestId: 1 } } }],
      "2 error[cancel-unknown] $.params.requestId: the server cancels tools/call of the client",
    ],
    [
      "another version",
      [
        {
          "->": {
            id: 1,
            method: "tools/list",
            params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2030-01-01" } },
          },
        },
        { "<-": { id: 1, error: { code: -32022, message: "no" } } },
        ask(2),
        complete(2),
      ],
      `1 note[other-revision] ${version}: the request is in "2030-01-01"; neither it nor its answer was looked at`,
    ],
    ["a batch", [{ "->": [] }], `1 error[batch] $: ${R5} has no batches`],
  ])("%s", async (_, conversation, ...expected) => {
    const found = shown(await validated(conversation, R5));
    expect(found).toHaveLength(expected.length);
    for (const text of expected) expect(found.map((line) => line.slice(0, text.length))).toContain(text);
  });
});

test("each rule has a conversation here or in lines.test.ts that breaks it", () => {
  const texts = [import.meta.filename, import.meta.filename.replace("rules", "lines")]
    .map((path) => readFileSync(path, "utf8"))
    .join("");
  for (const rule of Object.keys(rules)) expect(texts).toContain(`[${rule}]`);
});

test("findings lead to the section of the specification", async () => {
  const { findings } = await validated([
    ...session(R1),
    { "->": { id: 1, method: "prompts/list" } },
    progress("a", 1),
    done(9),
  ]);
  const root = `https://modelcontextprotocol.io/specification/${R1}/`;
  expect(findings.map(({ link }) => link?.startsWith(root) && link !== root)).toEqual([true, undefined, true, true]);
  expect(findings.map(({ rule }) => rule)).toEqual(["capability", "unanswered", "progress-token", "answer-unknown"]);
});

test("the document lists the rules", () => {
  const document = readFileSync(new URL("../../../../docs/cli/validate.md", import.meta.url), "utf8").replaceAll(
    / +/g,
    " ",
  );
  for (const [rule, { severity, asks }] of Object.entries(rules))
    expect(document).toContain(`| \`${rule}\` | ${severity} | ${asks} |`);
});
