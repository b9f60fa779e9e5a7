import { describe, expect, test } from "vitest";
import type { ElicitRequestParams } from "../../runtime/src/authoring.js";
import { transportSetups, channels } from "./transports.js";
import { recordedClient } from "./client.js";

/** A client that fills in every form, and the messages of these forms. */
function filler() {
  const asked: ElicitRequestParams[] = [];
  const made = recordedClient({ capabilities: { elicitation: { form: {}, url: {} } }, maxRounds: 3 });
  made.client.setRequestHandler("elicitation/create", (params) => {
    asked.push(params);
    return { action: "accept", content: { name: "Ann" } };
  });
  return { ...made, asked: () => asked.map(({ message }) => message) };
}

const ask = { name: "ask", arguments: { a: 1 } };
const done = { resultType: "complete", content: [{ type: "text", text: "done" }] };

describe.each(transportSetups)("$name", (carrier) => {
  test("answers the questions of every round, also when a key is used again", async () => {
    const { client, recorder, asked } = filler();
    await client.connect(await carrier.fake("asks two rounds"));
    expect(await client.callTool(ask)).toMatchObject(done);
    expect(asked()).toEqual(["First?", "Second?", "Second, in other words?"]);
    const ids = recorder.find("out", "tools/call").map((message) => (message as { id: unknown }).id);
    expect(new Set(ids).size).toBe(4);
  });

  test("limits the number of rounds", async () => {
    const { client, asked } = filler();
    await client.connect(await carrier.fake("asks forever"));
    await expect(client.callTool(ask)).rejects.toMatchObject({ code: "INPUT_REQUIRED_ROUNDS_EXCEEDED" });
    expect(asked()).toHaveLength(3);
  });

  test("repeats the call when the server returns a state without questions", async () => {
    const { client } = filler();
    await client.connect(await carrier.fake("returns only a state"));
    expect(await client.callTool(ask)).toMatchObject(done);
  });

  test("does not mix up the states of two calls", async () => {
    const { client } = filler();
    await client.connect(await carrier.fake("asks two calls at once"));
    const results = await Promise.all([client.callTool(ask), client.callTool(ask)]);
    expect(results).toMatchObject([{ content: [{ text: "one" }] }, { content: [{ text: "two" }] }]);
  });

  test("returns the questions to the host with `allowInputRequired`", async () => {
    const { client, asked } = filler();
    await client.connect(await carrier.fake("asks once"));
    expect(await client.callTool(ask, { allowInputRequired: true })).toMatchObject({ requestState: "one" });
    expect(asked()).toEqual([]);
  });

  test.each([
    ["answers with an unknown kind of result", "INVALID_RESULT"],
    ["asks nothing at all", "INVALID_RESULT"],
    ["asks for something unknown", "INVALID_RESULT"],
    ["asks what was not declared", "INPUT_REQUIRED_UNSUPPORTED"],
  ])("a server that %s fails the call with %s", async (fake, code) => {
    const { client, asked } = filler();
    await client.connect(await carrier.fake(fake));
    await expect(client.callTool(ask)).rejects.toMatchObject({ code });
    expect(asked()).toEqual([]);
  });

  test("rejects a question in the result of a method that allows none", async () => {
    const { client } = filler();
    await client.connect(await carrier.fake("asks when tools are listed"));
    await expect(client.listTools()).rejects.toMatchObject({ code: "INVALID_RESULT" });
  });

  test("does not send the user to a script", async () => {
    const { client, asked } = filler();
    await client.connect(await carrier.fake("sends the user to a script"));
    await expect(client.callTool(ask)).rejects.toThrow("url");
    expect(asked()).toEqual([]);
  });
});

// Over HTTP, the server cannot send messages without a request.
describe.each(channels)("$name", (carrier) => {
  test("reports and ignores messages that a server must not send", async () => {
    const { client, recorder, errors } = filler();
    await client.connect(await carrier.fake("misbehaves on the wire"));
    // These messages arrive before the client requests the list.
    await expect.poll(() => recorder.find("in").length).toBeGreaterThanOrEqual(8);
    expect((await client.listTools()).tools).toEqual([]);
    expect(recorder.find("out").map((message) => (message as { method?: string }).method)).toEqual([
      "server/discover",
      "tools/list",
    ]);
    expect(errors.length).toBeGreaterThanOrEqual(5);
  });
});
