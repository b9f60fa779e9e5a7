import { describe, expect, test } from "vitest";
import type { ElicitResult } from "../../runtime/src/authoring.js";
import { absent, any, capture, exactly, ref } from "../../runtime/src/testing.js";
import { channels, type TransportSetup, transportSetups, converse } from "./transports.js";
import { recordedClient } from "./client.js";
import { handshake, R1, R2, R3, R4, R5, speaks, stateless, text } from "./messages.js";

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });
const lamp = { item: "lamp" };
const accept = (name: string): ElicitResult => ({ action: "accept", content: { name } });
const can = { elicitation: {} };
const elicits = { method: "elicitation/create" };

/** Calls a tool of the desk with our client; the user's answer depends on the first word of the question. */
async function visit(
  carrier: TransportSetup,
  revision: string,
  tool: string,
  answers: Readonly<Record<string, ElicitResult>>,
) {
  const { client, recorder } = recordedClient({ capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ message }) => {
    asked.push(message);
    return answers[message] ?? { action: "cancel" };
  });
  await client.connect(await carrier.server("desk", { revisions: [revision] }));
  const result = await client.callTool(call(tool, lamp));
  const trail = await client.callTool(call("trail"));
  return { result: textOf(result), trail: textOf(trail), asked: asked.sort(), recorder };
}

function textOf({ content }: { content: readonly { type: string }[] }): unknown {
  return (content[0] as { text?: unknown } | undefined)?.text;
}

const everybody = { "First?": accept("a"), "Second?": accept("b"), "Left?": accept("c"), "Right?": accept("d") };

