import { describe, expect, test } from "vitest";
import type { ClientExtension } from "../../../runtime/src/client/client-extension.js";
import { connectClient, R4, R5, type HighClient } from "../connection/connection-ends.js";
import { request, result } from "../connection/wire.js";
import { rankExtension, rankId, type RankTypes } from "./rank-extension.js";

const declared = { tools: {}, tasks: { requests: { tools: { call: {} } } }, extensions: { [rankId]: {} } };

async function connect(
  revision: string,
  attachClient: NonNullable<ClientExtension["attachClient"]>,
  options: object = {},
): Promise<HighClient> {
  const extension: ClientExtension = { ...rankExtension, attachClient };
  return connectClient(revision, { extensions: [extension], ...options }, declared);
}

describe("an interceptor of a method", () => {
  test("can exchange the result of an extension for the final one", async () => {
    const { client, wire } = await connect(R5, (_host, { requests }) => {
      requests.interceptors.set("tools/call", async (params, options, send) => {
        const outcome = (await send(params, options)) as { resultType?: string };
        if (outcome.resultType !== "ranked") return outcome;
        const ranked = await requests.sendUnchanged("tools/rank", { query: "t" }, options);
        return {
          resultType: "complete",
          content: [{ type: "text", text: (ranked as { order: string[] }).order.join() }],
        };
      });
    });
    const outcome = client.callTool({ name: "t" });
    wire.receive(result((await wire.next()).id ?? "", { resultType: "ranked", place: 1 }));
    const { id = "", method, params } = await wire.next();
    expect([method, params?.["query"]]).toEqual(["tools/rank", "t"]);
    wire.receive(result(id, { resultType: "complete", order: ["a", "b"] }));
    expect(await outcome).toMatchObject({ content: [{ text: "a,b" }] });
  });

  test("can change the params, and receives the result that is recognized by a member", async () => {
    const { client, wire } = await connect(R4, (_host, { requests }) => {
      requests.interceptors.set("tools/call", async (params, options, send) => {
        const outcome = (await send({ ...params, task: { ttl: 5 } }, options)) as { task: { taskId: string } };
        return { content: [{ type: "text", text: outcome.task.taskId }] };
      });
    });
    const outcome = client.callTool({ name: "t" });
    const { id = "", params } = await wire.next();
    expect(params).toEqual({ name: "t", task: { ttl: 5 } });
    const at = "2026-01-01T00:00:00Z";
    wire.receive(result(id, { task: { taskId: "1", status: "working", ttl: 5, createdAt: at, lastUpdatedAt: at } }));
    expect(await outcome).toEqual({ content: [{ type: "text", text: "1" }] });
  });
});

describe("request", () => {
  test.each([
    ["returns the checked result", { order: [] }, { resultType: "complete", order: [] }],
    ["rejects an invalid result", { order: "a" }, { code: "INVALID_RESULT" }],
  ])("%s", async (_, body, expected) => {
    const { client, wire } = await connect(R5, () => undefined);
    const answer = client
      .request<RankTypes["clientRequests"]>("tools/rank", { query: "a" })
      .catch((error: unknown) => error);
    wire.receive(result((await wire.next()).id ?? "", body));
    expect(await answer).toMatchObject(expected);
  });
});

test("an extension can respond to the requests of a server before the handlers of the program", async () => {
  const { client, wire } = await connect(
    R4,
    (_host, { requests }) => {
      requests.interceptHandlers((params, context, run) =>
        params["task"] ? Promise.resolve({ task: params["task"] }) : run(context),
      );
    },
    { capabilities: { elicitation: {} } },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
  const form = { message: "a?", requestedSchema: { type: "object", properties: {} } };
  wire.receive(request(1, "elicitation/create", form));
  expect((await wire.next()).result).toEqual({ action: "decline" });
  wire.receive(request(2, "elicitation/create", { ...form, task: { ttl: 1 } }));
  expect((await wire.next()).result).toEqual({ task: { ttl: 1 } });
});
