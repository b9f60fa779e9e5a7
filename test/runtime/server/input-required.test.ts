import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { inputRequired, McpServer, type McpServerOptions, type ServerContext } from "../../../runtime/src/server.js";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { modern, R5, serve, serverInfo, serverInfoKey, serverSide } from "../connection/connection-ends.js";
import { notification, request, Wire, type Message } from "../connection/wire.js";

const requestedSchema = {
  type: "object" as const,
  properties: { name: { type: "string" as const, minLength: 2 } },
  required: ["name"],
};
const form = { message: "Who are you?", requestedSchema };
const accepted = (name: unknown) => ({ action: "accept", content: { name } });

const inputSchema = z.looseObject({});

/** The three ways to request input: each tool requests a name and then returns the responses. */
const ways = ["ask", "inputRequired", "await"] as const;
type Way = (typeof ways)[number];

async function asking(way: Way, options: Partial<McpServerOptions> = {}) {
  const runs = { entered: 0, done: 0 };
  const server = new McpServer(serverInfo, { revisions: [serverSide(R5)], onerror: () => undefined, ...options });
  const say = (answer: unknown) => {
    runs.done++;
    return { content: [{ type: "text" as const, text: JSON.stringify(answer) }] };
  };
  if (way === "ask")
    server.registerTool(
      "t",
      { inputSchema, inputRequests: () => ({ who: inputRequired.elicit(form) }) },
      (_args, _, given) => {
        runs.entered++;
        return say(given.who);
      },
    );
  else if (way === "inputRequired")
    server.registerTool("t", { inputSchema }, (_, ctx) => {
      runs.entered++;
      const answer = ctx.inputResponses?.["who"];
      return answer
        ? say(answer)
        : inputRequired({ inputRequests: { who: inputRequired.elicit(form) }, requestState: { step: 1 } });
    });
  else
    server.registerTool("t", { inputSchema }, async (_, ctx) => {
      runs.entered++;
      return say(await ctx.elicit("who", form));
    });
  const wire = new Wire();
  await server.connect(wire);
  return { server, wire, runs };
}

interface Retry {
  readonly responses?: unknown;
  readonly state?: unknown;
  readonly name?: string;
  readonly args?: object;
  readonly method?: string;
  readonly principal?: { issuer: string; subject: string };
  readonly capabilities?: object;
}

let ids = 0;

/** Calls the tool, the first time or with responses. */
function calling(
  wire: Wire,
  {
    responses,
    state,
    name = "t",
    args,
    method = "tools/call",
    principal,
    capabilities = { elicitation: {} },
  }: Retry = {},
) {
  const own = {
    name,
    ...(args && { arguments: args }),
    ...(responses !== undefined && { inputResponses: responses }),
    ...(state !== undefined && { requestState: state }),
  };
  return wire.ask(++ids, method, modern(own, capabilities), principal && { principal });
}

const stateOf = ({ result }: Message): unknown => result?.["requestState"];
const text = ({ result }: Message): unknown =>
  JSON.parse((result?.["content"] as [{ text: string }] | undefined)?.[0].text ?? "null");
const kind = ({ result, error }: Message): unknown => error?.code ?? result?.["resultType"];

afterEach(() => void vi.useRealTimers());

