import { describe, expect, test } from "vitest";
import type { CreateMessageRequestParams } from "../../../runtime/src/authoring.js";
import { UrlElicitationRequiredError } from "../../../runtime/src/jsonrpc/errors.js";
import { inputRequired, McpServer } from "../../../runtime/src/server.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import {
  call,
  initialize,
  modern,
  openOf,
  R1,
  R2,
  R3,
  R4,
  R5,
  serve,
  serverInfo,
  serveSession,
} from "../connection/connection-ends.js";
import { error, idle, notification, request, result, Wire } from "../connection/wire.js";

const form = {
  message: "Who?",
  requestedSchema: {
    type: "object" as const,
    properties: { name: { type: "string" as const, minLength: 2 } },
    required: ["name"],
  },
};
const url = { mode: "url" as const, message: "Sign in", url: "https://x.test/connect" };
const sample: CreateMessageRequestParams = {
  messages: [{ role: "user", content: { type: "text", text: "hi" } }],
  maxTokens: 10,
};
const said = { role: "assistant", content: { type: "text", text: "hello" }, model: "m", stopReason: "endTurn" };
const tools = [{ name: "t", inputSchema: { type: "object" as const } }];

type Ask = (ctx: ServerContext) => Promise<unknown>;
const elicit: Ask = (ctx) => ctx.elicit("q", form);
const visit: Ask = (ctx) => ctx.elicit("q", url);

/** Creates a session whose tool requests input and records the outcome. */
async function session(revision: string, capabilities: object, ask: Ask) {
  const seen: { answer?: unknown; error?: { code?: unknown; data?: unknown; message: string } } = {};
  const served = await serveSession(
    revision,
    {},
    {
      "tools/call": async (_: unknown, ctx: ServerContext) => {
        try {
          seen.answer = await ask(ctx);
        } catch (problem) {
          seen.error = problem as Error;
        }
        return { content: [] };
      },
    },
    capabilities,
  );
  served.wire.receive(call("c", revision));
  await idle();
  return { ...served, seen };
}

describe("capabilities of the client, in the negotiated version", () => {
  const lacks = (requiredCapabilities: object) => requiredCapabilities;
  test.each<[string, string, object, Ask, object | undefined]>([
    ["elicitation does not exist in", R1, { elicitation: {} }, elicit, lacks({ elicitation: {} })],
    ["elicitation does not exist in", R2, { elicitation: {} }, elicit, lacks({ elicitation: {} })],
    ["{} declares forms in", R3, { elicitation: {} }, elicit, undefined],
    ["{ form } declares forms in", R3, { elicitation: { form: {} } }, elicit, undefined],
    [
      "{ url } does not declare forms in",
      R3,
      { elicitation: { url: {} } },
      elicit,
      lacks({ elicitation: { form: {} } }),
    ],
    ["{ url } does not declare URLs in", R3, { elicitation: { url: {} } }, visit, lacks({ elicitation: { url: {} } })],
    ["nothing is declared in", R3, {}, elicit, lacks({ elicitation: {} })],
    ["{} declares forms in", R4, { elicitation: {} }, elicit, undefined],
    ["{} does not declare URLs in", R4, { elicitation: {} }, visit, lacks({ elicitation: { url: {} } })],
    ["{ form } declares forms in", R4, { elicitation: { form: {} } }, elicit, undefined],
    [
      "{ form } does not declare URLs in",
      R4,
      { elicitation: { form: {} } },
      visit,
      lacks({ elicitation: { url: {} } }),
    ],
    [
      "{ url } does not declare forms in",
      R4,
      { elicitation: { url: {} } },
      elicit,
      lacks({ elicitation: { form: {} } }),
    ],
    ["{ url } declares URLs in", R4, { elicitation: { url: {} } }, visit, undefined],
    ["both declare forms in", R4, { elicitation: { form: {}, url: {} } }, elicit, undefined],
    ["both declare URLs in", R4, { elicitation: { form: {}, url: {} } }, visit, undefined],
    ["sampling must be declared in", R1, {}, (ctx) => ctx.sample("q", sample), lacks({ sampling: {} })],
    ["sampling", R1, { sampling: {} }, (ctx) => ctx.sample("q", sample), undefined],
    [
      "sampling with tools does not exist in",
      R3,
      { sampling: { tools: {} } },
      (ctx) => ctx.sample("q", { ...sample, tools }),
      lacks({ sampling: { tools: {} } }),
    ],
    [
      "toolChoice does not exist in",
      R3,
      { sampling: { tools: {} } },
      (ctx) => ctx.sample("q", { ...sample, toolChoice: { mode: "none" } }),
      lacks({ sampling: { tools: {} } }),
    ],
    [
      "sampling with tools must be declared in",
      R4,
      { sampling: {} },
      (ctx) => ctx.sample("q", { ...sample, tools }),
      lacks({ sampling: { tools: {} } }),
    ],
    [
      "sampling with tools is declared",
      R4,
      { sampling: { tools: {} } },
      (ctx) => ctx.sample("q", { ...sample, tools }),
      undefined,
    ],
    [
      "toolChoice must be declared in",
      R4,
      { sampling: {} },
      (ctx) => ctx.sample("q", { ...sample, toolChoice: { mode: "none" } }),
      lacks({ sampling: { tools: {} } }),
    ],
    [
      "includeContext must be declared in",
      R4,
      { sampling: {} },
      (ctx) => ctx.sample("q", { ...sample, includeContext: "allServers" }),
      lacks({ sampling: { context: {} } }),
    ],
    [
      "includeContext none needs no capability in",
      R4,
      { sampling: {} },
      (ctx) => ctx.sample("q", { ...sample, includeContext: "none" }),
      undefined,
    ],
    ["roots must be declared in", R1, { sampling: {} }, (ctx) => ctx.listRoots("q"), lacks({ roots: {} })],
    ["roots", R2, { roots: {} }, (ctx) => ctx.listRoots("q"), undefined],
  ])("%s %s: %j", async (_, revision, capabilities, ask, missing) => {
    const { wire, seen } = await session(revision, capabilities, ask);
    if (missing) {
      expect(seen.error).toMatchObject({ code: -32602, data: { requiredCapabilities: missing } });
      expect(wire.take()).toEqual([result("c", { content: [] })]);
    } else expect(wire.take()).toMatchObject([{ id: 1 }]);
  });
});

