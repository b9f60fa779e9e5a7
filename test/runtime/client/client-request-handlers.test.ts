import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ClientOptions, ServerRequestMap } from "../../../runtime/src/client.js";
import { ProtocolError } from "../../../runtime/src/jsonrpc/errors.js";
import type { MessageExtra } from "../../../runtime/src/transport/message-extra.js";
import { connectClient, handshakeEra, R1, R2, R3, R4 } from "../connection/connection-ends.js";
import { error, idle, notification, request, result } from "../connection/wire.js";

const requestedSchema = {
  type: "object",
  properties: { name: { type: "string", default: "Ann" }, agree: { type: "boolean", default: true } },
};
const form = { message: "Who?", requestedSchema };
const url = { mode: "url", message: "Sign in", url: "https://x.test/", elicitationId: "e" };
const text = { type: "text", text: "hi" } as const;
const sample = { messages: [{ role: "user", content: text }], maxTokens: 1 };
const said = { role: "assistant", content: text, model: "m" } as const;
const tools = [{ name: "t", inputSchema: { type: "object" } }];
const use = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "t", input: {} }] };

type Answer<Method extends keyof ServerRequestMap> = () =>
  ServerRequestMap[Method]["result"] | Promise<ServerRequestMap[Method]["result"]>;

async function answering(
  revision: string,
  capabilities: NonNullable<ClientOptions["capabilities"]>,
  elicit: Answer<"elicitation/create"> = () => ({ action: "accept", content: {} }),
) {
  const ends = await connectClient(revision, { capabilities });
  if (capabilities.elicitation) ends.client.setRequestHandler("elicitation/create", elicit);
  if (capabilities.sampling) ends.client.setRequestHandler("sampling/createMessage", () => said);
  return ends;
}

describe("a client responds to requests of declared capabilities", () => {
  const both = { name: "Ann", agree: true };
  test.each<[string, string, NonNullable<ClientOptions["capabilities"]>, string, object | undefined, object]>([
    ["roots", R2, { roots: {} }, "roots/list", undefined, { roots: [] }],
    ["a message", R3, { sampling: {} }, "sampling/createMessage", sample, said],
    [
      "a form, with its defaults",
      R4,
      { elicitation: {} },
      "elicitation/create",
      form,
      { action: "accept", content: both },
    ],
    [
      "a form by name",
      R4,
      { elicitation: { form: {} } },
      "elicitation/create",
      { mode: "form", ...form },
      { action: "accept", content: both },
    ],
    ["a URL, without content", R4, { elicitation: { url: {} } }, "elicitation/create", url, { action: "accept" }],
    ["tools to sample with", R4, { sampling: { tools: {} } }, "sampling/createMessage", { ...sample, tools }, said],
    // Servers must not send the following members; clients ignore them.
    ["a task, when it declared none", R4, { sampling: {} }, "sampling/createMessage", { ...sample, task: {} }, said],
    [
      "a form as a task, when it declared none",
      R4,
      { elicitation: {} },
      "elicitation/create",
      { ...form, task: { ttl: 1 } },
      { action: "accept", content: both },
    ],
    [
      "a context, when it declared none",
      R4,
      { sampling: {} },
      "sampling/createMessage",
      { ...sample, includeContext: "thisServer" },
      said,
    ],
  ])("%s (%s)", async (_, revision, capabilities, method, params, answer) => {
    const { wire } = await answering(revision, capabilities);
    expect(await wire.ask(1, method, params)).toEqual(result(1, answer));
  });

  test("a revision without filled-in defaults: content is unchanged", async () => {
    const { wire } = await answering(R3, { elicitation: {} });
    expect(
      await wire.ask(1, "elicitation/create", {
        ...form,
        requestedSchema: { type: "object", properties: { agree: { type: "boolean", default: true } } },
      }),
    ).toEqual(result(1, { action: "accept", content: {} }));
  });

  test.each(["decline", "cancel"] as const)("%s, without content", async (action) => {
    const { wire } = await answering(R4, { elicitation: {} }, () => ({ action, content: { name: "secret" } }));
    expect(await wire.ask(1, "elicitation/create", form)).toEqual(result(1, { action }));
  });
});