describe.each(ways)("%s", (way) => {
  test("the first result contains the input request and a state", async () => {
    const { wire } = await asking(way);
    const first = await calling(wire);
    expect(first.result).toEqual({
      resultType: "input_required",
      inputRequests: {
        who: { method: "elicitation/create", params: way === "await" ? form : { ...form, mode: "form" } },
      },
      requestState: expect.stringMatching(/^v1\.local\.[\w-]+$/) as string,
      _meta: { [serverInfoKey]: serverInfo },
    });
    expect(JSON.stringify(first)).not.toContain("step");
  });

  test.each([accepted("Ann"), { action: "decline" }, { action: "cancel" }])(
    "accepts %j as a response",
    async (answer) => {
      const { wire, runs } = await asking(way);
      const second = await calling(wire, { state: stateOf(await calling(wire)), responses: { who: answer } });
      expect(kind(second)).toBe("complete");
      expect(text(second)).toEqual(answer);
      expect(runs).toEqual({ entered: way === "inputRequired" ? 2 : 1, done: 1 });
    },
  );

  test.each<[string, object]>([
    ["no responses", {}],
    ["only responses to other input requests", { whom: accepted("Ann"), constructor: accepted("Ann") }],
  ])("requests the input again with %s", async (_, responses) => {
    const { wire } = await asking(way);
    const first = await calling(wire);
    const second = await calling(wire, { state: stateOf(first), responses });
    expect(second.result?.["inputRequests"]).toEqual(first.result?.["inputRequests"]);
    expect(text(await calling(wire, { state: stateOf(second), responses: { who: accepted("Ann") } }))).toEqual(
      accepted("Ann"),
    );
  });

  test("requests the input again with only a state", async () => {
    const { wire } = await asking(way);
    const second = await calling(wire, { state: stateOf(await calling(wire)) });
    expect(kind(second)).toBe("input_required");
  });

  test("ignores keys without an input request", async () => {
    const { wire } = await asking(way);
    const responses = { who: accepted("Ann"), extra: accepted("Bob"), __proto__: null, other: { roots: [] } };
    const second = await calling(wire, { state: stateOf(await calling(wire)), responses });
    expect(text(second)).toEqual(accepted("Ann"));
  });

  test("omits the content of a form that was not accepted", async () => {
    const { wire } = await asking(way);
    const responses = { who: { action: "decline", content: { name: 5 } } };
    const second = await calling(wire, { state: stateOf(await calling(wire)), responses });
    expect(text(second)).toEqual({ action: "decline" });
  });

  const malformed: readonly [string, unknown][] = [
    ["a form without content", { action: "accept" }],
    ["a value of a wrong type", accepted(5)],
    ["a value that is too short", accepted("A")],
    ["a missing member", { action: "accept", content: {} }],
    ["a response of another kind", { roots: [] }],
  ];
  test.each(malformed)("requests the input once more after %s, then responds -32602", async (_, bad) => {
    const { wire, runs } = await asking(way);
    const second = await calling(wire, { state: stateOf(await calling(wire)), responses: { who: bad } });
    expect(kind(second)).toBe("input_required");
    const third = await calling(wire, { state: stateOf(second), responses: { who: bad } });
    expect(third.error?.code).toBe(-32602);
    expect(third.error?.message).toContain("who");
    expect(runs.done).toBe(0);
  });

  test("accepts a valid response after an invalid one", async () => {
    const { wire } = await asking(way);
    const second = await calling(wire, { state: stateOf(await calling(wire)), responses: { who: accepted("A") } });
    expect(text(await calling(wire, { state: stateOf(second), responses: { who: accepted("Ann") } }))).toEqual(
      accepted("Ann"),
    );
  });

  test.each([null, [], "x", 5])("inputResponses %j is -32602", async (responses) => {
    const { wire } = await asking(way);
    expect(kind(await calling(wire, { state: stateOf(await calling(wire)), responses }))).toBe(-32602);
  });

  test.each([null, 5, {}])("requestState %j is -32602", async (state) => {
    const { wire } = await asking(way);
    await calling(wire);
    expect(kind(await calling(wire, { state, responses: { who: accepted("Ann") } }))).toBe(-32602);
  });

  test(`responses without a state ${way === "ask" ? "match the current input requests" : "are ignored"}`, async () => {
    const { wire, runs } = await asking(way);
    const responses = { who: accepted("Ann"), "not asked": accepted("Eve") };
    expect(kind(await calling(wire, { responses }))).toBe(way === "ask" ? "complete" : "input_required");
    expect(runs.done).toBe(way === "ask" ? 1 : 0);
  });

  test("requests the input again after an invalid response without a state", async () => {
    const { wire, runs } = await asking(way);
    expect(kind(await calling(wire, { responses: { who: accepted(5) } }))).toBe("input_required");
    expect(runs.done).toBe(0);
  });

  const foreign: readonly [string, (state: string) => Retry][] = [
    [
      "a bit flipped",
      (state) => ({ state: state.slice(0, -9) + (state.at(-9) === "A" ? "B" : "A") + state.slice(-8) }),
    ],
    ["its end removed", (state) => ({ state: state.slice(0, -1) })],
    ["another key's name", (state) => ({ state: state.replace("local", "other") })],
    ["no characters", () => ({ state: "" })],
    ["another tool", (state) => ({ state, name: "u" })],
    ["other arguments", (state) => ({ state, args: { a: 1 } })],
    ["another principal", (state) => ({ state, principal: { issuer: "https://i.test", subject: "mallory" } })],
  ];
  test.each(foreign)("rejects a state with %s without a reason, and still accepts the original", async (_, wrong) => {
    const { wire } = await asking(way);
    const state = stateOf(await calling(wire)) as string;
    const responses = { who: accepted("Ann") };
    expect((await calling(wire, { responses, ...wrong(state) })).error).toEqual({
      code: -32602,
      message: "Invalid or expired requestState",
    });
    expect(text(await calling(wire, { state, responses }))).toEqual(accepted("Ann"));
  });

  test("binds a state to its principal", async () => {
    const { wire } = await asking(way);
    const principal = { issuer: "https://i.test", subject: "ann" };
    const state = stateOf(await calling(wire, { principal }));
    const responses = { who: accepted("Ann") };
    for (const other of [
      undefined,
      { issuer: "https://i.test", subject: "bob" },
      { issuer: "https://j.test", subject: "ann" },
    ])
      expect(kind(await calling(wire, { state, responses, ...(other && { principal: other }) }))).toBe(-32602);
    expect(text(await calling(wire, { state, responses, principal }))).toEqual(accepted("Ann"));
  });

  test("ignores the order of members and the metadata", async () => {
    const { wire } = await asking(way);
    const state = stateOf(await calling(wire, { args: { a: 1, b: { c: 1, d: 2 } } }));
    const retry = {
      _meta: { "com.example/x": 1, ...(modern({}, { elicitation: {} }) as { _meta: object })._meta },
      requestState: state,
      inputResponses: { who: accepted("Ann") },
      arguments: { b: { d: 2, c: 1 }, a: 1 },
      name: "t",
    };
    expect(text(await wire.ask(++ids, "tools/call", retry))).toEqual(accepted("Ann"));
  });

  test("rejects an expired state", async () => {
    const { wire } = await asking(way, { stateTtlMs: 1_000 });
    vi.useFakeTimers({ toFake: ["Date"] });
    const state = stateOf(await calling(wire));
    vi.setSystemTime(Date.now() + 1_000);
    expect(kind(await calling(wire, { state, responses: { who: accepted("Ann") } }))).toBe(-32602);
  });

  test("accepts a state until it expires", async () => {
    const { wire } = await asking(way, { stateTtlMs: 1_000 });
    vi.useFakeTimers({ toFake: ["Date"] });
    const state = stateOf(await calling(wire));
    vi.setSystemTime(Date.now() + 999);
    expect(kind(await calling(wire, { state, responses: { who: accepted("Ann") } }))).toBe("complete");
  });

  test("accepts the response on another connection of the process", async () => {
    const { wire, server } = await asking(way);
    const state = stateOf(await calling(wire));
    const other = new Wire();
    await server.connect(other);
    expect(text(await calling(other, { state, responses: { who: accepted("Ann") } }))).toEqual(accepted("Ann"));
    expect(await wire.rest()).toEqual([]);
  });

  test("stops at maxRounds", async () => {
    const { wire } = await asking(way, { maxRounds: 3 });
    let last = await calling(wire);
    for (let round = 2; round <= 3; round++) {
      last = await calling(wire, { state: stateOf(last), responses: {} });
      expect(kind(last)).toBe("input_required");
    }
    expect(kind(await calling(wire, { state: stateOf(last), responses: {} }))).toBe(-32603);
  });

  test("with a backplane, each state can be used once", async () => {
    const { wire, runs } = await asking(way, { backplane: new MemoryBackplane() });
    const retry = { state: stateOf(await calling(wire)), responses: { who: accepted("Ann") } };
    expect(kind(await calling(wire, retry))).toBe("complete");
    expect(kind(await calling(wire, retry))).toBe(-32602);
    expect(runs.done).toBe(1);
  });

  test("rejects a response of a client without the capability", async () => {
    const { wire } = await asking(way);
    const retry = { state: stateOf(await calling(wire)), responses: { who: accepted("Ann") } };
    expect(kind(await calling(wire, { ...retry, capabilities: {} }))).toBe(-32021);
  });

  test("sends no response to an immediately cancelled retry, and runs no handler", async () => {
    const { wire, runs } = await asking(way);
    const state = stateOf(await calling(wire));
    const before = runs.entered;
    const answers = { requestState: state, inputResponses: { who: accepted("Ann") } };
    wire.receive(request("r", "tools/call", modern({ name: "t", ...answers }, { elicitation: {} })));
    wire.receive(notification("notifications/cancelled", { requestId: "r" }));
    // When another state has been opened, the first one has been opened, too.
    await calling(wire, { state: "v1.local.AAAA" });
    expect(await wire.rest()).toEqual([]);
    expect(runs).toEqual({ entered: before, done: 0 });
  });

  test("keeps concurrent calls apart", async () => {
    const { wire } = await asking(way);
    const names = ["Ann", "Bob", "Cid", "Dot"];
    for (const name of names) wire.receive(request(name, "tools/call", modern({ name: "t" }, { elicitation: {} })));
    const first = await Promise.all(names.map(() => wire.next()));
    for (const one of [...first].reverse())
      wire.receive(
        request(
          `${String(one.id)} again`,
          "tools/call",
          modern(
            { name: "t", requestState: stateOf(one), inputResponses: { who: accepted(one.id) } },
            { elicitation: {} },
          ),
        ),
      );
    for (const _ of names) {
      const second = await wire.next();
      expect(second.id).toBe(`${(text(second) as { content: { name: string } }).content.name} again`);
    }
  });
});