describe("an input request", () => {
  test.each<[string, Ask, object, object, object]>([
    ["elicitation/create", elicit, { elicitation: {} }, form, { action: "accept", content: { name: "Ann" } }],
    ["elicitation/create", elicit, { elicitation: {} }, form, { action: "decline" }],
    ["sampling/createMessage", (ctx) => ctx.sample("q", sample), { sampling: {} }, sample, said],
  ])(
    "%s is sent unchanged, and its response is returned unchanged",
    async (method, ask, capabilities, params, answer) => {
      const { wire, seen } = await session(R4, capabilities, ask);
      expect(wire.take()).toEqual([request(1, method, params)]);
      wire.receive(result(1, answer));
      expect(await wire.next()).toEqual(result("c", { content: [] }));
      expect(seen).toEqual({ answer });
    },
  );

  test.each<[string, Ask, object]>([
    ["a declined form", elicit, { action: "decline", content: { name: 1 } }],
    ["a cancelled form", elicit, { action: "cancel", content: { name: "Ann" } }],
    ["a URL", (ctx) => ctx.elicit("q", { ...url, elicitationId: "e" }), { action: "accept", content: {} }],
  ])("returns no content for %s", async (_, ask, answer) => {
    const { wire, seen } = await session(R4, { elicitation: { form: {}, url: {} } }, ask);
    wire.receive(result(1, answer));
    await wire.next();
    await idle();
    expect(seen.answer).toEqual({ action: (answer as { action: string }).action });
  });

  test("is sent with its request", async () => {
    const { wire } = await session(R4, { elicitation: {} }, elicit);
    expect(wire.beside).toEqual([{ relatedRequestId: "c" }]);
  });

  test("rejects with the error of the client", async () => {
    const { wire, seen } = await session(R4, { sampling: {} }, (ctx) => ctx.sample("q", sample));
    wire.receive(error(1, -1, "User rejected sampling request"));
    await idle();
    expect(seen.error).toMatchObject({ name: "RemoteError", code: -1, message: "User rejected sampling request" });
  });

  test.each<[string, Ask, object]>([
    ["an invalid form", elicit, { action: "accept", content: { name: "A" } }],
    ["an incomplete form", elicit, { action: "accept", content: {} }],
    ["an unknown action", elicit, { action: "perhaps" }],
    [
      "a message without a model",
      (ctx) => ctx.sample("q", sample),
      { role: "assistant", content: { type: "text", text: "x" } },
    ],
    ["roots without a list", (ctx) => ctx.listRoots("q"), {}],
    [
      "a root elsewhere",
      (ctx) => ctx.listRoots("q"),
      { roots: [{ uri: "file:///a" }, { uri: "https://evil.test/x" }] },
    ],
  ])("rejects a response with %s", async (_, ask, answer) => {
    const { wire, seen } = await session(R4, { elicitation: {}, sampling: {}, roots: {} }, ask);
    wire.receive(result(1, answer));
    await idle();
    expect(seen.error).toMatchObject({ code: "INVALID_RESULT" });
  });

  const toolUse = {
    role: "assistant" as const,
    content: [{ type: "tool_use" as const, id: "1", name: "t", input: {} }],
  };
  const ofUse = (toolUseId: string) => ({ type: "tool_result" as const, toolUseId, content: [] });
  const toolResult = { role: "user" as const, content: [ofUse("1")] };
  test.each<[string, CreateMessageRequestParams["messages"], boolean]>([
    ["each use has its result", [toolUse, toolResult], true],
    ["a use without result", [toolUse], false],
    ["a result without use", [toolResult], false],
    ["another result", [toolUse, { ...toolResult, content: [ofUse("2")] }], false],
    [
      "a result between other things",
      [toolUse, { role: "user", content: [...toolResult.content, { type: "text", text: "x" }] }],
      false,
    ],
  ])("to the model with tools: %s", async (_, messages, sent) => {
    const { wire, seen } = await session(R4, { sampling: { tools: {} } }, (ctx) =>
      ctx.sample("q", { ...sample, messages, tools }),
    );
    if (sent) expect(wire.take()).toMatchObject([{ method: "sampling/createMessage", params: { messages } }]);
    else expect(seen.error).toMatchObject({ code: "CANNOT_ASK" });
  });

  test.each<[string, string, object, boolean]>([
    ["a nested object", R4, { a: { type: "object" } }, false],
    ["a default text", R4, { a: { type: "string", default: "x" } }, true],
    // That revision does not define the member, and clients ignore it.
    ["a default text", R3, { a: { type: "string", default: "x" } }, true],
    ["several choices", R3, { a: { type: "array", items: { type: "string", enum: ["x"] } } }, false],
    ["a default boolean", R3, { a: { type: "boolean", default: true } }, true],
  ])("with %s in its form, in %s", async (_, revision, properties, sent) => {
    const schema = { type: "object" as const, properties } as never;
    const { wire, seen } = await session(revision, { elicitation: {} }, (ctx) =>
      ctx.elicit("q", { message: "?", requestedSchema: schema }),
    );
    expect(wire.take()).toHaveLength(1);
    if (sent) expect(seen.error).toBeUndefined();
    else expect(seen.error).toMatchObject({ code: "CANNOT_ASK" });
  });

  const bad = (params: object) => (ctx: ServerContext) => ctx.elicit("q", params as never);
  test.each<[string, Ask, string]>([
    ["an invalid URL", bad({ ...url, url: "nonsense" }), "url must be"],
    ["a URL with a script", bad({ ...url, url: "javascript:alert(1)" }), "url must be"],
    ["a URL without message", bad({ ...url, message: undefined }), "message must be a string"],
    ["a form without message", bad({ ...form, message: undefined }), "message must be a string"],
    ["an unknown mode", bad({ ...form, mode: "voice" }), "mode must be"],
    ["no messages", (ctx) => ctx.sample("q", { maxTokens: 1 } as never), "messages must be"],
    ["no limit", (ctx) => ctx.sample("q", { messages: [] } as never), "maxTokens must be"],
  ])("with %s is not sent", async (_, ask, problem) => {
    const { wire, seen } = await session(R4, { elicitation: { form: {}, url: {} }, sampling: {} }, ask);
    expect(wire.take()).toEqual([result("c", { content: [] })]);
    expect(seen.error).toMatchObject({ code: "CANNOT_ASK", message: expect.stringContaining(problem) as string });
  });

  const many = [{ role: "user", content: [{ type: "text", text: "Hi" }] }];
  test.each<[string, string, object, string, object, string]>([
    [
      "a form of a client of URLs",
      R4,
      { elicitation: { url: {} } },
      "elicitation/create",
      form,
      "client.elicitation.form",
    ],
    ["a URL", R3, { elicitation: { url: {} } }, "elicitation/create", url, "client.elicitation.url"],
    ["tools", R3, { sampling: { tools: {} } }, "sampling/createMessage", { ...sample, tools }, "client.sampling.tools"],
    [
      "several blocks",
      R3,
      { sampling: {} },
      "sampling/createMessage",
      { ...sample, messages: many },
      "content must be a single block: this revision does not support arrays",
    ],
    [
      "a script for a URL",
      R4,
      { elicitation: { url: {} } },
      "elicitation/create",
      { ...url, url: "data:," },
      "url must be",
    ],
  ])(
    "that the low-level server sends: no %s, in %s of %j",
    async (_, revision, capabilities, method, params, problem) => {
      const { connection, wire } = await serveSession(revision, {}, {}, capabilities);
      await expect(connection.request(method, params)).rejects.toThrow(problem);
      expect(wire.sent).toEqual([]);
    },
  );

  test("is rejected before `initialized`", async () => {
    const { wire } = await serve(
      {},
      {
        "tools/call": async (_: unknown, ctx: ServerContext) => ({
          content: [],
          answer: await ctx.listRoots("q").catch((problem: unknown) => (problem as { code: string }).code),
        }),
      },
    );
    await wire.ask("i", "initialize", {
      protocolVersion: R4,
      capabilities: { roots: {} },
      clientInfo: { name: "c", version: "1" },
    });
    expect((await wire.ask(1, "tools/call", { name: "t" })).result?.["answer"]).toBe("CANNOT_ASK");
    wire.receive(notification("notifications/initialized"));
    wire.receive(request(2, "tools/call", { name: "t" }));
    expect((await wire.next()).method).toBe("roots/list");
  });

  test.each([
    ["tools/list", {}],
    ["logging/setLevel", { level: "info" }],
  ])("may be asked in %s as well", async (method, params) => {
    const { wire } = await serveSession(
      R4,
      { capabilities: { tools: {}, logging: {} } },
      { [method]: async (_: unknown, ctx: ServerContext) => ({ tools: [], ...(await ctx.listRoots("q")) }) },
      { roots: {} },
    );
    wire.receive(request("c", method, params));
    wire.receive(result((await wire.next()).id ?? "", { roots: [] }));
    expect(await wire.next()).toEqual(result("c", { tools: [], roots: [] }));
  });
});

