import { absent, any, capture, type Conversation, exactly, ref, type Step } from "../../../runtime/src/testing.js";
import { opensStateless } from "./openings.js";

const form = (message: string): object => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: { type: "object", properties: { name: { type: "string" } } } },
});

const accepted = { action: "accept", content: { name: "Ann" } };

const called = (id: string, more: object = {}): Step => ({
  "->": { id: capture(id), method: "tools/call", params: { name: "ask", arguments: { a: 1 }, ...more } },
});

const required = (id: string, result: object): Step => ({
  "<-": { id: ref(id), result: { resultType: "input_required", ...result } },
});

const completes = (id: string, text = "done"): Step => ({
  "<-": { id: ref(id), result: { resultType: "complete", content: [{ type: "text", text }] } },
});

const subscriptionId = "io.modelcontextprotocol/subscriptionId";

const listens = (id: string): Step => ({
  "->": {
    id: capture(id),
    method: "subscriptions/listen",
    params: { notifications: exactly({ toolsListChanged: true }) },
  },
});

const notifies = (id: string, method: string, params: object = {}): Step => ({
  "<-": { method, params: { ...params, _meta: { [subscriptionId]: ref(id) } } },
});

const acknowledges = (id: string): Step =>
  notifies(id, "notifications/subscriptions/acknowledged", { notifications: { toolsListChanged: true } });

const changed = (id: string): Step => notifies(id, "notifications/tools/list_changed");

/** A conversation that starts with `server/discover` and ends when the client disconnects. */
function conversation(name: string, ...steps: readonly Step[]): Conversation {
  return { name, steps: [...opensStateless, ...steps, { do: (peer) => peer.closed }] };
}

/** Stateless servers that ask for input, correctly or incorrectly. */
export const askers = {
  "asks two rounds": conversation(
    "asks two rounds, with a new key and with the same key again",
    called("1", { inputResponses: absent, requestState: absent }),
    required("1", { inputRequests: { first: form("First?") }, requestState: "one" }),
    called("2", { inputResponses: exactly({ first: accepted }), requestState: "one" }),
    required("2", { inputRequests: { second: form("Second?") }, requestState: "two" }),
    called("3", { inputResponses: exactly({ second: accepted }), requestState: "two" }),
    required("3", { inputRequests: { second: form("Second, in other words?") } }),
    called("4", { inputResponses: exactly({ second: accepted }), requestState: absent }),
    completes("4"),
  ),
  "asks once": conversation(
    "asks once",
    called("1"),
    required("1", { inputRequests: { first: form("First?") }, requestState: "one" }),
  ),
  "asks forever": conversation(
    "asks more often than the client allows",
    called("0"),
    ...[1, 2, 3].flatMap((round) => [
      required(String(round - 1), { inputRequests: { key: form(`Round ${round}?`) }, requestState: `${round}` }),
      called(String(round), { requestState: `${round}` }),
    ]),
    required("3", { inputRequests: { key: form("And again?") }, requestState: "4" }),
  ),
  "returns only a state": conversation(
    "returns a state without questions",
    called("1"),
    required("1", { requestState: "later" }),
    { silence: 150 },
    called("2", { inputResponses: absent, requestState: "later" }),
    completes("2"),
  ),
  "asks two calls at once": conversation(
    "asks two calls at the same time",
    called("1"),
    called("2"),
    required("2", { inputRequests: { key: form("B?") }, requestState: "of 2" }),
    required("1", { inputRequests: { key: form("A?") }, requestState: "of 1" }),
    {
      unordered: [
        { id: capture("3"), params: { requestState: "of 1" } },
        { id: capture("4"), params: { requestState: "of 2" } },
      ],
    },
    completes("4", "two"),
    completes("3", "one"),
  ),
  "answers with an unknown kind of result": conversation("answers with an unknown kind of result", called("1"), {
    "<-": { id: ref("1"), result: { resultType: "com.example/other", content: [] } },
  }),
  "asks nothing at all": conversation("returns input_required with neither questions nor state", called("1"), {
    "<-": { id: ref("1"), result: { resultType: "input_required" } },
  }),
  "asks when tools are listed": conversation(
    "asks in the result of a method that allows no questions",
    { "->": { id: capture("1"), method: "tools/list" } },
    required("1", { inputRequests: { key: form("Which?") }, requestState: "x" }),
  ),
  "asks for something unknown": conversation(
    "asks with an unknown method",
    called("1"),
    required("1", { inputRequests: { key: { method: "com.example/ask", params: {} } }, requestState: "x" }),
  ),
  "asks what was not declared": conversation(
    "asks what the client did not declare",
    called("1"),
    required("1", {
      inputRequests: {
        key: {
          method: "sampling/createMessage",
          params: { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 1 },
        },
      },
      requestState: "x",
    }),
  ),
  "sends the user to a script": conversation(
    "sends the user to a URL that is a script",
    called("1"),
    required("1", {
      inputRequests: {
        key: { method: "elicitation/create", params: { mode: "url", message: "Go", url: "javascript:alert(1)" } },
      },
      requestState: "x",
    }),
  ),
  "changes before it acknowledges": conversation(
    "reports a change before it acknowledges the stream, and again afterwards",
    listens("1"),
    changed("1"),
    acknowledges("1"),
    acknowledges("1"),
    changed("1"),
  ),
  "ends its stream": conversation(
    "ends its stream, and acknowledges another one",
    listens("1"),
    acknowledges("1"),
    { "<-": { id: ref("1"), result: { resultType: "complete", _meta: { [subscriptionId]: ref("1") } } } },
    { "<-": { method: "notifications/cancelled", params: { requestId: ref("1") } } },
    listens("2"),
    acknowledges("2"),
    changed("1"),
  ),
  "misbehaves on the wire": conversation(
    "sends messages that a stateless server must not send",
    { "<-": { id: 1, method: "roots/list" } },
    { "<-": { id: "1", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } } },
    { "<-": { id: 999, result: {} } },
    { "<-": { method: "notifications/cancelled", params: { requestId: 1 } } },
    {
      "<-": {
        method: "notifications/tools/list_changed",
        params: { _meta: { "io.modelcontextprotocol/subscriptionId": 77 } },
      },
    },
    { "<-": { method: "__proto__" } },
    { "<-": [] },
    { "<-": { id: null, result: {} } },
    { "->": { id: capture("1"), method: "tools/list", params: any() } },
    { "<-": { method: "notifications/cancelled", params: { requestId: ref("1") } } },
    {
      "<-": { id: ref("1"), result: { resultType: "complete", tools: [], ttlMs: 0, cacheScope: "private" } },
    },
  ),
} as const;