describe("a retry that is sent twice", () => {
  test.each<[Way, unknown, number]>([
    ["await", -32602, 1],
    // Accepted by design: the state contains everything that is needed.
    ["ask", "complete", 2],
    ["inputRequired", "complete", 2],
  ])("%s", async (way, outcome, done) => {
    const { wire, runs } = await asking(way);
    const retry = { state: stateOf(await calling(wire)), responses: { who: accepted("Ann") } };
    expect(kind(await calling(wire, retry))).toBe("complete");
    expect(kind(await calling(wire, retry))).toBe(outcome);
    expect(runs.done).toBe(done);
  });

  test("concurrently resumes a waiting handler once", async () => {
    const { wire, runs } = await asking("await");
    const params = modern(
      { name: "t", requestState: stateOf(await calling(wire)), inputResponses: { who: accepted("Ann") } },
      { elicitation: {} },
    );
    wire.receive(request("a", "tools/call", params));
    wire.receive(request("b", "tools/call", params));
    const answers = [await wire.next(), await wire.next()];
    expect(answers.map(kind).sort()).toEqual([-32602, "complete"]);
    expect(runs).toEqual({ entered: 1, done: 1 });
  });
});

describe("keys", () => {
  const key = (fill: number) => new Uint8Array(32).fill(fill);
  const [k1, k2] = [
    { id: "k1", key: key(1) },
    { id: "k2", key: key(2) },
  ];
  const responses = { who: accepted("Ann") };

  test.each<[string, Partial<McpServerOptions>, Partial<McpServerOptions>, unknown]>([
    ["the same key", { stateKeys: [k1] }, { stateKeys: [k1] }, "complete"],
    ["a new key first", { stateKeys: [k1] }, { stateKeys: [k2, k1] }, "complete"],
    ["a new key second", { stateKeys: [k2, k1] }, { stateKeys: [k1, k2] }, "complete"],
    ["the old key removed", { stateKeys: [k1] }, { stateKeys: [k2] }, -32602],
    ["another key of the same name", { stateKeys: [k1] }, { stateKeys: [{ id: "k1", key: key(3) }] }, -32602],
    ["no key, within one process", {}, {}, "complete"],
  ])("a restarted server, with %s", async (_, before, after, outcome) => {
    for (const way of ["ask", "inputRequired"] as const) {
      const { wire } = await asking(way, before);
      const other = await asking(way, after);
      expect(kind(await calling(other.wire, { state: stateOf(await calling(wire)), responses }))).toBe(outcome);
    }
    // A waiting handler exists in one server only.
    const { wire } = await asking("await", before);
    const other = await asking("await", after);
    expect(kind(await calling(other.wire, { state: stateOf(await calling(wire)), responses }))).toBe(-32602);
  });

  test("the first key seals", async () => {
    const { wire } = await asking("ask", { stateKeys: [k2, k1] });
    expect(stateOf(await calling(wire))).toMatch(/^v1\.k2\./);
  });
});