describe("the three ways to request input, over requests", () => {
  const two = { a: inputRequired.elicit(form), b: inputRequired.elicit({ ...form, message: "And?" }) };
  const give = (given: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(given) }] });

  test.each<[string, (server: McpServer, count: () => void) => unknown]>([
    [
      "ask",
      (server, count) => server.registerTool("t", { inputRequests: () => two }, (_, given) => (count(), give(given))),
    ],
    [
      "inputRequired",
      (server, count) =>
        server.registerTool("t", {}, (ctx) => {
          if (!ctx.inputResponses) return inputRequired({ inputRequests: two, requestState: "mine" });
          count();
          return give({ ...ctx.inputResponses, state: ctx.requestState });
        }),
    ],
    [
      "await",
      (server, count) =>
        server.registerTool("t", {}, async (ctx) => {
          count();
          const [a, b] = await Promise.all([ctx.elicit("a", form), ctx.elicit("b", { ...form, message: "And?" })]);
          return give({ a, b });
        }),
    ],
  ])("%s", async (way, register) => {
    const server = new McpServer(serverInfo);
    let runs = 0;
    register(server, () => runs++);
    const wire = new Wire();
    await server.connect(wire);
    await initialize(wire, R4, { elicitation: {} });
    wire.receive(call("c", R4));
    const questions = [await wire.next(), await wire.next()];
    expect(questions.map(({ method, params }) => [method, params?.["message"]])).toEqual([
      ["elicitation/create", "Who?"],
      ["elicitation/create", "And?"],
    ]);
    wire.receive(result(questions[1]?.id ?? "", { action: "decline" }));
    wire.receive(result(questions[0]?.id ?? "", { action: "accept", content: { name: "Ann" } }));
    const answer = await wire.next();
    expect(answer.id).toBe("c");
    expect(JSON.parse((answer.result?.["content"] as [{ text: string }])[0].text)).toEqual({
      a: { action: "accept", content: { name: "Ann" } },
      b: { action: "decline" },
      ...(way === "inputRequired" && { state: "mine" }),
    });
    expect(answer.result).not.toHaveProperty("resultType");
    expect(runs).toBe(1);
  });

  test("stops at maxRounds", async () => {
    const { wire, errors, connection } = await serveSession(
      R4,
      { maxRounds: 2 },
      { "tools/call": () => inputRequired({ inputRequests: { a: inputRequired.elicit(form) } }) },
      { elicitation: {} },
    );
    wire.receive(call("c", R4));
    for (let round = 0; round < 2; round++) wire.receive(result((await wire.next()).id ?? "", { action: "cancel" }));
    expect(await wire.next()).toEqual(error("c", -32603, "Internal error"));
    expect(errors).toMatchObject([{ code: "INPUT_REQUIRED_ROUNDS_EXCEEDED" }]);
    expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
  });
});

