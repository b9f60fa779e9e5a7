import { InvalidResultError } from "@mcpwright/protocol/support";
import * as client25 from "@mcpwright/protocol/2025-11-25/client";
import * as server25 from "@mcpwright/protocol/2025-11-25/server";
import * as revision25 from "@mcpwright/protocol/2025-11-25";
import * as client26 from "@mcpwright/protocol/2026-07-28/client";
import * as revision26 from "@mcpwright/protocol/2026-07-28";
import { describe, expect, test } from "vitest";
import { connectionPair } from "../support/connection-double.js";

/** The result that the caller of a stub gets when the peer responds with `result`. */
const stubs = {
  "tools/call of 2026-07-28": (result: unknown) => {
    const { client, server } = connectionPair(revision26);
    server.handle({ "tools/call": () => result });
    return client26.callTool(client, { name: "t" });
  },
  "tools/list of 2026-07-28": (result: unknown) => {
    const { client, server } = connectionPair(revision26);
    server.handle({ "tools/list": () => result });
    return client26.listTools(client);
  },
  "subscriptions/listen of 2026-07-28": (result: unknown) => {
    const { client, server } = connectionPair(revision26);
    server.handle({ "subscriptions/listen": () => result });
    return client26.subscriptionsListen(client, { notifications: {} }).result;
  },
  "tools/call of 2025-11-25": (result: unknown) => {
    const { client, server } = connectionPair(revision25);
    server.handle({ "tools/call": () => result });
    return client25.callTool(client, { name: "t", task: {} });
  },
  "sampling/createMessage of 2025-11-25": (result: unknown) => {
    const { client, server } = connectionPair(revision25);
    client.handle({ "sampling/createMessage": () => result });
    return server25.createMessage(server, { messages: [], maxTokens: 1, task: {} });
  },
  "elicitation/create of 2025-11-25": (result: unknown) => {
    const { client, server } = connectionPair(revision25);
    client.handle({ "elicitation/create": () => result });
    return server25.elicit(server, { message: "?", requestedSchema: { type: "object", properties: {} }, task: {} });
  },
  "tools/call without task of 2025-11-25": (result: unknown) => {
    const { client, server } = connectionPair(revision25);
    server.handle({ "tools/call": () => result });
    return client25.callTool(client, { name: "t" });
  },
  "prompts/get of 2025-11-25": (result: unknown) => {
    const { client, server } = connectionPair(revision25);
    server.handle({ "prompts/get": () => result });
    return client25.getPrompt(client, { name: "p" });
  },
} as const satisfies Record<string, (result: unknown) => Promise<unknown>>;

type Answered = keyof typeof stubs;

const task = {
  taskId: "1",
  status: "working",
  createdAt: "2025-11-25T00:00:00Z",
  lastUpdatedAt: "2025-11-25T00:00:00Z",
  ttl: null,
};
const shape = "it does not match the schema";

describe("rejects a result that is invalid for the method, with method and reason", () => {
  test.each<[Answered, unknown, string]>([
    ["tools/call of 2026-07-28", { resultType: "complete", content: 5 }, shape],
    ["tools/call of 2026-07-28", { resultType: "complete" }, shape],
    ["tools/call of 2026-07-28", { content: 5 }, shape],
    ["tools/call of 2026-07-28", { resultType: "complete", inputRequests: {} }, shape],
    ["tools/call of 2026-07-28", null, "it is not an object"],
    ["tools/call of 2026-07-28", "text", "it is not an object"],
    ["tools/call of 2026-07-28", [], "it is not an object"],
    [
      "tools/call of 2026-07-28",
      { resultType: "task", content: [] },
      `resultType "task" is not known for this method`,
    ],
    ["tools/call of 2026-07-28", { resultType: null, content: [] }, "resultType is not a string"],
    ["tools/call of 2026-07-28", { resultType: 5, content: [] }, "resultType is not a string"],
    [
      "tools/call of 2026-07-28",
      { resultType: "constructor", content: [] },
      `resultType "constructor" is not known for this method`,
    ],
    [
      "tools/call of 2026-07-28",
      { resultType: "__proto__", content: [] },
      `resultType "__proto__" is not known for this method`,
    ],
    ["tools/call of 2026-07-28", { resultType: "input_required" }, `"input_required" needs one of inputRequests, requestState`],
    [
      "tools/call of 2026-07-28",
      { resultType: "input_required", content: [], requestState: 5 },
      `it does not match the schema of "input_required"`,
    ],
    [
      "tools/call of 2026-07-28",
      { resultType: "input_required", inputRequests: { a: { method: "tools/call" } } },
      `it does not match the schema of "input_required"`,
    ],
    [
      "tools/list of 2026-07-28",
      { resultType: "input_required", requestState: "s" },
      `resultType "input_required" is not known for this method`,
    ],
    ["tools/list of 2026-07-28", { resultType: "complete", tools: [], cacheScope: "public" }, shape],
    ["subscriptions/listen of 2026-07-28", { resultType: "complete", _meta: 5 }, shape],
    ["tools/call of 2025-11-25", { content: [], task: {} }, "it has task, but does not match the schema of that result"],
    ["tools/call of 2025-11-25", { content: [], task: null }, "it has task, but does not match the schema of that result"],
    [
      "sampling/createMessage of 2025-11-25",
      { task: { ...task, status: "sleeping" } },
      "it has task, but does not match the schema of that result",
    ],
    [
      "elicitation/create of 2025-11-25",
      { task: { ...task, ttl: "1" } },
      "it has task, but does not match the schema of that result",
    ],
    ["elicitation/create of 2025-11-25", {}, shape],
    ["tools/call without task of 2025-11-25", { task }, "it has task, but the request had no task"],
    ["prompts/get of 2025-11-25", { task }, shape],
  ])("%s: %j", async (answered, result, reason) => {
    const method = answered.replace(/ (of|without) .*/, "");
    const failure: unknown = await stubs[answered](result).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidResultError);
    expect(failure).toMatchObject({ method, reason, message: `invalid result of ${method}: ${reason}`, result });
  });

  test("rejects a result that is too deep to print", async () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const connection = { ...connectionPair(revision26).client, request: () => Promise.resolve({ resultType: deep }) };
    await expect(client26.callTool(connection, { name: "t" })).rejects.toBeInstanceOf(InvalidResultError);
  });
});

describe("returns a result that is valid for the method, with its unknown members", () => {
  test.each<[Answered, object]>([
    ["tools/call of 2026-07-28", { resultType: "complete", content: [], further: { x: 1 } }],
    ["tools/call of 2026-07-28", { resultType: "input_required", requestState: "s" }],
    ["tools/call of 2026-07-28", { resultType: "input_required", inputRequests: {}, further: [1] }],
    ["tools/call of 2025-11-25", { content: [], resultType: "a member that this revision does not know" }],
    ["tools/call of 2025-11-25", { task, further: [1] }],
    ["tools/call of 2025-11-25", { task, content: [] }],
    ["elicitation/create of 2025-11-25", { action: "cancel" }],
    ["elicitation/create of 2025-11-25", { task }],
    ["prompts/get of 2025-11-25", { messages: [], task: 5 }],
  ])("%s: %j", async (answered, result) => {
    expect(await stubs[answered](result)).toEqual(result);
  });

  test("adds the tag of a complete result where the tag is absent", async () => {
    const result = { content: [], further: { x: 1 } };
    expect(await stubs["tools/call of 2026-07-28"](result)).toEqual({ ...result, resultType: "complete" });
  });
});