describe("a client rejects", () => {
  test.each<[string, string, NonNullable<ClientOptions["capabilities"]>, string, object | undefined, number]>([
    ["a request of an undeclared capability", R4, {}, "elicitation/create", form, -32601],
    ["undeclared roots", R4, {}, "roots/list", undefined, -32601],
    ["undeclared sampling", R4, { roots: {} }, "sampling/createMessage", sample, -32601],
    ["a request that the revision lacks", R2, { elicitation: {} }, "elicitation/create", form, -32601],
    ["a URL, when it declared only forms", R4, { elicitation: {} }, "elicitation/create", url, -32602],
    ["a URL, when it declared forms by name", R4, { elicitation: { form: {} } }, "elicitation/create", url, -32602],
    ["a form, when it declared URLs", R4, { elicitation: { url: {} } }, "elicitation/create", form, -32602],
    ["tools, when it declared none", R4, { sampling: {} }, "sampling/createMessage", { ...sample, tools }, -32602],
    [
      "a choice of tools, when it declared none",
      R4,
      { sampling: {} },
      "sampling/createMessage",
      { ...sample, toolChoice: { mode: "auto" } },
      -32602,
    ],
    [
      "the use of a tool without its result",
      R4,
      { sampling: { tools: {} } },
      "sampling/createMessage",
      { ...sample, messages: [use], tools },
      -32602,
    ],
    ["params of another shape", R4, { sampling: {} }, "sampling/createMessage", { messages: [] }, -32602],
    ["no params", R4, { elicitation: {} }, "elicitation/create", undefined, -32602],
  ])("%s", async (_, revision, capabilities, method, params, code) => {
    const { wire } = await answering(revision, capabilities);
    expect(await wire.ask(1, method, params)).toMatchObject({ id: 1, error: { code } });
  });

  test("with the code of its own handler, when the user declines", async () => {
    const { wire } = await answering(R4, { elicitation: {} }, () =>
      Promise.reject(new ProtocolError(-1, "User rejected")),
    );
    expect(await wire.ask(1, "elicitation/create", form)).toEqual(error(1, -1, "User rejected"));
  });

  test("to send an invalid result, and reports it locally", async () => {
    const { wire, errors } = await answering(R4, { elicitation: {} }, () => ({
      action: "accept",
      content: { name: 5 },
    }));
    expect(await wire.ask(1, "elicitation/create", form)).toEqual(error(1, -32603, "Internal error"));
    expect(errors).toMatchObject([{ code: "INVALID_CONFIGURATION" }]);
  });
});

describe("results are converted to the server's revision", () => {
  const audio = { type: "audio", data: "", mimeType: "audio/wav" };
  const used = { type: "tool_use", id: "1", name: "t", input: {} };
  const assistant = (content: unknown): object => ({ role: "assistant", content, model: "m" });

  async function answeredBy(revision: string, method: keyof ServerRequestMap, answer: unknown) {
    const ends = await connectClient(revision, {
      capabilities: { sampling: { tools: {} }, elicitation: {}, roots: {} },
    });
    ends.client.setRequestHandler(method, () => answer as never);
    const asked = { "sampling/createMessage": sample, "elicitation/create": form, "roots/list": undefined }[method];
    return { ...ends, answer: await ends.wire.ask(1, method, asked) };
  }

  test.each<[string, object, object | undefined]>([
    [R1, audio, undefined],
    [R2, audio, audio],
    [R4, [text, used], [text, used]],
  ])("%s: %j", async (revision, content, sent) => {
    const { answer } = await answeredBy(revision, "sampling/createMessage", assistant(content));
    if (sent) expect(answer).toEqual(result(1, assistant(sent)));
    else expect(answer.result).toMatchObject({ content: { type: "text" } });
  });

  test.each<[string, string, keyof ServerRequestMap, unknown]>([
    ["a list of blocks, in a revision without them", R3, "sampling/createMessage", assistant([text])],
    ["a tool use, in a revision without them", R3, "sampling/createMessage", assistant(used)],
    ["content that is a string", R4, "sampling/createMessage", assistant("hi")],
    ["no model", R4, "sampling/createMessage", { role: "assistant", content: text }],
    ["unrelated members", R4, "sampling/createMessage", { foo: 1 }],
    ["an unknown action", R4, "elicitation/create", { action: "yes" }],
    ["invalid roots", R4, "roots/list", { roots: [1] }],
    ["a root with another scheme", R4, "roots/list", { roots: [{ uri: "https://x.test/y" }] }],
    ["a root with .. segments", R4, "roots/list", { roots: [{ uri: "file:///a/../../etc" }] }],
  ])("%s (%s) is an invalid result, and reported locally", async (_, revision, method, given) => {
    const { answer, errors } = await answeredBy(revision, method, given);
    expect(answer).toEqual(error(1, -32603, "Internal error"));
    expect(errors).toMatchObject([{ code: expect.stringMatching(/^INVALID_(CONFIGURATION|RESULT)$/) as unknown }]);
  });
});