describe("URLs", () => {
  const elicitations = [{ mode: "url" as const, message: "Sign in", url: "https://x.test/", elicitationId: "e1" }];
  const thrower = (): never => {
    throw new UrlElicitationRequiredError(elicitations);
  };

  test("each input request has an id, generated or set by the handler", async () => {
    const own = await session(R4, { elicitation: { url: {} } }, visit);
    expect((await own.wire.next()).params).toEqual({
      ...url,
      elicitationId: expect.stringMatching(/^[\w-]{36}$/) as string,
    });
    const given = await session(R4, { elicitation: { url: {} } }, (ctx) =>
      ctx.elicit("q", { ...url, elicitationId: "mine" }),
    );
    expect((await given.wire.next()).params).toEqual({ ...url, elicitationId: "mine" });
  });

  test.each([
    [R4, { elicitation: { url: {} } }, [notification("notifications/elicitation/complete", { elicitationId: "e1" })]],
    [R4, { elicitation: {} }, []],
    [R3, { elicitation: { url: {} } }, []],
  ])("sends the completion notification where the revision has it: %s, to %j", async (revision, capabilities, told) => {
    const { wire, connection } = await serveSession(revision, {}, {}, capabilities);
    connection.completeElicitation("e1");
    expect(await wire.rest()).toEqual(told);
  });

  const required = { code: -32042, message: "The user has to visit a URL first", data: { elicitations } };
  const failed = { code: -32603, message: "The user has to visit a URL first" };
  describe.each<[string, string, object, object]>([
    ["a client that opens them", R4, { elicitation: { url: {} } }, required],
    ["a client that does not", R4, { elicitation: {} }, failed],
    ["an older client", R3, { elicitation: { url: {} } }, failed],
    ["a client of the stateless era, which does not have this error", R5, { elicitation: { url: {} } }, failed],
  ])("that are required: %s", (_, revision, capabilities, answer) => {
    test.each([
      ["prompts/get", { name: "p" }],
      ["resources/read", { uri: "a:b" }],
      ["tools/call", { name: "t" }],
    ])("%s", async (method, params) => {
      const { wire } = await serve({ capabilities: { tools: {}, prompts: {}, resources: {} } }, { [method]: thrower });
      if (revision !== R5) await initialize(wire, revision, capabilities);
      const { error: refusal } = await wire.ask(1, method, revision === R5 ? modern(params, capabilities) : params);
      expect(refusal).toEqual(answer);
    });
  });

  test.each<[string, string, object, object]>([
    ["a client that opens them", R4, { elicitation: { url: {} } }, { error: required }],
    ["a client that does not", R4, { elicitation: {} }, { result: { isError: true } }],
    ["an older client", R2, {}, { result: { isError: true } }],
    [
      "a client of the stateless era",
      R5,
      { elicitation: { url: {} } },
      {
        result: {
          resultType: "input_required",
          inputRequests: { e1: { method: "elicitation/create", params: { mode: "url", url: "https://x.test/" } } },
        },
      },
    ],
    ["one that does not", R5, { elicitation: {} }, { error: { code: -32021 } }],
  ])("a registered tool that requires them: %s", async (_, revision, capabilities, answer) => {
    const server = new McpServer(serverInfo);
    server.registerTool("t", {}, thrower);
    const wire = new Wire();
    await server.connect(wire);
    if (revision !== R5) await initialize(wire, revision, capabilities);
    wire.receive(call(1, revision, "t", capabilities));
    expect(await wire.next()).toMatchObject({ id: 1, ...answer });
  });
});
