import { describe, test } from "vitest";
import { absent, capture, exactly, ref } from "../../runtime/src/testing.js";
import { transportSetups, converse, http } from "./transports.js";
import { handshake, R3, stateless, text } from "./messages.js";

const can = { elicitation: {} };
const waits = { name: "waits", arguments: { item: "lamp" } };
const decline = { action: "decline" };
const secondHandshake = [...handshake(R3).slice(0, 1), { "<-": { id: 0, error: { code: -32600 } } }];

describe.each(transportSetups)("$name", (carrier) => {
  test("a session and stateless requests on one connection do not affect each other", () =>
    converse(carrier, "desk", [
      { "->": stateless(1, "tools/call", { name: "trail" }) },
      { "<-": { id: 1, result: { ...text(""), resultType: "complete" } } },
      ...handshake(R3, can),
      { "->": stateless("l", "subscriptions/listen", { notifications: { toolsListChanged: true } }) },
      { "<-": { method: "notifications/subscriptions/acknowledged" } },

      { "->": { id: 2, method: "tools/call", params: waits } },
      { "<-": { id: capture("question"), method: "elicitation/create", params: { message: "First?" } } },
      { "->": stateless(3, "tools/call", waits, can) },
      { "<-": { id: 3, result: { resultType: "input_required", requestState: capture("state") } } },
      { "->": { id: ref("question"), result: decline } },
      { "<-": { id: 2, result: { ...text("stopped: decline"), resultType: absent } } },
      {
        "->": stateless(
          4,
          "tools/call",
          { ...waits, inputResponses: { first: { action: "cancel" } }, requestState: ref("state") },
          can,
        ),
      },
      { "<-": { id: 4, result: { ...text("stopped: cancel"), resultType: "complete" } } },
      { "->": stateless("trail", "tools/call", { name: "trail" }) },
      {
        "<-": {
          id: "trail",
          result: text("reserve lamp, reserve lamp, first decline, finally, first cancel, finally"),
        },
      },

      { "->": { id: 5, method: "tools/call", params: { name: "change-list" } } },
      {
        unordered: [
          { id: 5, result: text("changed") },
          { method: "notifications/tools/list_changed", params: absent },
          {
            method: "notifications/tools/list_changed",
            params: exactly({ _meta: { "io.modelcontextprotocol/subscriptionId": "l" } }),
          },
        ],
      },
      // Over HTTP, a handshake without a session id opens another session.
      ...(carrier === http ? [] : secondHandshake),
      { "->": stateless(7, "initialize", { protocolVersion: R3, capabilities: {} }) },
      { "<-": { id: 7, error: { code: -32601 } } },
      { "->": { id: 8, method: "ping" } },
      { "<-": { id: 8, result: exactly({}) } },
    ]));

  test("ignores responses with the id of another request", () =>
    converse(carrier, "desk", [
      ...handshake(R3, can),
      { "->": { id: 1, method: "tools/call", params: waits } },
      { "<-": { id: capture("question"), method: "elicitation/create" } },
      { "->": { id: "1", result: decline } },
      { "->": { id: 77, result: decline } },
      { silence: 20 },
      { "->": { id: ref("question"), result: { action: "no such action" } } },
      {
        "<-": {
          id: 1,
          result: { isError: true, content: [{ text: /the response to "first" is invalid: it does not match/ }] },
        },
      },
    ]));
});
