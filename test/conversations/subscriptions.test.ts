import { describe, test } from "vitest";
import { absent, any, capture, exactly, ref } from "../../runtime/src/testing.js";
import { channels, transportSetups, converse } from "./transports.js";
import { handshake, handshakeEra, R3, R4, stateless, text } from "./messages.js";

const main = "file:///project/src/main.rs";
const subscriptionId = "io.modelcontextprotocol/subscriptionId";
const call = (name: string, args: object = {}) => ({ name, arguments: args });
const listen = (id: unknown, notifications: object) => stateless(id, "subscriptions/listen", { notifications });
const acknowledged = (id: unknown, notifications: object) => ({
  method: "notifications/subscriptions/acknowledged",
  params: exactly({ notifications, _meta: { [subscriptionId]: id } }),
});
const changed = (kind: string, id: unknown) => ({
  method: `notifications/${kind}/list_changed`,
  params: { _meta: { [subscriptionId]: id } },
});
const updated = (uri: string, id: unknown) => ({
  method: "notifications/resources/updated",
  params: { uri, _meta: { [subscriptionId]: id } },
});

describe.each(transportSetups)("$name", (carrier) => {
  test.each(handshakeEra)("%s: notifies of changes after subscribe, and not after unsubscribe", (revision) =>
    converse(carrier, "library", [
      ...handshake(revision),
      { "->": { id: 1, method: "resources/subscribe", params: { uri: main } } },
      { "<-": { id: 1, result: exactly({}) } },
      { "->": { id: 2, method: "tools/call", params: call("edit", { text: "fn main() { run() }" }) } },
      {
        unordered: [
          { method: "notifications/resources/updated", params: exactly({ uri: main }) },
          { id: 2, result: text("edited") },
        ],
      },
      { "->": { id: 3, method: "resources/read", params: { uri: main } } },
      { "<-": { id: 3, result: { contents: [{ uri: main, text: "fn main() { run() }" }] } } },
      { "->": { id: 4, method: "tools/call", params: call("touch", { uri: "doc:///1" }) } },
      { "<-": { id: 4, result: text("touched") } },
      { "->": { id: 5, method: "resources/unsubscribe", params: { uri: main } } },
      { "<-": { id: 5, result: {} } },
      { "->": { id: 6, method: "tools/call", params: call("edit", { text: "" }) } },
      { "<-": { id: 6, result: text("edited") } },
      { silence: 30 },
    ]),
  );

  test("sends list changes without a subscription, once per list and turn, without params", () =>
    converse(carrier, "library", [
      ...handshake(R3),
      { "->": { id: 1, method: "tools/call", params: call("change-lists") } },
      {
        unordered: [
          { id: 1, result: text("added-1") },
          { method: "notifications/tools/list_changed", id: absent },
          { method: "notifications/prompts/list_changed", id: absent },
        ],
      },
      { silence: 30 },
    ]));

  test("each of several streams gets the changes in its filter, until it is cancelled", () =>
    converse(carrier, "library", [
      { "->": listen(7, { toolsListChanged: true }) },
      { "<-": acknowledged(7, { toolsListChanged: true }) },
      { "->": listen("7", { toolsListChanged: true, promptsListChanged: true }) },
      { "<-": acknowledged("7", { toolsListChanged: true, promptsListChanged: true }) },
      { "->": listen("x", { resourceSubscriptions: ["file:///project"] }) },
      { "<-": acknowledged("x", { resourceSubscriptions: ["file:///project"] }) },
      { "->": listen("y", { "com.example/other": true, promptsListChanged: false }) },
      { "<-": acknowledged("y", {}) },
      { "->": stateless(1, "tools/call", call("change-lists")) },
      {
        unordered: [
          { id: 1, result: text("added-1") },
          changed("tools", 7),
          changed("tools", "7"),
          changed("prompts", "7"),
        ],
      },
      { "->": { method: "notifications/cancelled", params: { requestId: 7 } } },
      { "->": stateless(2, "tools/call", call("change-lists")) },
      { unordered: [{ id: 2, result: text("added-2") }, changed("tools", "7"), changed("prompts", "7")] },
      { "->": stateless(3, "tools/call", call("edit", { text: "" })) },
      { unordered: [{ id: 3, result: text("edited") }, updated(main, "x")] },
      { "->": stateless(4, "tools/call", call("touch", { uri: "file:///projects/other" })) },
      { "<-": { id: 4, result: text("touched") } },
      { silence: 30 },
    ]));

  test("sends one message each to a session and a stream on one connection", () =>
    converse(carrier, "library", [
      ...handshake(R4),
      { "->": { id: 1, method: "resources/subscribe", params: { uri: main } } },
      { "<-": { id: 1, result: {} } },
      { "->": listen("modern", { resourceSubscriptions: [main], toolsListChanged: true }) },
      { "<-": acknowledged("modern", { resourceSubscriptions: [main], toolsListChanged: true }) },
      { "->": { id: 2, method: "tools/call", params: call("edit", { text: "" }) } },
      {
        unordered: [
          { id: 2, result: text("edited") },
          { method: "notifications/resources/updated", params: exactly({ uri: main }) },
          updated(main, "modern"),
        ],
      },
      { "->": { method: "notifications/cancelled", params: { requestId: "modern" } } },
      { "->": stateless(3, "tools/call", call("edit", { text: "" })) },
      {
        unordered: [
          { id: 3, result: text("edited") },
          { method: "notifications/resources/updated", params: exactly({ uri: main }) },
        ],
      },
      { "->": listen("again", { resourceSubscriptions: [main] }) },
      { "<-": acknowledged("again", { resourceSubscriptions: [main] }) },
      { silence: 30 },
    ]));
});

// Over HTTP, each stream is a separate request: ids may repeat, and all clients share the limits.
describe.each(channels)("$name", (carrier) => {
  test("rejects streams beyond the limit, and keeps the others", () =>
    converse(
      carrier,
      "library",
      [
        ...[1, 2].flatMap((id) => [
          { "->": listen(id, { toolsListChanged: true }) },
          { "<-": acknowledged(id, { toolsListChanged: true }) },
        ]),
        { "->": listen(3, { toolsListChanged: true }) },
        { "<-": { id: 3, error: { code: -32603, message: "Too many subscriptions" } } },
        { "->": stateless(4, "tools/call", call("change-lists")) },
        { unordered: [{ id: 4, result: any() }, changed("tools", 1), changed("tools", 2)] },
      ],
      { options: { limits: { subscriptions: 2 } } },
    ));

  test("rejects a stream with an id that is in use", () =>
    converse(carrier, "library", [
      { "->": listen(1, { toolsListChanged: true }) },
      { "<-": acknowledged(1, { toolsListChanged: true }) },
      { "->": listen(1, { promptsListChanged: true }) },
      { "<-": { id: capture("id", 1), error: { code: -32600 } } },
      { "->": stateless(2, "tools/call", call("change-lists")) },
      { unordered: [{ id: 2, result: any() }, changed("tools", ref("id"))] },
    ]));
});
