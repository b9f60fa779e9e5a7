import { describe, expect, expectTypeOf, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { ProtocolError } from "../../../runtime/src/index.js";
import { McpServer, type ServerContext } from "../../../runtime/src/server.js";
import {
  clientOf,
  connect,
  errorOf,
  eras,
  handshakeEra,
  info,
  methods,
  revisions,
  settled,
  text,
  thrown,
} from "./pair.js";

type Question = (context: ServerContext) => Promise<unknown>;

/** A server whose only tool sends a test's request, and returns the response. */
function asking(question: Question) {
  const server = new McpServer(info, { onerror: () => undefined });
  server.registerTool("ask", {}, async (context) => text(JSON.stringify(await question(context))));
  return server;
}

const asked = { name: "ask" };
const message = { role: "user", content: { type: "text", text: "Hello" } } as const;
const answer = { role: "assistant", content: { type: "text", text: "Hi" }, model: "m" } as const;

describe("handlers need their declared capability", () => {
  test.each(["elicitation/create", "sampling/createMessage", "roots/list"] as const)("%s", (method) => {
    const feature = method.split("/", 1)[0] ?? "";
    const error = thrown(() => new Client(info).setRequestHandler(method, () => ({}) as never));
    expect(error).toMatchObject({ name: "SdkError", code: "CAPABILITY_NOT_SUPPORTED" });
    expect(error.message).toContain(`capabilities: { ${feature}: {} }`);
    new Client(info, { capabilities: { [feature]: {} } }).setRequestHandler(method, () => ({}) as never);
  });

  test("they have types", () => {
    const client = new Client(info, { capabilities: { elicitation: {}, sampling: {} } });
    client.setRequestHandler("elicitation/create", (params, { signal }) => {
      expectTypeOf(params.message).toBeString();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      return { action: "cancel" };
    });
    client.setRequestHandler("sampling/createMessage", ({ maxTokens }) => {
      expectTypeOf(maxTokens).toBeNumber();
      return answer;
    });
  });
});

test.each(handshakeEra)("%s: without a handler the method does not exist", async (revision) => {
  const { connection } = await connect(new McpServer(info), revision, { capabilities: { sampling: {} } });
  await settled();
  const call = connection.request("sampling/createMessage", { messages: [message], maxTokens: 1 });
  expect(await errorOf(call)).toMatchObject({ code: -32601 });
});

test("2026-07-28: without a handler, the call that requests input fails", async () => {
  const server = asking((context) => context.sample("k", { messages: [message], maxTokens: 1 }));
  const { client } = await connect(server, "2026-07-28", { capabilities: { sampling: {} } });
  expect(await errorOf(client.callTool(asked))).toMatchObject({ code: "INPUT_REQUIRED_UNSUPPORTED" });
});

describe.each(["2025-11-25", "2026-07-28"] as const)("%s: elicitation", (revision) => {
  const requestedSchema = {
    type: "object",
    properties: {
      name: { type: "string", minLength: 2, default: "Anna" },
      age: { type: "integer", minimum: 0 },
      colours: { type: "array", items: { type: "string", enum: ["red", "blue"] }, default: ["red"] },
    },
    required: ["name", "age"],
  } as const;

  async function answered(result: object) {
    const server = asking((context) => context.elicit("k", { message: "Who?", requestedSchema } as never));
    const { client } = await connect(server, revision, { capabilities: { elicitation: {} } }, (made) =>
      made.setRequestHandler("elicitation/create", () => result as never),
    );
    return client;
  }

  test.each([
    [
      "defaults are filled in",
      { action: "accept", content: { age: 3 } },
      { action: "accept", content: { age: 3, name: "Anna", colours: ["red"] } },
    ],
    [
      "entered values take precedence",
      { action: "accept", content: { age: 3, name: "Bob", colours: [] } },
      { action: "accept", content: { age: 3, name: "Bob", colours: [] } },
    ],
    ["a declined form has no content", { action: "decline", content: { age: 3 } }, { action: "decline" }],
    ["nor has a dismissed one", { action: "cancel" }, { action: "cancel" }],
  ])("%s", async (_name, given, told) => {
    const result = await (await answered(given)).callTool(asked);
    expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(told);
  });

  test.each([
    ["something required is missing", { action: "accept", content: {} }, "/age"],
    ["a value is of another type", { action: "accept", content: { age: "3" } }, "/age"],
    ["a value breaks a bound", { action: "accept", content: { age: 3, name: "x" } }, "/name"],
    ["a choice was not offered", { action: "accept", content: { age: 3, colours: ["green"] } }, "/colours/0"],
    ["the handler returns nothing", undefined, "must return an object"],
  ])("a result in which %s is not sent to the server", async (_name, given, place) => {
    const problems: Error[] = [];
    const server = asking((context) => context.elicit("k", { message: "Who?", requestedSchema } as never));
    const { client, wire } = await connect(
      server,
      revision,
      { capabilities: { elicitation: {} }, onerror: (error) => problems.push(error) },
      (made) => made.setRequestHandler("elicitation/create", () => given as never),
    );
    if (revision === "2026-07-28") {
      const error = await errorOf(client.callTool(asked));
      expect(error).toMatchObject({ code: "INVALID_CONFIGURATION" });
      expect(error.message).toContain(place);
    } else {
      expect(await client.callTool(asked)).toMatchObject({ isError: true });
      expect(problems[0]?.message).toContain(place);
    }
    expect(
      wire.filter(({ direction }) => direction === "out").some(({ result }) => result?.["action"] === "accept"),
    ).toBe(false);
  });

  test("the server and the client reject an undeclared mode", async () => {
    const url = { mode: "url" as const, message: "Log in", url: "https://x.test/login" };
    const seen: string[] = [];
    const server = asking(async (context) => {
      await context.elicit("k", url);
    });
    const { client, connection } = await connect(
      server,
      revision,
      { capabilities: { elicitation: { form: {} } } },
      (made) =>
        made.setRequestHandler("elicitation/create", ({ message: words }) => {
          seen.push(words);
          return { action: "accept" };
        }),
    );
    const call = client.callTool(asked);
    if (revision === "2026-07-28")
      expect(await errorOf(call)).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: { url: {} } } },
      });
    else {
      expect(await call).toMatchObject({ isError: true });
      // A server that skips the connection's own check.
      void connection.transport.send({
        jsonrpc: "2.0",
        id: 99,
        method: "elicitation/create",
        params: { ...url, elicitationId: "1" },
      });
      await settled();
    }
    expect(seen).toEqual([]);
  });

  test("a client that only opens URLs is not sent forms", async () => {
    const server = asking((context) => context.elicit("k", { message: "Who?", requestedSchema } as never));
    const { client } = await connect(server, revision, { capabilities: { elicitation: { url: {} } } }, (made) =>
      made.setRequestHandler("elicitation/create", () => ({ action: "accept" })),
    );
    const call = client.callTool(asked);
    if (revision === "2026-07-28") expect(await errorOf(call)).toMatchObject({ code: -32021 });
    else expect(await call).toMatchObject({ isError: true });
  });

  test("the user visits a URL", async () => {
    const seen: unknown[] = [];
    const server = asking((context) =>
      context.elicit("k", { mode: "url", message: "Log in", url: "https://x.test/" } as never),
    );
    const { client } = await connect(server, revision, { capabilities: { elicitation: { url: {} } } }, (made) =>
      made.setRequestHandler("elicitation/create", (params) => {
        seen.push(params.mode, (params as { url?: string }).url);
        return { action: "accept", content: { ignored: true } };
      }),
    );
    expect(await client.callTool(asked)).toMatchObject(text('{"action":"accept"}'));
    expect(seen).toEqual(["url", "https://x.test/"]);
  });
});

