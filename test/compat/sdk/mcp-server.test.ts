import { describe, expect, it, vi } from "vitest";
import * as z3 from "zod/v3";
import * as z4 from "zod/v4";
import { type Answers, connect, original, own, type Sdk } from "./servers.js";

type McpServer = InstanceType<Sdk["mcp"]["McpServer"]>;

interface Case {
  readonly title: string;
  readonly register: (server: McpServer, sdk: Sdk) => void;
  readonly calls: readonly (readonly [method: string, params?: object])[];
  readonly capabilities?: object;
  readonly answers?: Answers;
}

const call = (name: string, args?: object) => ["tools/call", { name, ...(args && { arguments: args }) }] as const;
const text = (value: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(value) }] });

/** The same members in a schema of each version. */
const shapes = {
  "zod 3": {
    city: z3.string().describe("Where"),
    days: z3.number().int().min(1).default(3),
    unit: z3.enum(["c", "f"]).optional(),
    tags: z3.array(z3.union([z3.string(), z3.number()])).nullable(),
  },
  "zod 4": {
    city: z4.string().describe("Where"),
    days: z4.number().int().min(1).default(3),
    unit: z4.enum(["c", "f"]).optional(),
    tags: z4.array(z4.union([z4.string(), z4.number()])).nullable(),
  },
};