describe("the state of a handler", () => {
  const both = { a: inputRequired.elicit(form), b: inputRequired.elicit({ ...form, message: "And then?" }) };

  test("contains responses of earlier rounds, its own state, and the round", async () => {
    const seen: unknown[] = [];
    const { wire } = await serve(
      { revisions: [serverSide(R5)] },
      {
        "tools/call": (_: unknown, { inputResponses, requestState, round }: ServerContext) => {
          seen.push([inputResponses && Object.keys(inputResponses), requestState, round]);
          if (round === 0) return inputRequired({ inputRequests: { a: both.a }, requestState: { n: 1 } });
          if (round === 1) return inputRequired({ inputRequests: { b: both.b }, requestState: "two" });
          if (round === 2) return inputRequired({ requestState: [3] });
          return { content: [] };
        },
      },
    );
    const first = await calling(wire);
    const second = await calling(wire, { state: stateOf(first), responses: { a: accepted("Ann") } });
    const third = await calling(wire, { state: stateOf(second), responses: { b: accepted("Bob") } });
    expect(third.result).not.toHaveProperty("inputRequests");
    expect(kind(await calling(wire, { state: stateOf(third) }))).toBe("complete");
    expect(seen).toEqual([
      [undefined, undefined, 0],
      [["a"], { n: 1 }, 1],
      [["a", "b"], "two", 2],
      [["a", "b"], [3], 3],
    ]);
  });

  test("requests only the open one of two inputs again", async () => {
    const server = new McpServer(serverInfo, { revisions: [serverSide(R5)] });
    server.registerTool("t", { inputRequests: () => both }, (_, given) => ({ content: [], structuredContent: given }));
    const wire = new Wire();
    await server.connect(wire);
    const first = await calling(wire);
    expect(Object.keys(first.result?.["inputRequests"] as object)).toEqual(["a", "b"]);
    const second = await calling(wire, { state: stateOf(first), responses: { b: { action: "decline" } } });
    expect(Object.keys(second.result?.["inputRequests"] as object)).toEqual(["a"]);
    const third = await calling(wire, { state: stateOf(second), responses: { a: accepted("Ann") } });
    expect(third.result?.["structuredContent"]).toEqual({ a: accepted("Ann"), b: { action: "decline" } });
  });

  test("a state that is too long is an internal error", async () => {
    const { wire, errors } = await serve(
      { revisions: [serverSide(R5)] },
      { "tools/call": () => inputRequired({ requestState: "x".repeat(20_000) }) },
    );
    expect(kind(await calling(wire))).toBe(-32603);
    expect(errors).toMatchObject([{ code: "LIMIT_EXCEEDED" }]);
  });
});

