import { afterEach, describe, expect, test, vi } from "vitest";
import type { ClientOptions } from "../../../../runtime/src/client.js";
import { connectClient, R5 } from "../../connection/connection-ends.js";
import { error, idle, result, type Message, type Wire } from "../../connection/wire.js";

const requestedSchema = {
  type: "object" as const,
  properties: { name: { type: "string" as const, default: "Ann" }, age: { type: "integer" as const } },
};
const form = { method: "elicitation/create", params: { mode: "form", message: "Who?", requestedSchema } };
const url = { method: "elicitation/create", params: { mode: "url", message: "Sign in", url: "https://x.test/" } };
const sample = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
const roots = { method: "roots/list" };
const said = { role: "assistant", content: { type: "text", text: "hi" }, model: "m" };

const required = (id: string | number, inputRequests?: object, requestState?: unknown): object =>
  result(id, {
    resultType: "input_required",
    ...(inputRequests && { inputRequests }),
    ...(requestState !== undefined && { requestState }),
  });
const complete = (id: string | number, body: object = {}): object =>
  result(id, { resultType: "complete", content: [], ...body });

const everything: ClientOptions = { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } };

/** A client with a handler for each kind of request; `seen` contains their params. */
async function answering(options: ClientOptions = everything) {
  const ends = await connectClient(R5, options);
  const seen: unknown[] = [];
  if (options.capabilities?.elicitation)
    ends.client.setRequestHandler("elicitation/create", (params) => {
      seen.push(params);
      return { action: "accept", ...("requestedSchema" in params && { content: { age: 7 } }) };
    });
  if (options.capabilities?.sampling) ends.client.setRequestHandler("sampling/createMessage", () => said as never);
  return { ...ends, seen };
}

async function nextParams(wire: Wire): Promise<{ id: string | number; params: NonNullable<Message["params"]> }> {
  const { id = "", params = {} } = await wire.next();
  return { id, params };
}

afterEach(() => void vi.useRealTimers());