test("a handler needs its declared capability", async () => {
  const { client } = await connectClient(R4);
  expect(() => client.setRequestHandler("elicitation/create", () => ({ action: "cancel" }))).toThrow("elicitation");
  expect(() => client.addRoot({ uri: "file:///a" })).toThrow("roots");
  const { client: rooted } = await connectClient(R4, { capabilities: { roots: {} } });
  expect(() => rooted.addRoot({ uri: "file:///a/../../etc" })).toThrow("must be a file:// URI");
});

describe("notifications", () => {
  test.each(handshakeEra)("%s: reach their handlers with checked params; invalid ones do not", async (revision) => {
    const { client, wire, errors } = await connectClient(revision);
    const heard: unknown[] = [];
    client.setNotificationHandler("notifications/message", (params) => heard.push(params));
    wire.receive(notification("notifications/message", { level: "info", data: 1 }));
    wire.receive(notification("notifications/message", { level: "loud", data: 1 }));
    wire.receive(notification("notifications/message"));
    wire.receive(notification("notifications/no-such", {}));
    wire.receive(notification("notifications/initialized"));
    expect(await wire.rest()).toEqual([]);
    expect(heard).toEqual([{ level: "info", data: 1 }]);
    expect(errors).toMatchObject([{ code: -32602 }, { code: -32602 }]);
  });

  test("an error of a handler is reported", async () => {
    const { client, wire, errors } = await connectClient(R4);
    client.setNotificationHandler("notifications/message", () => {
      throw new Error("handler");
    });
    wire.receive(notification("notifications/message", { level: "info", data: 1 }));
    await idle();
    expect(errors).toMatchObject([{ message: "handler" }]);
  });

  test("notifications on a request's stream are also passed to the request", async () => {
    const { client, wire } = await connectClient(R4);
    const seen: unknown[] = [];
    const called = client.callTool({ name: "t" }, { onNotification: (one) => seen.push(one) });
    const { id = "" } = await wire.next();
    const message = notification("notifications/message", { level: "info", data: 1 });
    wire.receive(message, { relatedRequestId: id });
    wire.receive(message, { relatedRequestId: 99 });
    wire.receive(message);
    wire.receive(result(id, { content: [] }));
    wire.receive(message, { relatedRequestId: id });
    await called;
    expect(seen).toEqual([message]);
    expect(await wire.rest()).toEqual([]);
  });
});

describe("a call whose user is being asked", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  const limits = { timeoutMs: 50, maxTotalMs: 600 };

  async function asked(extra: (id: string | number) => MessageExtra | undefined) {
    let answer!: () => void;
    const ends = await answering(R4, { elicitation: {} }, async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { action: "cancel" };
    });
    const called = ends.client.callTool({ name: "t" }, limits);
    called.catch(() => undefined);
    const { id = "" } = await ends.wire.next();
    ends.wire.receive(request("q", "elicitation/create", form), extra(id));
    await vi.advanceTimersByTimeAsync(120);
    return { ...ends, called, id, answer };
  }

  test.each<[string, (id: string | number) => MessageExtra | undefined]>([
    ["on its stream", (relatedRequestId) => ({ relatedRequestId })],
    ["on the only channel", () => undefined],
  ])("waits for the user, %s; then its time-out restarts", async (_, extra) => {
    const { wire, called, id, answer } = await asked(extra);
    answer();
    expect((await wire.next()).id).toBe("q");
    wire.receive(result(id, { content: [] }));
    expect(await called).toMatchObject({ content: [] });
    const late = await asked(extra);
    const ended = expect(late.called).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    late.answer();
    expect((await late.wire.next()).id).toBe("q");
    await vi.advanceTimersByTimeAsync(60);
    await ended;
  });

  test("does not wait forever", async () => {
    const begun = performance.now();
    const { called } = await asked(() => undefined);
    const ended = called.catch((error: unknown) => ({ error, after: performance.now() - begun }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await ended).toEqual({ error: expect.objectContaining({ code: "REQUEST_TIMEOUT" }) as unknown, after: 600 });
  });

  test("does not wait for the user of another call", async () => {
    const { called } = await asked(() => ({ relatedRequestId: 99 }));
    await expect(called).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  });

  test("stops waiting when the server has cancelled its request", async () => {
    const { wire, called } = await asked(() => undefined);
    const ended = expect(called).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    wire.receive(notification("notifications/cancelled", { requestId: "q" }));
    await vi.advanceTimersByTimeAsync(60);
    await ended;
  });
});

test("the same request twice at once gets two responses", async () => {
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const { wire } = await answering(R4, { elicitation: {} }, async () => {
    await finished;
    return { action: "cancel" };
  });
  wire.receive(request(1, "elicitation/create", form));
  wire.receive(request("1", "elicitation/create", form));
  finish();
  expect((await wire.rest()).map(({ id }) => id)).toEqual([1, "1"]);
});
