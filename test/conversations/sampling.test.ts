import { describe, expect, test } from "vitest";
import type { CreateMessageResult } from "../../runtime/src/authoring.js";
import { absent, capture, ref } from "../../runtime/src/testing.js";
import { transportSetups, converse } from "./transports.js";
import { recordedClient } from "./client.js";
import { handshake, R3, R4, R5, stateless } from "./messages.js";

const model = (how: string) => ({ name: "model", arguments: { how } });
const sunny: CreateMessageResult = {
  model: "m",
  role: "assistant",
  content: { type: "text", text: "Sunny" },
  stopReason: "endTurn",
};

describe.each(transportSetups)("$name", (carrier) => {
  test.each([R4, R5])("%s: a model can use tools, in several turns", async (revision) => {
    const { client } = recordedClient({ capabilities: { sampling: { tools: {} } } });
    const use = { type: "tool_use" as const, id: "1", name: "weather", input: { city: "Rome" } };
    client.setRequestHandler("sampling/createMessage", ({ messages, tools }) =>
      tools && messages.length === 1 ? { ...sunny, content: [use], stopReason: "toolUse" } : sunny,
    );
    await client.connect(await carrier.server("desk", { revisions: [revision] }));
    expect((await client.callTool(model("plain"))).content).toMatchObject([
      { text: expect.stringContaining("Sunny") as unknown },
    ]);
    expect((await client.callTool(model("whole"))).content).toMatchObject([
      { text: expect.stringContaining("Sunny") as unknown },
    ]);
  });

  test.each(["missing", "mixed"])("our server does not send a history with a message %s", (how) =>
    converse(carrier, "desk", [
      ...handshake(R4, { sampling: { tools: {} } }),
      { "->": { id: 1, method: "tools/call", params: model(how) } },
      { "<-": { id: 1, method: absent, result: { isError: true, content: [{ text: /sampling\/createMessage/ }] } } },
      { "->": stateless(2, "tools/call", model(how), { sampling: { tools: {} } }) },
      { "<-": { id: 2, result: { isError: true, content: [{ text: /sampling\/createMessage/ }] } } },
    ]),
  );

  test.each([
    [R3, { sampling: {} }],
    [R3, { sampling: { tools: {} } }],
    [R4, { sampling: {} }],
  ])("%s with %j: does not send tools to the client", (revision, capabilities) =>
    converse(carrier, "desk", [
      ...handshake(revision, capabilities),
      { "->": { id: 1, method: "tools/call", params: model("whole") } },
      { "<-": { id: 1, result: { isError: true, content: [{ text: /sampling.tools/ }] } } },
      { "->": { id: 2, method: "tools/call", params: model("plain") } },
      { "<-": { id: capture("question"), method: "sampling/createMessage", params: { tools: absent } } },
      { "->": { id: ref("question"), error: { code: -1, message: "User rejected sampling request" } } },
      { "<-": { id: 2, result: { isError: true, content: [{ text: "User rejected sampling request" }] } } },
    ]),
  );

  test.each([
    ["lacks a tool's result", -32602],
    ["mixes results and text", -32602],
    ["offers tools that were not asked for", -32602],
    ["asks a client that did not declare it", -32601],
  ])("a server that %s gets %i, and the model is not called", async (fake, code) => {
    const declared = fake.includes("not asked for") ? {} : { tools: {} };
    const { client, recorder } = recordedClient(
      fake.includes("declare") ? {} : { capabilities: { sampling: declared } },
    );
    let calls = 0;
    if (!fake.includes("declare"))
      client.setRequestHandler("sampling/createMessage", () => {
        calls++;
        return sunny;
      });
    await client.connect(await carrier.fake(fake));
    await expect.poll(() => recorder.find("out", { id: "question" })).toMatchObject([{ error: { code } }]);
    expect(calls).toBe(0);
    await client.listTools();
  });
});
