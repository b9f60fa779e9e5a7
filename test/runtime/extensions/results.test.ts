import { describe, expect, test } from "vitest";
import { connectClient, modern, R5, serve } from "../connection/connection-ends.js";
import { result } from "../connection/wire.js";
import { rankExtension, rankId } from "./rank-extension.js";

const extensions = [rankExtension];
const declared = { extensions: { [rankId]: {} } };
const ranked = { resultType: "ranked", place: 1 };

describe("a server returns a result that an extension adds", () => {
  const answer = async (outcome: object, capabilities: object, more: object = {}) => {
    const { wire, errors } = await serve({ extensions, ...more }, { "tools/call": () => outcome });
    return { response: await wire.ask(1, "tools/call", modern({ name: "t" }, capabilities)), errors };
  };

  test("unchanged but for the server's name", async () => {
    const { response } = await answer(ranked, declared, { includeServerInfo: false });
    expect(response.result).toEqual(ranked);
  });

  test.each([
    ["the result of an undeclared extension", ranked, {}, `returned ranked to a client that did not declare ${rankId}`],
    ["an unknown result", { resultType: "sorted" }, declared, "returned the unknown result sorted"],
    ["a result type that is a number", { resultType: 5 }, declared, "returned the unknown result 5"],
    ["an inherited name", { resultType: "constructor" }, declared, "returned the unknown result constructor"],
  ])("but not %s", async (_, outcome, capabilities, problem) => {
    const { response, errors } = await answer(outcome, capabilities);
    expect(response.error).toEqual({ code: -32603, message: "Internal error" });
    expect(errors.map(({ message }) => message)).toEqual([`the handler of tools/call ${problem}`]);
  });

  test("and its own result with its tag", async () => {
    const { response } = await answer({ resultType: "complete", content: [] }, {});
    expect(response.result).toMatchObject({ resultType: "complete", content: [] });
  });
});

describe("a client receives a result that an extension adds", () => {
  const call = async (answer: object, given = extensions) => {
    const { client, wire } = await connectClient(R5, { extensions: given });
    const outcome = client.callTool({ name: "t" });
    wire.receive(result((await wire.next()).id ?? "", answer));
    return outcome;
  };

  test("unchanged", async () => {
    expect(await call(ranked)).toEqual(ranked);
  });

  test.each([
    ["one that does not match its schema", { ...ranked, place: "first" }, extensions, "schema"],
    ["an unknown one", { resultType: "sorted" }, extensions, '"sorted" is not known'],
    ["one with an inherited name", { resultType: "constructor" }, extensions, '"constructor" is not known'],
    ["one of an extension that it does not have", ranked, [], '"ranked" is not known'],
  ])("but not %s", async (_, answer, given, problem) => {
    await expect(call(answer, given)).rejects.toMatchObject({
      code: "INVALID_RESULT",
      message: expect.stringContaining(problem) as string,
    });
  });
});

test("invalid members of core messages are named on sides with extensions, too", async () => {
  const { wire } = await serve({ extensions }, { "tools/call": () => ({ content: [] }) });
  const { error } = await wire.ask(1, "tools/call", modern({ name: 5 }));
  expect(error?.message).toContain("/name");
});