describe("a call that requires input", () => {
  test("handles the input requests, and is sent again under a new id with the state unchanged", async () => {
    const { client, wire, seen } = await answering();
    const called = client.callTool({ name: "t", arguments: { a: 1 }, _meta: { mine: 1 } });
    const first = await nextParams(wire);
    wire.receive(required(first.id, { who: form, where: roots, what: sample }, "opaque/=+\u{1F600}"));
    const second = await nextParams(wire);
    expect(second.id).not.toBe(first.id);
    expect(second.params).toEqual({
      ...first.params,
      inputResponses: {
        who: { action: "accept", content: { name: "Ann", age: 7 } },
        where: { roots: [] },
        what: said,
      },
      requestState: "opaque/=+\u{1F600}",
    });
    wire.receive(complete(second.id, { done: true }));
    expect(await called).toMatchObject({ resultType: "complete", content: [], done: true });
    expect(seen).toEqual([form.params]);
  });

  test.each<[string, (client: Awaited<ReturnType<typeof answering>>["client"]) => Promise<unknown>, object]>([
    ["tools/call", (client) => client.callTool({ name: "t" }), { content: [] }],
    ["prompts/get", (client) => client.getPrompt({ name: "p" }), { messages: [] }],
    [
      "resources/read",
      (client) => client.readResource({ uri: "a:b" }),
      { contents: [], ttlMs: 0, cacheScope: "private" },
    ],
  ])("%s", async (_, call, body) => {
    const { client, wire } = await answering();
    const called = call(client);
    wire.receive(required((await wire.next()).id ?? "", { who: form }, "s"));
    wire.receive(result((await wire.next()).id ?? "", { resultType: "complete", ...body }));
    expect(await called).toMatchObject(body);
  });

  test("in several rounds: each retry contains only its own state and responses", async () => {
    const { client, wire } = await answering();
    const called = client.callTool({ name: "t" });
    wire.receive(required((await wire.next()).id ?? "", { a: roots }, "one"));
    const second = await nextParams(wire);
    expect(second.params).toMatchObject({ inputResponses: { a: { roots: [] } }, requestState: "one" });
    wire.receive(required(second.id, { b: roots }));
    const third = await nextParams(wire);
    expect(third.params).toMatchObject({ inputResponses: { b: { roots: [] } } });
    expect(third.params).not.toHaveProperty("requestState");
    expect(third.params["inputResponses"]).not.toHaveProperty("a");
    wire.receive(complete(third.id));
    await called;
  });

  test("whose params contain input responses: they are not sent again", async () => {
    const { client, wire } = await answering();
    const own = { inputResponses: { a: { action: "decline" as const } }, requestState: "own" };
    const called = client.callTool({ name: "t", ...own });
    const first = await nextParams(wire);
    expect(first.params).toMatchObject(own);
    wire.receive(required(first.id, { b: roots }));
    const second = await nextParams(wire);
    expect(second.params["inputResponses"]).toEqual({ b: { roots: [] } });
    expect(second.params).not.toHaveProperty("requestState");
    wire.receive(complete(second.id));
    await called;
  });

  test("with only a state is sent again after a pause", async () => {
    const { client, wire } = await answering();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const called = client.callTool({ name: "t" });
    wire.receive(required((await wire.next()).id ?? "", undefined, "later"));
    await vi.advanceTimersByTimeAsync(249);
    expect(wire.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const { id, params } = await nextParams(wire);
    expect(params).toMatchObject({ requestState: "later" });
    expect(params).not.toHaveProperty("inputResponses");
    wire.receive(complete(id));
    await called;
  });

  test("whose retry is rejected for its headers does not ask the user again", async () => {
    const { client, wire, seen } = await answering();
    Object.assign(wire, { checkTool: () => undefined });
    const called = client.callTool({ name: "t" });
    wire.receive(required((await wire.next()).id ?? "", { who: form }, "s"));
    const retry = await nextParams(wire);
    wire.receive(error(retry.id, -32020, "headers"));
    const list = await wire.next();
    expect(list.method).toBe("tools/list");
    wire.receive(result(list.id ?? "", { resultType: "complete", tools: [], ttlMs: 0, cacheScope: "private" }));
    const again = await nextParams(wire);
    expect(again.params).toEqual(retry.params);
    wire.receive(complete(again.id));
    await called;
    expect(seen).toHaveLength(1);
  });

  test("does not mix with concurrent calls", async () => {
    const { client, wire } = await answering();
    const called = ["x", "y"].map((name) => client.callTool({ name }));
    const [x, y] = [await nextParams(wire), await nextParams(wire)];
    wire.receive(required(y.id, { a: roots }, "for y"));
    wire.receive(required(x.id, { b: roots }, "for x"));
    for (const { id, params } of [await nextParams(wire), await nextParams(wire)]) {
      expect(params["requestState"]).toBe(`for ${String(params["name"])}`);
      wire.receive(complete(id, { of: params["name"] }));
    }
    expect(await Promise.all(called)).toMatchObject([{ of: "x" }, { of: "y" }]);
  });

  test("returns the result to a caller that passes allowInputRequired", async () => {
    const { client, wire } = await answering();
    const called = client.callTool({ name: "t" }, { allowInputRequired: true });
    wire.receive(required((await wire.next()).id ?? "", { who: form }, "s"));
    expect(await called).toMatchObject({
      resultType: "input_required",
      inputRequests: { who: form },
      requestState: "s",
    });
  });
});

describe("a call fails", () => {
  test.each<[string, ClientOptions, object, unknown]>([
    ["without a handler", {}, { who: form }, "INPUT_REQUIRED_UNSUPPORTED"],
    ["without the capability", { capabilities: { roots: {} } }, { a: roots, b: sample }, "INPUT_REQUIRED_UNSUPPORTED"],
    ["for an undeclared mode", { capabilities: { elicitation: {} } }, { who: url }, -32602],
    ["for forms, when only URLs are declared", { capabilities: { elicitation: { url: {} } } }, { who: form }, -32602],
    ["for an unknown kind of request", everything, { who: { method: "tools/list" } }, "INVALID_RESULT"],
    ["for a request without method", everything, { who: {} }, "INVALID_RESULT"],
    ["for an inherited name", everything, { who: { method: "constructor" } }, "INVALID_RESULT"],
  ])("%s", async (_, options, inputRequests, code) => {
    const { client, wire } = await answering(options);
    const called = client.callTool({ name: "t" });
    wire.receive(required((await wire.next()).id ?? "", inputRequests, "s"));
    await expect(called).rejects.toMatchObject({ code });
    expect(await wire.rest()).toEqual([]);
  });

  test("when it contains neither requests nor a state", async () => {
    const { client, wire } = await answering();
    const called = client.callTool({ name: "t" });
    wire.receive(required((await wire.next()).id ?? ""));
    await expect(called).rejects.toMatchObject({ code: "INVALID_RESULT" });
  });

  test.each(["tools/list", "completion/complete"])(
    "when %s returns input_required, which it must not",
    async (method) => {
      const { client, wire } = await connectClient(R5, everything, { tools: {}, completions: {} });
      const called =
        method === "tools/list"
          ? client.listTools()
          : client.complete({ ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } });
      wire.receive(required((await wire.next()).id ?? "", { who: form }));
      await expect(called).rejects.toMatchObject({ code: "INVALID_RESULT" });
    },
  );

  test.each(["weird", "task", 5, null])("when its result is a %j", async (resultType) => {
    const { client, wire } = await answering();
    const called = client.callTool({ name: "t" });
    wire.receive(result((await wire.next()).id ?? "", { resultType, content: [] }));
    await expect(called).rejects.toMatchObject({ code: "INVALID_RESULT" });
  });

  test("not when the result has no tag", async () => {
    const { client, wire } = await answering();
    const called = client.callTool({ name: "t" });
    wire.receive(result((await wire.next()).id ?? "", { content: [] }));
    expect(await called).toEqual({ resultType: "complete", content: [] });
  });

  test.each([
    [undefined, 10],
    [2, 2],
    [0, 0],
  ])("after too many rounds: %s", async (maxRounds, rounds) => {
    const { client, wire } = await answering({ ...everything, ...(maxRounds !== undefined && { maxRounds }) });
    const called = client.callTool({ name: "t" });
    called.catch(() => undefined);
    for (let round = 0; round <= rounds; round++)
      wire.receive(required((await wire.next()).id ?? "", { a: roots }, "s"));
    await expect(called).rejects.toMatchObject({ code: "INPUT_REQUIRED_ROUNDS_EXCEEDED" });
    expect(wire.sent).toEqual([]);
  });

  test("when a handler fails: the other handlers are aborted, and nothing is sent", async () => {
    const { client, wire } = await answering();
    const reasons: unknown[] = [];
    client.setRequestHandler(
      "sampling/createMessage",
      (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => reasons.push(signal.reason))),
    );
    const failure = new Error("the user has left");
    client.setRequestHandler("elicitation/create", () => Promise.reject(failure));
    const called = client.callTool({ name: "t" });
    wire.receive(required((await wire.next()).id ?? "", { a: sample, b: form }, "s"));
    await expect(called).rejects.toBe(failure);
    expect(reasons).toEqual([failure]);
    expect(await wire.rest()).toEqual([]);
  });

  test("when the content does not match the form", async () => {
    const { client, wire } = await answering();
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { age: "seven" } }));
    const called = client.callTool({ name: "t" });
    wire.receive(required((await wire.next()).id ?? "", { who: form }));
    await expect(called).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
  });

  test.each([{ foo: 1 }, { role: "assistant", content: "hi", model: "m" }])(
    "when a handler returns %j",
    async (given) => {
      const { client, wire } = await answering();
      client.setRequestHandler("sampling/createMessage", () => given as never);
      const called = client.callTool({ name: "t" });
      wire.receive(required((await wire.next()).id ?? "", { what: sample }));
      await expect(called).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
      expect(await wire.rest()).toEqual([]);
    },
  );

  describe("when maxTotalMs has passed,", () => {
    const limits = { maxTotalMs: 40 };
    const late = { code: "REQUEST_TIMEOUT", data: { maxTotalMs: 40 } };

    test("while the user is asked", async () => {
      const { client, wire } = await answering();
      const reasons: unknown[] = [];
      client.setRequestHandler(
        "elicitation/create",
        (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => reasons.push(signal.reason))),
      );
      const called = client.callTool({ name: "t" }, limits);
      wire.receive(required((await wire.next()).id ?? "", { a: form }));
      await expect(called).rejects.toMatchObject(late);
      expect(reasons).toMatchObject([late]);
    });

    test("while the client pauses", async () => {
      const { client, wire } = await answering();
      const called = client.callTool({ name: "t" }, limits);
      wire.receive(required((await wire.next()).id ?? "", undefined, "later"));
      await expect(called).rejects.toMatchObject(late);
      expect(wire.take()).toEqual([]);
    });

    test("while it waits for the last of several responses", async () => {
      const { client, wire } = await answering();
      const begun = performance.now();
      const called = client.callTool({ name: "t" }, { maxTotalMs: 1_000 });
      called.catch(() => undefined);
      const { id = "" } = await wire.next();
      await new Promise((resolve) => setTimeout(resolve, 700));
      wire.receive(required(id, { a: roots }));
      await wire.next();
      await expect(called).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
      expect(performance.now() - begun).toBeLessThan(1_600);
    });
  });

  test("when the retry is rejected", async () => {
    const { client, wire } = await answering();
    const called = client.callTool({ name: "t" });
    wire.receive(required((await wire.next()).id ?? "", { a: roots }, "s"));
    wire.receive(error((await wire.next()).id ?? "", -32602, "Invalid or expired requestState"));
    await expect(called).rejects.toMatchObject({ code: -32602 });
  });

  test("when it is aborted while the user is asked, or during a pause", async () => {
    for (const asked of [{ a: form }, undefined]) {
      const { client, wire } = await answering();
      client.setRequestHandler(
        "elicitation/create",
        (_, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
      );
      const controller = new AbortController();
      const called = client.callTool({ name: "t" }, { signal: controller.signal });
      called.catch(() => undefined);
      wire.receive(required((await wire.next()).id ?? "", asked, "s"));
      await idle();
      controller.abort(new Error("enough"));
      await expect(called).rejects.toThrow("enough");
      expect(await wire.rest()).toEqual([]);
    }
  });
});

test("declined and cancelled forms are sent without content", async () => {
  for (const action of ["decline", "cancel"] as const) {
    const { client, wire } = await answering();
    client.setRequestHandler("elicitation/create", () => ({ action, content: { name: "secret" } }));
    const called = client.callTool({ name: "t" });
    wire.receive(required((await wire.next()).id ?? "", { who: form, page: url }));
    const { id, params } = await nextParams(wire);
    expect(params["inputResponses"]).toEqual({ who: { action }, page: { action } });
    wire.receive(complete(id));
    await called;
  }
});

test("an accepted URL is sent without content, too", async () => {
  const { client, wire, seen } = await answering();
  const called = client.callTool({ name: "t" });
  wire.receive(required((await wire.next()).id ?? "", { page: url }));
  const { id, params } = await nextParams(wire);
  expect(params["inputResponses"]).toEqual({ page: { action: "accept" } });
  expect(seen).toEqual([url.params]);
  wire.receive(complete(id));
  await called;
});
