import { describe, expect, test } from "vitest";
import type { ElicitResult } from "../../runtime/src/authoring.js";
import { absent, any, capture, ref } from "../../runtime/src/testing.js";
import { transportSetups, converse } from "./transports.js";
import { recordedClient } from "./client.js";
import { handshake, R3, R4, R5, stateless, text } from "./messages.js";

const defaults = {
  name: "Ann",
  amount: 2.5,
  count: 3,
  gift: true,
  size: "m",
  colour: "#f00",
  extras: ["nuts"],
};
const filled = (content: object) => ({ ...defaults, ...content });
const order = { name: "order" };
const plain = { name: "plain-order" };
const question = { method: "elicitation/create", id: capture("question") };

describe.each(transportSetups)("$name", (carrier) => {
  describe.each([R4, R5])("%s: our client", (revision) => {
    async function connected(answer: ElicitResult) {
      const made = recordedClient({ capabilities: { elicitation: { form: {} } } });
      made.client.setRequestHandler("elicitation/create", () => answer);
      await made.client.connect(await carrier.server("desk", { revisions: [revision] }));
      return made;
    }

    test.each([
      ["fills in the defaults", {}, filled({})],
      [
        "accepts fractions and lists",
        { amount: 3.5, extras: ["milk", "nuts"] },
        filled({ amount: 3.5, extras: ["milk", "nuts"] }),
      ],
      ["leaves what the user chose", { gift: false, name: "" }, filled({ gift: false, name: "" })],
    ])("%s", async (_name, content, expected) => {
      const { client } = await connected({ action: "accept", content });
      const result = await client.callTool(order);
      expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual({ action: "accept", content: expected });
    });

    test.each([
      ["a value outside its choices", { size: "xl" }],
      ["a fraction where an integer belongs", { count: 3.5 }],
      ["a choice that the form does not list", { extras: ["sugar"] }],
    ])("does not send %s", async (_name, content) => {
      const { client, recorder } = await connected({ action: "accept", content });
      const called = await client.callTool(order).catch((error: unknown) => error);
      if (revision === R5) expect(called).toMatchObject({ code: "INVALID_CONFIGURATION" });
      else expect(called).toMatchObject({ isError: true });
      const field = Object.keys(content)[0] ?? "";
      expect(recorder.find("out", { result: { content: { [field]: any() } } })).toEqual([]);
      expect(recorder.find("out", { params: { inputResponses: any() } })).toEqual([]);
    });

    test.each(["decline", "cancel"] as const)("sends %s without content", async (action) => {
      const { client } = await connected({ action, content: { name: "kept back" } });
      expect((await client.callTool(order)).content).toEqual(text(JSON.stringify({ action }))["content"]);
    });
  });

  test.each([
    ["a value outside its choices", { size: "xl" }, /size/],
    ["a string for a number", { amount: "3" }, /amount/],
  ])("our server rejects %s", (_name, content, problem) =>
    converse(carrier, "desk", [
      ...handshake(R4, { elicitation: {} }),
      { "->": { id: 1, method: "tools/call", params: plain } },
      { "<-": question },
      { "->": { id: ref("question"), result: { action: "accept", content } } },
      { "<-": { id: 1, result: { isError: true, content: [{ text: problem }] } } },
    ]),
  );

  test("2025-06-18: fails before anything is sent when the revision's forms lack a field type", () =>
    converse(carrier, "desk", [
      ...handshake(R3, { elicitation: {} }),
      { "->": { id: 1, method: "tools/call", params: order } },
      { "<-": { id: 1, result: { isError: true, content: [{ text: /elicitation\/create: Form field/ }] } } },
      { "->": { id: 2, method: "tools/call", params: plain } },
      { "<-": { ...question, params: { message: "Order", mode: absent } } },
      { "->": { id: ref("question"), result: { action: "accept", content: { amount: 3.5, size: "s" } } } },
      { "<-": { id: 2, result: text('{"action":"accept","content":{"amount":3.5,"size":"s"}}') } },
    ]));

  test.each([
    [R3, { elicitation: {} }, "elicitation.url"],
    [R4, { elicitation: {} }, "elicitation.url"],
    [R4, { elicitation: { form: {} } }, "elicitation.url"],
    [R4, {}, "elicitation"],
  ])("%s with %j: does not send the user to a URL", (revision, capabilities, missing) =>
    converse(carrier, "desk", [
      ...handshake(revision, capabilities),
      { "->": { id: 1, method: "tools/call", params: { name: "visit" } } },
      {
        "<-": {
          id: 1,
          result: {
            isError: true,
            content: [{ text: new RegExp(`did not declare the required capability ${missing}`) }],
          },
        },
      },
    ]),
  );

  test("does not send a form to a client that only opens URLs", () =>
    converse(carrier, "desk", [
      ...handshake(R4, { elicitation: { url: {} } }),
      { "->": { id: 1, method: "tools/call", params: plain } },
      { "<-": { id: 1, result: { isError: true, content: [{ text: /elicitation.form/ }] } } },
      { "->": { id: 2, method: "tools/call", params: { name: "visit" } } },
      {
        "<-": {
          ...question,
          params: { mode: "url", url: "https://pay.example/checkout?order=7", elicitationId: any() },
        },
      },
      { "->": { id: ref("question"), result: { action: "accept" } } },
      { "<-": { id: 2, result: text("accept") } },
      { "->": stateless(3, "tools/call", plain, { elicitation: { url: {} } }) },
      { "<-": { id: 3, error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } } } },
    ]));
});
