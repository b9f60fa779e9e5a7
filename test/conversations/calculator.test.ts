import { describe, expect, test } from "vitest";
import { absent, capture, ref } from "../../runtime/src/testing.js";
import { transportSetups, converse, played } from "./transports.js";
import { handshake, R1, R2, R4, R5, speaks, stateless, text } from "./messages.js";

const call = (name: string, args: object) => ({ name, arguments: args });

describe.each(transportSetups)("$name", (carrier) => {
  test.each([R1, R2, R4, R5])(
    "%s: tools calculate, and their errors become results that the model can read",
    (revision) => {
      const { opening, request } = speaks(revision);
      return converse(carrier, "calculator", [
        ...opening,
        { "->": request(1, "tools/call", call("calculate", { operation: "divide", a: 7, b: 2 })) },
        { "<-": { id: 1, result: { ...text("3.5"), isError: absent } } },
        { "->": request(2, "tools/call", call("calculate_sum", { a: 1, b: 2 })) },
        { "<-": { id: 2, result: text("3") } },
        { "->": request(3, "tools/call", call("calculate", { operation: "divide", a: 1, b: 0 })) },
        { "<-": { id: 3, result: { ...text("Cannot divide by zero"), isError: true } } },
      ]);
    },
  );

  test.each([R1, R4])("%s: a tool calls the client's model before it returns", (revision) =>
    converse(carrier, "calculator", [
      ...handshake(revision, { sampling: {} }),
      { "->": { id: 1, method: "tools/call", params: call("ai-calculator", { question: "6 x 7?" }) } },
      {
        "<-": {
          id: capture("question"),
          method: "sampling/createMessage",
          params: { maxTokens: 10, messages: [{ role: "user", content: { type: "text", text: "6 x 7?" } }] },
        },
      },
      {
        "->": {
          id: ref("question"),
          result: { model: "script", role: "assistant", content: { type: "text", text: "42" }, stopReason: "endTurn" },
        },
      },
      { "<-": { id: 1, result: text("The model says 42") } },
    ]),
  );

  test("in the stateless era the result contains the sampling request", async () => {
    const params = call("ai-calculator", { question: "6 x 7?" });
    const peer = await played(carrier, "calculator", [
      { "->": stateless(1, "tools/call", params, { sampling: {} }) },
      {
        "<-": {
          id: 1,
          result: {
            resultType: "input_required",
            inputRequests: { sum: { method: "sampling/createMessage", params: { maxTokens: 10 } } },
            requestState: /^v1\./,
          },
        },
      },
    ]);
    expect(peer.recorder.find("in", "sampling/createMessage")).toEqual([]);
  });

  test("does not send log messages below the level of the session", () =>
    converse(carrier, "calculator", [
      ...handshake(R2),
      { "->": { id: 1, method: "tools/call", params: { name: "logging-test" } } },
      {
        "<-": {
          method: "notifications/message",
          params: { level: "info", logger: "calculator", data: { high: "enough" } },
        },
      },
      { "<-": { id: 1, result: text("logged") } },
      { "->": { id: 2, method: "logging/setLevel", params: { level: "debug" } } },
      { "<-": { id: 2, result: {} } },
      { "->": { id: 3, method: "tools/call", params: { name: "logging-test" } } },
      { "<-": { method: "notifications/message", params: { level: "debug", data: "too low" } } },
      { "<-": { method: "notifications/message", params: { level: "info" } } },
      { "<-": { id: 3, result: text("logged") } },
    ]));
});