test("2025-06-18 has defaults only for booleans, and fills in none", async () => {
  const properties = { sure: { type: "boolean", default: true } };
  const server = asking((context) =>
    context.elicit("k", { message: "?", requestedSchema: { type: "object", properties } } as never),
  );
  const { client } = await connect(server, "2025-06-18", { capabilities: { elicitation: {} } }, (made) =>
    made.setRequestHandler("elicitation/create", () => ({ action: "accept" })),
  );
  expect(await client.callTool(asked)).toMatchObject(text('{"action":"accept","content":{}}'));
});

describe.each(eras)("%s: sampling", (revision) => {
  const use = { type: "tool_use", id: "1", name: "t", input: {} } as const;
  const result = { type: "tool_result", toolUseId: "1", content: [] } as const;
  const tools = [{ name: "t", inputSchema: { type: "object" } }];

  async function sampling(capabilities: object, params: object) {
    const seen: unknown[] = [];
    const server = asking((context) => context.sample("k", { messages: [message], maxTokens: 1, ...params }));
    const { client } = await connect(server, revision, { capabilities: { sampling: capabilities } }, (made) =>
      made.setRequestHandler("sampling/createMessage", (asks) => {
        seen.push(asks.tools);
        return answer;
      }),
    );
    return { call: client.callTool(asked), seen };
  }

  test("with tools, if they are declared", async () => {
    const { call, seen } = await sampling({ tools: {} }, { tools, toolChoice: { mode: "auto" } });
    expect(await call).toMatchObject(text(JSON.stringify(answer)));
    expect(seen).toEqual([tools]);
  });

  test.each([
    ["tools", { tools }],
    ["context of this server", { includeContext: "thisServer" }],
  ])("with %s, if it is not declared", async (_name, params) => {
    const { call, seen } = await sampling({}, params);
    if (revision === "2026-07-28") expect(await errorOf(call)).toMatchObject({ code: -32021 });
    else expect(await call).toMatchObject({ isError: true });
    expect(seen).toEqual([]);
  });

  test.each([
    ["balance", [message, { role: "assistant", content: [use] }, { role: "user", content: [result] }], true],
    ["lack a result", [message, { role: "assistant", content: [use] }, message], false],
    ["end with a use", [message, { role: "assistant", content: [use] }], false],
    [
      "mix",
      [message, { role: "assistant", content: [use] }, { role: "user", content: [result, message.content] }],
      false,
    ],
  ])("tool uses and results that %s", async (_name, messages, legal) => {
    const { call, seen } = await sampling({ tools: {} }, { messages, tools });
    if (legal) expect(await call).toMatchObject(text(JSON.stringify(answer)));
    else expect(await call).toMatchObject({ isError: true });
    expect(seen).toHaveLength(legal ? 1 : 0);
  });

  test("a user who declines", async () => {
    const server = asking((context) => context.sample("k", { messages: [message], maxTokens: 1 }));
    const { client } = await connect(server, revision, { capabilities: { sampling: {} } }, (made) =>
      made.setRequestHandler("sampling/createMessage", () => {
        throw new ProtocolError(-1, "User rejected sampling request");
      }),
    );
    const call = client.callTool(asked);
    if (revision === "2026-07-28") expect(await errorOf(call)).toMatchObject({ code: -1 });
    else expect(await call).toMatchObject({ ...text("User rejected sampling request"), isError: true });
  });
});