test("an empty object of input requests is omitted", async () => {
  const { wire } = await serve(
    { revisions: [serverSide(R5)] },
    { "tools/call": () => inputRequired({ inputRequests: {}, requestState: 1 }) },
  );
  const { result } = await calling(wire);
  expect(result).toHaveProperty("requestState");
  expect(result).not.toHaveProperty("inputRequests");
});

describe("a handler cannot", () => {
  const form2 = {
    message: "?",
    requestedSchema: { type: "object" as const, properties: { deep: { type: "object" } } },
  };
  test.each<[string, () => object, unknown]>([
    ["request nothing", () => inputRequired({}), -32603],
    ["request no inputs", () => inputRequired({ inputRequests: {} }), -32603],
    [
      "request an invalid form",
      () => inputRequired({ inputRequests: { a: inputRequired.elicit(form2 as never) } }),
      -32603,
    ],
    [
      "request what the client did not declare",
      () => inputRequired({ inputRequests: { a: inputRequired.listRoots() } }),
      -32021,
    ],
    [
      "request with an unknown mode",
      () => inputRequired({ inputRequests: { a: { method: "tools/list" } as never } }),
      -32603,
    ],
  ])("%s", async (_, answer, code) => {
    const { wire } = await serve({ revisions: [serverSide(R5)] }, { "tools/call": answer });
    expect(kind(await calling(wire))).toBe(code);
  });

  test.each([
    ["tools/list", {}],
    ["completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }],
  ])("request input in %s", async (method, params) => {
    const { wire } = await serve(
      { revisions: [serverSide(R5)], capabilities: { tools: {}, completions: {} } },
      { [method]: () => inputRequired({ inputRequests: { a: inputRequired.elicit(form) } }) },
    );
    expect(kind(await wire.ask(1, method, modern(params, { elicitation: {} })))).toBe(-32603);
  });

  test("a handler can request input in all three methods that have it", async () => {
    const answer = () => inputRequired({ inputRequests: { a: inputRequired.elicit(form) } });
    const { wire } = await serve(
      { revisions: [serverSide(R5)], capabilities: { tools: {}, prompts: {}, resources: {} } },
      { "tools/call": answer, "prompts/get": answer, "resources/read": answer },
    );
    for (const [method, params] of [
      ["tools/call", { name: "t" }],
      ["prompts/get", { name: "t" }],
      ["resources/read", { uri: "a:b" }],
    ] as const) {
      const first = await wire.ask(1, method, modern(params, { elicitation: {} }));
      expect(kind(first)).toBe("input_required");
      // A state of one method is rejected for another.
      expect(kind(await calling(wire, { state: stateOf(first), responses: {} }))).toBe(
        method === "tools/call" ? "input_required" : -32602,
      );
    }
  });
});