const cases: readonly Case[] = [
  ...Object.entries(shapes).map(([version, given]): Case => {
    const z = version === "zod 3" ? z3 : z4;
    const shape = given as (typeof shapes)["zod 4"];
    return {
      title: `tools with shapes of ${version}`,
      register(server) {
        server.tool("plain", () => text("plain"));
        server.tool("described", "Describes", () => text("described"));
        server.tool("shaped", shape, (args: unknown) => text(args));
        server.tool("annotated", "All", shape, { readOnlyHint: true }, (args: unknown) => text(args));
        server.tool("hints", { title: "Hints" } as never, () => text("hints"));
        const result = { sum: (z as typeof z4).number() };
        server.registerTool(
          "sum",
          { title: "Sum", inputSchema: { a: (z as typeof z4).number() }, outputSchema: result, _meta: { x: 1 } },
          ({ a }) => ({ content: [], structuredContent: { sum: a === 0 ? "zero" : a } }),
        );
        server.registerTool("object", { inputSchema: (z as typeof z4).object(shape) }, (args) => text(args));
        server.registerTool("no output", { outputSchema: result }, () => text("none"));
      },
      calls: [
        ["tools/list"],
        call("plain"),
        call("described", { extra: 1 }),
        call("shaped", { city: "Rome", tags: ["a", 1] }),
        call("shaped", { city: "Rome", tags: null, days: 0 }),
        call("shaped", { city: 3, unit: "k" }),
        call("shaped"),
        call("annotated", { city: "Rome", tags: null, other: 1 }),
        call("hints"),
        call("sum", { a: 2 }),
        call("sum", { a: 0 }),
        call("object", { city: "Rome", tags: [] }),
        call("no output"),
        call("missing"),
      ],
    };
  }),
  {
    title: "errors of tools",
    register(server, { mcp }) {
      server.tool("throws", () => {
        throw new TypeError("broken");
      });
      server.tool("rejects", () => Promise.reject(new Error("later")));
      server.tool("strange", () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- what programs do
        throw "text";
      });
      server.tool("empty", () => ({}) as never);
      const handle = server.tool("disabled", () => text("on"));
      handle.disable();
      server.tool("removed", () => text("on")).remove();
      server
        .tool("old", () => text("old"))
        .update({ name: "new", description: "Renamed", callback: () => text("new") });
      expect(() => server.tool("throws", () => text("twice"))).toThrow("Tool throws is already registered");
      expect(mcp.McpServer).toBeTypeOf("function");
    },
    calls: [
      ["tools/list"],
      ...["throws", "rejects", "strange", "empty", "disabled", "removed", "old", "new"].map((name) => call(name)),
    ],
  },
  {
    title: "resources",
    register(server, { mcp: { ResourceTemplate } }) {
      const contents = (uri: URL, extra: object = {}) => ({
        contents: [{ uri: uri.href, text: JSON.stringify(extra) }],
      });
      server.resource("first", "notes://first", (uri) => contents(uri));
      server.resource("second", "notes://second", { mimeType: "text/plain" }, (uri) => contents(uri));
      server.registerResource("third", "notes://third", { title: "Third", description: "3" }, (uri) => contents(uri));
      server.resource("off", "notes://off", (uri) => contents(uri)).disable();
      const list = () => ({ resources: [{ uri: "users://1", name: "one", description: "own" }] });
      const complete = { id: (value: string) => ["1", "12", "2"].filter((one) => one.startsWith(value)) };
      server.registerResource(
        "user",
        new ResourceTemplate("users://{id}", { list, complete }),
        { title: "User", description: "shared" },
        (uri, variables) => contents(uri, variables),
      );
      server.resource("plain", new ResourceTemplate("plain://{a}/{b}", { list: undefined }), (uri, variables) =>
        contents(uri, variables),
      );
    },
    calls: [
      ["resources/list"],
      ["resources/templates/list"],
      ...[
        "notes://first",
        "notes://second",
        "notes://third",
        "notes://off",
        "users://7",
        "plain://x/y",
        "none://x",
      ].map((uri) => ["resources/read", { uri }] as const),
      ["resources/read", { uri: "no uri" }],
      ...(["users://{id}", "plain://{a}/{b}", "notes://first", "none://{x}"] as const).map(
        (uri) =>
          [
            "completion/complete",
            { ref: { type: "ref/resource", uri }, argument: { name: "id", value: "1" } },
          ] as const,
      ),
    ],
  },
  {
    title: "prompts",
    register(server, { completable: { completable } }) {
      const messages = (value: unknown) => ({
        messages: [{ role: "user" as const, content: { type: "text" as const, text: JSON.stringify(value) } }],
      });
      server.prompt("plain", () => messages("plain"));
      server.prompt(
        "args",
        "With arguments",
        { name: z4.string().describe("Who"), age: z4.string().optional() },
        (args) => messages(args),
      );
      server.prompt("args 3", { name: z3.string(), age: z3.string().optional() }, (args) => messages(args));
      server.registerPrompt(
        "complete",
        {
          title: "Complete",
          argsSchema: {
            city: completable(z4.string(), (value) => ["Rome", "Riga"].filter((one) => one.startsWith(value))),
            street: completable(z4.string(), (value, context) => [`${context?.arguments?.["city"]} ${value}`]),
            many: completable(z4.string(), () => Array.from({ length: 150 }, (_, index) => `${index}`)),
          },
        },
        (args) => messages(args),
      );
    },
    calls: [
      ["prompts/list"],
      ["prompts/get", { name: "plain" }],
      ["prompts/get", { name: "args", arguments: { name: "Ada" } }],
      ["prompts/get", { name: "args", arguments: {} }],
      ["prompts/get", { name: "args 3" }],
      ["prompts/get", { name: "none" }],
      ...(["city", "street", "many", "other"] as const).map(
        (name) =>
          [
            "completion/complete",
            {
              ref: { type: "ref/prompt", name: "complete" },
              argument: { name, value: "R" },
              context: { arguments: { city: "Rome" } },
            },
          ] as const,
      ),
      ["completion/complete", { ref: { type: "ref/prompt", name: "none" }, argument: { name: "a", value: "" } }],
    ],
  },
  {
    title: "requests of the server",
    register(server) {
      server.tool("ask", async ({ requestId }) => {
        const requestedSchema = { type: "object" as const, properties: { name: { type: "string" as const } } };
        const elicited = await server.server.elicitInput({ message: "Who?", requestedSchema });
        const { roots } = await server.server.listRoots();
        const content = { type: "text" as const, text: "Hi" };
        const sampled = await server.server.createMessage({ messages: [{ role: "user", content }], maxTokens: 5 });
        return text({ requestId, elicited, roots, model: sampled.model });
      });
      server.tool("invalid", async () => {
        const properties = { age: { type: "string" as const, format: "email" as const } };
        return text(
          await server.server.elicitInput({
            message: "Age?",
            requestedSchema: { type: "object", properties, required: ["age"] },
          }),
        );
      });
      server.tool("client", () => ({
        content: [],
        structuredContent: {
          info: server.server.getClientVersion(),
          capabilities: server.server.getClientCapabilities(),
        },
      }));
    },
    capabilities: { elicitation: {}, sampling: {}, roots: {} },
    answers: {
      "elicitation/create": { action: "accept", content: { name: "Ada" } },
      "roots/list": { roots: [{ uri: "file:///tmp" }] },
      "sampling/createMessage": { role: "assistant", model: "m", content: { type: "text", text: "Hello" } },
    },
    calls: [call("ask"), call("invalid"), call("client")],
  },
  {
    title: "methods and capabilities that nobody has declared",
    register(server) {
      server.tool("url", async () =>
        text(
          await server.server.elicitInput({ mode: "url", message: "m", url: "https://a.example", elicitationId: "1" }),
        ),
      );
    },
    calls: [["no/method"], ["prompts/list"], ["logging/setLevel", { level: "info" }], ["ping"], call("url")],
  },
];

async function answersOf(sdk: Sdk, one: Case): Promise<unknown> {
  const server = new sdk.mcp.McpServer({ name: "server", version: "1.0.0" });
  one.register(server, sdk);
  const client = await connect(sdk, server, one.capabilities, one.answers);
  for (const [method, params] of one.calls) await client.request(method, params);
  const { received } = client;
  await server.close();
  // The ids of requests of the server are its own.
  return received.map(({ id, ...message }) => (message.method === undefined ? { id, ...message } : message));
}

describe("McpServer", () => {
  it.each(cases)("answers like the official SDK: $title", async (one) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect(await answersOf(own, one)).toEqual(await answersOf(original, one));
    warn.mockRestore();
  });
});