test.each(eras)(
  "%s: a connection that ends while the user is asked ends the call and the request",
  async (revision) => {
    let asks!: (signal: AbortSignal) => void;
    const question = new Promise<AbortSignal>((resolve) => (asks = resolve));
    const server = asking((context) => context.sample("k", { messages: [message], maxTokens: 1 }));
    const { client } = await connect(server, revision, { capabilities: { sampling: {} } }, (made) =>
      made.setRequestHandler("sampling/createMessage", (_params, { signal }) => {
        asks(signal);
        return new Promise(() => undefined);
      }),
    );
    const call = errorOf(client.callTool(asked));
    const signal = await question;
    await client.close();
    expect(await call).toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(signal.reason).toMatchObject({ code: "CONNECTION_CLOSED" });
  },
);

describe.each(revisions)("%s: roots", (revision) => {
  const rootsOf = (context: ServerContext) => context.listRoots("k");
  test("can be added and removed", async () => {
    const { client, wire } = await connect(asking(rootsOf), revision, {
      capabilities: { roots: { listChanged: true } },
    });
    const roots = async () =>
      JSON.parse(((await client.callTool(asked)).content[0] as { text: string }).text) as unknown;
    expect(await roots()).toEqual({ roots: [] });
    client.addRoot({ uri: "file:///a", name: "A" });
    client.addRoot({ uri: "file:///b" });
    client.addRoot({ uri: "file:///a", name: "A again" });
    expect(await roots()).toEqual({ roots: [{ uri: "file:///a", name: "A again" }, { uri: "file:///b" }] });
    client.removeRoot("file:///a");
    client.removeRoot("file:///unknown");
    expect(await roots()).toEqual({ roots: [{ uri: "file:///b" }] });
    const told = methods(wire, "out").filter((method) => method === "notifications/roots/list_changed");
    expect(told).toHaveLength(revision === "2026-07-28" ? 0 : 4);
  });

  test("changes are reported only if that is declared", async () => {
    const { client, wire } = await connect(asking(rootsOf), revision, { capabilities: { roots: {} } });
    client.addRoot({ uri: "file:///a" });
    await settled();
    expect(methods(wire, "out")).toEqual([]);
  });

  test("a handler of the host takes precedence", async () => {
    const { client } = await connect(asking(rootsOf), revision, { capabilities: { roots: {} } }, (made) =>
      made.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///own" }] })),
    );
    expect(await client.callTool(asked)).toMatchObject(text('{"roots":[{"uri":"file:///own"}]}'));
  });
});

test.each(["https://x.test/", "/work", "file:work", "", "FILE"])("%j is not a valid root", (uri) => {
  const { client } = clientOf("2025-11-25", { capabilities: { roots: {} } });
  expect(thrown(() => client.addRoot({ uri }))).toMatchObject({ code: "INVALID_CONFIGURATION" });
});

test("roots need their capability", () => {
  const { client } = clientOf("2025-11-25");
  expect(thrown(() => client.addRoot({ uri: "file:///a" }))).toMatchObject({ code: "CAPABILITY_NOT_SUPPORTED" });
});

test("2026-07-28: the caller may answer the input requests itself", async () => {
  const server = asking((context) => context.sample("k", { messages: [message], maxTokens: 1 }));
  const { client } = await connect(server, "2026-07-28", { capabilities: { sampling: {} } });
  const first = await client.callTool(asked, { allowInputRequired: true });
  if (first.resultType !== "input_required") throw new Error("nothing was asked");
  expect(first.inputRequests).toMatchObject({ k: { method: "sampling/createMessage" } });
  const { requestState } = first;
  if (requestState === undefined) throw new Error("there is no state");
  const second = await client.callTool({ ...asked, requestState, inputResponses: { k: answer } });
  expect(second).toMatchObject(text(JSON.stringify(answer)));
});