describe.each(transportSetups)("$name", (carrier) => {
  describe.each([R3, R4, R5])("%s", (revision) => {
    test.each([
      ["waits", everybody, "lamp a b c d", "reserve lamp, first a, finally", ["First?", "Left?", "Right?", "Second?"]],
      [
        "waits",
        { "First?": { action: "decline" } },
        "stopped: decline",
        "reserve lamp, first decline, finally",
        ["First?"],
      ],
      ["waits", {}, "stopped: cancel", "reserve lamp, first cancel, finally", ["First?"]],
      ["asks-before", everybody, "lamp a b", "run lamp", ["First?", "Second?"]],
      [
        "asks-before",
        { "First?": { action: "decline" }, "Second?": accept("b") },
        "lamp decline b",
        "run lamp",
        ["First?", "Second?"],
      ],
      ["returns", everybody, '{"item":"lamp"} a', "enter with 0, enter with 1", ["First?"]],
    ] as const)("%s: gives the same result in every revision", async (tool, answers, result, trail, asked) => {
      const seen = await visit(carrier, revision, tool, answers);
      expect({ ...seen, recorder: undefined }).toEqual({ result, trail, asked, recorder: undefined });
      const onWire = seen.recorder.find("in", "elicitation/create").length;
      expect(onWire).toBe(revision === R5 ? 0 : asked.length);
    });
  });

  test.each([R1, R2])("%s: returns a tool error to a client that cannot ask its user", (revision) => {
    const { opening, request } = speaks(revision);
    return converse(carrier, "desk", [
      ...opening,
      { "->": request(1, "tools/call", call("waits", lamp)) },
      { "<-": { id: 1, result: { isError: true, content: [{ type: "text", text: /elicitation/ }] } } },
      { "->": request(2, "tools/call", call("trail")) },
      { "<-": { id: 2, result: text("reserve lamp, finally") } },
    ]);
  });

  test("rejects a stateless client that cannot ask its user, and names the missing capability", () =>
    converse(carrier, "desk", [
      { "->": stateless(1, "tools/call", call("waits", lamp)) },
      {
        "<-": {
          id: 1,
          error: { code: -32021, data: exactly({ requiredCapabilities: { elicitation: {} } }) },
        },
      },
    ]));

  test("suspends a handler instead of running it again, and sends concurrent questions in one round", () =>
    converse(carrier, "desk", [
      { "->": stateless(1, "tools/call", call("waits", lamp), can) },
      {
        "<-": {
          id: 1,
          result: {
            resultType: "input_required",
            inputRequests: exactly({ first: any() }),
            requestState: capture("one"),
          },
        },
      },
      { "->": stateless(2, "tools/call", call("trail")) },
      { "<-": { id: 2, result: text("reserve lamp") } },
      {
        "->": stateless(
          3,
          "tools/call",
          { ...call("waits", lamp), inputResponses: { first: accept("a") }, requestState: ref("one") },
          can,
        ),
      },
      { "<-": { id: 3, result: { inputRequests: exactly({ second: any() }), requestState: capture("two") } } },
      // The same retry again: its handler has already continued.
      {
        "->": stateless(
          4,
          "tools/call",
          { ...call("waits", lamp), inputResponses: { first: accept("x") }, requestState: ref("one") },
          can,
        ),
      },
      { "<-": { id: 4, error: { code: -32602, message: "Invalid or expired requestState" } } },
      {
        "->": stateless(
          5,
          "tools/call",
          { ...call("waits", lamp), inputResponses: { second: accept("b") }, requestState: ref("two") },
          can,
        ),
      },
      {
        "<-": {
          id: 5,
          result: { inputRequests: { left: elicits, right: elicits }, requestState: capture("three") },
        },
      },
      // One of two answers: the runtime asks for the other one again.
      {
        "->": stateless(
          6,
          "tools/call",
          { ...call("waits", lamp), inputResponses: { left: accept("c") }, requestState: ref("three") },
          can,
        ),
      },
      { "<-": { id: 6, result: { inputRequests: exactly({ right: any() }), requestState: capture("four") } } },
      {
        "->": stateless(
          7,
          "tools/call",
          {
            ...call("waits", lamp),
            inputResponses: { right: accept("d"), left: accept("no") },
            requestState: ref("four"),
          },
          can,
        ),
      },
      { "<-": { id: 7, result: { ...text("lamp a b c d"), resultType: "complete" } } },
      { "->": stateless(8, "tools/call", call("trail")) },
      { "<-": { id: 8, result: text("reserve lamp, first a, finally") } },
    ]));

  test("ends a suspended handler when the client does not come back in time", () =>
    converse(
      carrier,
      "desk",
      [
        { "->": stateless(1, "tools/call", call("waits", lamp), can) },
        { "<-": { id: 1, result: { resultType: "input_required", requestState: capture("state") } } },
        { "->": stateless(2, "tools/call", call("trail-at-end")) },
        { "<-": { id: 2, result: text("reserve lamp, finally") } },
        {
          "->": stateless(
            3,
            "tools/call",
            { ...call("waits", lamp), inputResponses: { first: accept("a") }, requestState: ref("state") },
            can,
          ),
        },
        { "<-": { id: 3, error: { code: -32602 } } },
      ],
      { options: { suspension: { ttlMs: 50 } } },
    ));

  test("limits the number of waiting handlers, and allows none with `suspension: false`", async () => {
    await converse(
      carrier,
      "desk",
      [
        { "->": stateless(1, "tools/call", call("waits", lamp), can) },
        { "<-": { id: 1, result: { resultType: "input_required" } } },
        { "->": stateless(2, "tools/call", call("waits", lamp), can) },
        {
          "<-": carrier.name.startsWith("HTTP")
            ? { id: 2, result: { resultType: "input_required" } }
            : { id: 2, error: { code: -32603, message: "Too many requests wait for input" } },
        },
      ],
      { options: { suspension: { max: 1 } } },
    );
    await converse(
      carrier,
      "desk",
      [
        { "->": stateless(1, "tools/call", call("waits", lamp), can) },
        {
          "<-": {
            id: 1,
            result: { isError: true, content: [{ text: /register inputRequests or return inputRequired/ }] },
          },
        },
        { "->": stateless(2, "tools/call", call("asks-before", lamp), can) },
        { "<-": { id: 2, result: { resultType: "input_required" } } },
      ],
      { options: { suspension: false } },
    );
  });

  test("in a session, questions are requests and the handler's call gets one response", () =>
    converse(carrier, "desk", [
      ...handshake(R4, can),
      { "->": { id: 1, method: "tools/call", params: call("waits", lamp) } },
      { "<-": { id: capture("q"), method: "elicitation/create", params: { message: "First?" } } },
      { "->": { id: ref("q"), result: accept("a") } },
      { "<-": { id: capture("q"), method: "elicitation/create", params: { message: "Second?" } } },
      { "->": { id: ref("q"), result: accept("b") } },
      {
        unordered: [
          { id: capture("l"), method: "elicitation/create", params: { message: "Left?" } },
          { id: capture("r"), method: "elicitation/create", params: { message: "Right?" } },
        ],
      },
      { "->": { id: ref("r"), result: accept("d") } },
      { "->": { id: ref("l"), result: accept("c") } },
      { "<-": { id: 1, result: { ...text("lamp a b c d"), resultType: absent } } },
    ]));
});

// Over HTTP, the response is sent before the server notices that the client has disconnected.
describe.each(channels)("$name", (carrier) => {
  test("cancelling a retry ends the suspended handler", () =>
    converse(carrier, "desk", [
      { "->": stateless(1, "tools/call", call("works", lamp), can) },
      { "<-": { id: 1, result: { requestState: capture("state") } } },
      {
        "->": stateless(
          2,
          "tools/call",
          { ...call("works", lamp), inputResponses: { first: accept("a") }, requestState: ref("state") },
          can,
        ),
      },
      { "->": { method: "notifications/cancelled", params: { requestId: 2 } } },
      { "->": stateless(3, "tools/call", call("trail-at-end")) },
      { "<-": { id: 3, result: text("reserve lamp, finally") } },
      { silence: 20 },
    ]));
});
