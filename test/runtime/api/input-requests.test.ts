import type { ElicitRequestFormParams } from "@mcpwright/protocol/2026-07-28";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { Client } from "../../../runtime/src/client.js";
import { UrlElicitationRequiredError } from "../../../runtime/src/index.js";
import {
  acceptedContent,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "../../../runtime/src/server.js";
import { connect, errorOf, info, methods, type Revision, settled, text } from "./pair.js";

/** The revisions with elicitation. */
const asking = ["2025-06-18", "2025-11-25", "2026-07-28"] as const satisfies readonly Revision[];
/** The revisions without elicitation, where sampling is a request. */
const before = ["2024-11-05", "2025-03-26"] as const satisfies readonly Revision[];

const requestedSchema: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
};
const form = (message: string) => ({ message, requestedSchema });
const question = (message: string) => inputRequired.elicit(form(message));

/** A client whose user answers every form with its message. */
function answering(asked: string[] = []) {
  return (client: Client) => {
    client.setRequestHandler("elicitation/create", ({ message }) => {
      asked.push(message);
      if (message === "refuse") return { action: "decline" };
      return { action: "accept", content: { name: message } };
    });
  };
}

const elicitation = { capabilities: { elicitation: {} } };
const url = { capabilities: { elicitation: { url: {} } } };

describe.each(asking)("%s", (revision) => {
  describe("input requests registered with `ask`", () => {
    test("a tool runs once, with all answers of several rounds", async () => {
      const server = new McpServer(info);
      let runs = 0;
      server.registerTool(
        "t",
        {
          inputSchema: z.object({ a: z.number() }),
          inputRequests: ({ a }, responses, context) => {
            expectTypeOf(a).toEqualTypeOf<number>();
            expectTypeOf(context).toEqualTypeOf<ServerContext>();
            const first = acceptedContent(responses, "first");
            return {
              first: question(`first ${a}`),
              ...(first && { second: question(`second ${String(first["name"])}`) }),
            };
          },
        },
        ({ a }, _context, responses) => {
          runs++;
          return text(
            `${a} ${String(acceptedContent(responses, "first")?.["name"])} ${String(acceptedContent(responses, "second")?.["name"])}`,
          );
        },
      );
      const asked: string[] = [];
      const { client } = await connect(server, revision, elicitation, answering(asked));
      expect(await client.callTool({ name: "t", arguments: { a: 1 } })).toMatchObject(text("1 first 1 second first 1"));
      expect([runs, asked]).toEqual([1, ["first 1", "second first 1"]]);
    });

    test("a tool with an output schema may request input, too", async () => {
      const server = new McpServer(info);
      const outputSchema = z.object({ name: z.string() });
      server.registerTool(
        "t",
        { outputSchema, inputRequests: () => ({ k: question("who") }) },
        (_context, responses) => ({
          structuredContent: acceptedContent(responses, "k", outputSchema) ?? { name: "nobody" },
        }),
      );
      const { client } = await connect(server, revision, elicitation, answering());
      expect(await client.callTool({ name: "t" })).toMatchObject({ structuredContent: { name: "who" } });
    });

    test("input requests may be empty, or depend on earlier answers", async () => {
      const server = new McpServer(info);
      server.registerTool("none", { inputRequests: () => undefined }, (_context, responses) =>
        text(JSON.stringify(responses)),
      );
      server.registerTool(
        "later",
        { inputRequests: () => Promise.resolve({ k: question("later") }) },
        (_context, responses) => text(inputResponse(responses, "k").kind),
      );
      const { client } = await connect(server, revision, elicitation, answering());
      expect(await client.callTool({ name: "none" })).toMatchObject(text("{}"));
      expect(await client.callTool({ name: "later" })).toMatchObject(text("elicit"));
    });

    test("a declined form is an answer", async () => {
      const server = new McpServer(info);
      server.registerTool("t", { inputRequests: () => ({ k: question("refuse") }) }, (_context, responses) => {
        const view = inputResponse(responses, "k");
        return text(view.kind === "elicit" ? view.action : view.kind);
      });
      const { client } = await connect(server, revision, elicitation, answering());
      expect(await client.callTool({ name: "t" })).toMatchObject(text("decline"));
    });

    test("prompts and resources request input the same way", async () => {
      const server = new McpServer(info);
      const asks = { inputRequests: () => ({ k: question("who") }) };
      server.registerPrompt("p", asks, (_context, responses) => ({
        messages: [
          { role: "user", content: { type: "text", text: String(acceptedContent(responses, "k")?.["name"]) } },
        ],
      }));
      server.registerResource("r", "test:r", asks, ({ href }, _context, responses) => ({
        contents: [{ uri: href, text: String(acceptedContent(responses, "k")?.["name"]) }],
      }));
      server.registerResource(
        "t",
        new ResourceTemplate("test:t/{x}"),
        asks,
        ({ href }, { x }, _context, responses) => ({
          contents: [{ uri: href, text: `${String(x)} ${String(acceptedContent(responses, "k")?.["name"])}` }],
        }),
      );
      const { client } = await connect(server, revision, elicitation, answering());
      expect((await client.getPrompt({ name: "p" })).messages).toMatchObject([{ content: { text: "who" } }]);
      expect((await client.readResource({ uri: "test:r" })).contents).toMatchObject([{ text: "who" }]);
      expect((await client.readResource({ uri: "test:t/1" })).contents).toMatchObject([{ text: "1 who" }]);
    });
  });

  describe("inputRequired, returned by the handler", () => {
    test("the handler runs again, with its answers and its state", async () => {
      const server = new McpServer(info);
      const entered: unknown[] = [];
      server.registerTool("t", { inputSchema: z.object({ a: z.string() }) }, ({ a }, context) => {
        entered.push(context.requestState);
        const known = acceptedContent(context.inputResponses, "k");
        if (known) return text(`${a} ${String(known["name"])}`);
        return inputRequired({ inputRequests: { k: question("who") }, requestState: { step: 1, nested: ["x"] } });
      });
      const { client } = await connect(server, revision, elicitation, answering());
      expect(await client.callTool({ name: "t", arguments: { a: "x" } })).toMatchObject(text("x who"));
      expect(entered).toEqual([undefined, { step: 1, nested: ["x"] }]);
    });

    test("prompts and resources return it the same way", async () => {
      const server = new McpServer(info);
      const once = <Result>(context: ServerContext, result: (name: string) => Result) => {
        const known = acceptedContent(context.inputResponses, "k");
        return known ? result(String(known["name"])) : inputRequired({ inputRequests: { k: question("who") } });
      };
      server.registerPrompt("p", {}, (context) =>
        once(context, (name) => ({
          messages: [{ role: "user" as const, content: { type: "text" as const, text: name } }],
        })),
      );
      server.registerResource("r", "test:r", {}, ({ href }, context) =>
        once(context, (name) => ({ contents: [{ uri: href, text: name }] })),
      );
      const { client } = await connect(server, revision, elicitation, answering());
      expect((await client.getPrompt({ name: "p" })).messages).toMatchObject([{ content: { text: "who" } }]);
      expect((await client.readResource({ uri: "test:r" })).contents).toMatchObject([{ text: "who" }]);
    });

    test("a handler that keeps requesting input is stopped", async () => {
      const problems: Error[] = [];
      const server = new McpServer(info, { maxRounds: 3, onerror: (error) => problems.push(error) });
      let entered = 0;
      server.registerTool("t", {}, () => {
        entered++;
        return inputRequired({ inputRequests: { [`k${entered}`]: question("again") } });
      });
      const { client } = await connect(server, revision, elicitation, answering());
      expect(await errorOf(client.callTool({ name: "t" }))).toMatchObject({ code: -32603 });
      expect(entered).toBe(4);
      expect(problems).toMatchObject([{ code: "INPUT_REQUIRED_ROUNDS_EXCEEDED" }]);
    });
  });

  describe("ctx.elicit", () => {
    test("code before it runs once", async () => {
      const server = new McpServer(info);
      let counter = 0;
      server.registerTool("t", {}, async (context) => {
        counter++;
        const first = await context.elicit("one", form("one"));
        const second = await context.elicit("two", form(`two after ${String(first.content?.["name"])}`));
        return text(String(second.content?.["name"]));
      });
      const { client } = await connect(server, revision, elicitation, answering());
      expect(await client.callTool({ name: "t" })).toMatchObject(text("two after one"));
      expect(counter).toBe(1);
    });

    test("prompts and resources wait the same way", async () => {
      const server = new McpServer(info);
      let counter = 0;
      const name = async (context: ServerContext) => {
        counter++;
        return String((await context.elicit("k", form("who"))).content?.["name"]);
      };
      server.registerPrompt("p", {}, async (context) => ({
        messages: [{ role: "user", content: { type: "text", text: await name(context) } }],
      }));
      server.registerResource("r", "test:r", {}, async ({ href }, context) => ({
        contents: [{ uri: href, text: await name(context) }],
      }));
      const { client } = await connect(server, revision, elicitation, answering());
      expect((await client.getPrompt({ name: "p" })).messages).toMatchObject([{ content: { text: "who" } }]);
      expect((await client.readResource({ uri: "test:r" })).contents).toMatchObject([{ text: "who" }]);
      expect(counter).toBe(2);
    });

    test("several at once", async () => {
      const server = new McpServer(info);
      server.registerTool("t", {}, async (context) => {
        const answers = await Promise.all(["a", "b", "c"].map((key) => context.elicit(key, form(key))));
        return text(answers.map(({ content }) => String(content?.["name"])).join());
      });
      const asked: string[] = [];
      const { client } = await connect(server, revision, elicitation, answering(asked));
      expect(await client.callTool({ name: "t" })).toMatchObject(text("a,b,c"));
      expect(asked.sort()).toEqual(["a", "b", "c"]);
    });

    test("finally runs after the answer and when the call is cancelled", async () => {
      const server = new McpServer(info);
      const cleaned: string[] = [];
      let released!: () => void;
      const cleaning = new Promise<void>((resolve) => (released = resolve));
      server.registerTool("t", { inputSchema: z.object({ message: z.string() }) }, async ({ message }, context) => {
        try {
          return text((await context.elicit("k", form(message))).action);
        } finally {
          cleaned.push(message);
          if (message === "never") released();
        }
      });
      const controller = new AbortController();
      const told: string[] = [];
      const { client, connection } = await connect(server, revision, elicitation, (made) => {
        made.setRequestHandler("elicitation/create", ({ message }, { signal }) => {
          if (message !== "never") return { action: "accept", content: { name: "x" } };
          signal.addEventListener("abort", () => told.push("the host"));
          queueMicrotask(() => controller.abort(new Error("the user closed the window")));
          return new Promise(() => undefined);
        });
      });
      expect(await client.callTool({ name: "t", arguments: { message: "soon" } })).toMatchObject(text("accept"));
      const call = client.callTool({ name: "t", arguments: { message: "never" } }, { signal: controller.signal });
      await expect(call).rejects.toThrow("the user closed the window");
      // In the stateless era the server learns only from the end of the connection that the client will not return.
      if (revision === "2026-07-28") await connection.close();
      await cleaning;
      await settled();
      expect([cleaned, told]).toEqual([["soon", "never"], ["the host"]]);
    });

    test.each(["of its own", "of the call"])("a signal %s ends the wait", async (which) => {
      const server = new McpServer(info);
      const own = new AbortController();
      const call = new AbortController();
      const failed = new Promise((resolve) => {
        server.registerTool("t", {}, async (context) => {
          const { action } = await context.elicit("k", form("x"), { signal: own.signal }).catch((error: unknown) => {
            resolve(String(error));
            return { action: "nothing" };
          });
          return text(action);
        });
      });
      const { client, connection } = await connect(server, revision, elicitation, (made) => {
        made.setRequestHandler("elicitation/create", async () => {
          (which === "of its own" ? own : call).abort(new Error("enough"));
          if (which === "of the call" && revision === "2026-07-28") await connection.close();
          await failed;
          return { action: "decline" };
        });
      });
      const outcome = await client.callTool({ name: "t" }, { signal: call.signal }).catch((error: unknown) => error);
      expect(outcome).toMatchObject(which === "of its own" ? text("nothing") : { message: "enough" });
      expect(await failed).toMatch(/enough|closed/);
    });

    test("the tool can handle the client's failure to answer", async () => {
      const server = new McpServer(info);
      server.registerTool("t", {}, async (context) => {
        await context.elicit("k", form("x"));
        return text("unreachable");
      });
      const { client } = await connect(server, revision, elicitation, (made) => {
        made.setRequestHandler("elicitation/create", () => {
          throw new Error("no window");
        });
      });
      const call = client.callTool({ name: "t" });
      // In the stateless era the client knows it first.
      if (revision === "2026-07-28") await expect(call).rejects.toThrow("no window");
      else expect(await call).toMatchObject({ isError: true });
    });

    test("an invalid form is not sent", async () => {
      const server = new McpServer(info);
      const nested = { type: "object", properties: { a: { type: "object" } } };
      server.registerTool("t", {}, async (context) => {
        await context.elicit("k", { message: "x", requestedSchema: nested as never });
        return text("unreachable");
      });
      server.registerTool(
        "ask",
        { inputRequests: () => ({ k: inputRequired.elicit({ message: "x", requestedSchema: nested as never }) }) },
        () => text("unreachable"),
      );
      const asked: string[] = [];
      const { client } = await connect(server, revision, elicitation, answering(asked));
      expect(await client.callTool({ name: "t" })).toMatchObject({ isError: true });
      if (revision !== "2026-07-28") expect(await client.callTool({ name: "ask" })).toMatchObject({ isError: true });
      expect(asked).toEqual([]);
    });
  });
});

describe.each([...before, ...asking])("%s: a client that cannot answer input requests", (revision) => {
  async function served() {
    const server = new McpServer(info);
    const ask = { inputRequests: () => ({ k: question("x") }) };
    server.registerTool("ask", ask, () => text("unreachable"));
    server.registerTool("return", {}, () => inputRequired({ inputRequests: { k: question("x") } }));
    server.registerTool("await", {}, async (context) => {
      await context.elicit("k", form("x"));
      return text("unreachable");
    });
    server.registerPrompt("ask", ask, () => ({ messages: [] }));
    server.registerResource("r", "test:r", ask, () => ({ contents: [] }));
    return connect(server, revision);
  }
  const stateless = revision === "2026-07-28";

  test.each(["ask", "return", "await"])(
    "a tool by %s: the error goes to the model, or in the stateless era to the client",
    async (name) => {
      const { client } = await served();
      const call = client.callTool({ name });
      if (stateless) {
        expect(await errorOf(call)).toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { elicitation: {} } },
        });
      } else {
        const { isError, content } = await call;
        expect(isError).toBe(true);
        expect(JSON.stringify(content)).toContain("elicitation");
      }
    },
  );

  test("a prompt and a resource", async () => {
    const { client } = await served();
    const refused = { code: stateless ? -32021 : -32602, data: { requiredCapabilities: { elicitation: {} } } };
    expect(await errorOf(client.getPrompt({ name: "ask" }))).toMatchObject(refused);
    expect(await errorOf(client.readResource({ uri: "test:r" }))).toMatchObject(refused);
  });
});

describe.each([...before, ...asking])("%s: other input requests", (revision) => {
  test("sampling and roots, in all three ways", async () => {
    const server = new McpServer(info);
    const params = {
      messages: [{ role: "user" as const, content: { type: "text" as const, text: "2+2" } }],
      maxTokens: 5,
    };
    const questions = { model: inputRequired.createMessage(params), roots: inputRequired.listRoots() };
    const told = (model: unknown, roots: unknown) => text(JSON.stringify([model, roots]));
    server.registerTool("ask", { inputRequests: () => questions }, (_context, responses) => {
      const model = inputResponse(responses, "model");
      const roots = inputResponse(responses, "roots");
      return told(model.kind === "sampling" && model.result.model, roots.kind === "roots" && roots.roots);
    });
    server.registerTool("await", {}, async (context) => {
      const [model, { roots }] = await Promise.all([context.sample("m", params), context.listRoots("r")]);
      return told(model.model, roots);
    });
    server.registerTool("return", {}, ({ inputResponses }) => {
      const model = inputResponse(inputResponses, "model");
      const roots = inputResponse(inputResponses, "roots");
      if (model.kind !== "sampling" || roots.kind !== "roots") return inputRequired({ inputRequests: questions });
      return told(model.result.model, roots.roots);
    });
    const { client } = await connect(server, revision, { capabilities: { sampling: {}, roots: {} } }, (made) => {
      made.addRoot({ uri: "file:///work", name: "Work" });
      made.setRequestHandler("sampling/createMessage", () => ({
        role: "assistant",
        content: { type: "text", text: "4" },
        model: "m1",
      }));
    });
    for (const name of ["ask", "await", "return"])
      expect(await client.callTool({ name })).toMatchObject(told("m1", [{ uri: "file:///work", name: "Work" }]));
  });
});

test("tools/list cannot request input in the stateless era", async () => {
  const server = new McpServer(info, { onerror: () => undefined, capabilities: { tools: {} } });
  server.server.handle({
    "tools/list": async (_params, context) => {
      await context.elicit("k", form("x"));
      return { tools: [] };
    },
  });
  const { client } = await connect(server, "2026-07-28", elicitation, answering());
  expect(await errorOf(client.listTools())).toMatchObject({ code: -32603 });
});

test("a server notifies a client that a URL elicitation is complete, by its id", async () => {
  const server = new McpServer(info);
  const page = { message: "Link", url: "https://x.test/", elicitationId: "mine" };
  server.registerTool("awaits", {}, async (context) => {
    const { action } = await context.elicit("k", { mode: "url", ...page });
    context.connection.completeElicitation("mine");
    return text(action);
  });
  server.registerTool(
    "asks",
    { inputRequests: () => ({ k: inputRequired.elicitUrl(page) }) },
    ({ connection }, responses) => {
      connection.completeElicitation("mine");
      return text(String(responses.k?.action));
    },
  );
  const heard: unknown[] = [];
  const url = { capabilities: { elicitation: { url: {} } } };
  const { client } = await connect(server, "2025-11-25", url, (made) => {
    made.setRequestHandler("elicitation/create", (params) => {
      heard.push((params as { elicitationId?: string }).elicitationId);
      return { action: "accept" };
    });
    made.setNotificationHandler("notifications/elicitation/complete", ({ elicitationId }) => heard.push(elicitationId));
  });
  for (const name of ["awaits", "asks"]) expect(await client.callTool({ name })).toMatchObject(text("accept"));
  await settled();
  expect(heard).toEqual(["mine", "mine", "mine", "mine"]);
});

describe("a tool that needs the user to visit a URL first", () => {
  const elicitations = [{ mode: "url", message: "Log in", url: "https://x.test/", elicitationId: "1" }] as const;

  function serve() {
    const server = new McpServer(info);
    const known = new Set<string>();
    server.registerTool("t", {}, ({ inputResponses }) => {
      if (known.has("1") || inputResponse(inputResponses, "1").kind === "elicit") return text("done");
      throw new UrlElicitationRequiredError(elicitations, "Log in first");
    });
    return { server, known };
  }

  test("2025-11-25: the client opens the URL, and repeats the call once the server reports completion", async () => {
    const { server, known } = serve();
    const { client, connection, wire } = await connect(server, "2025-11-25", url, (made) =>
      made.setRequestHandler("elicitation/create", () => {
        known.add("1");
        queueMicrotask(() => connection.completeElicitation("1"));
        return { action: "accept" };
      }),
    );
    expect(await client.callTool({ name: "t" })).toMatchObject(text("done"));
    expect(methods(wire, "out")).toEqual(["tools/call", "tools/call"]);
    expect(methods(wire, "in")).toEqual(["notifications/elicitation/complete"]);
  });

  test("2025-11-25: the host may complete the elicitation first", async () => {
    const { server, known } = serve();
    const { client } = await connect(server, "2025-11-25", url, (made) =>
      made.setRequestHandler("elicitation/create", () => {
        known.add("1");
        queueMicrotask(() => made.completeElicitation("1"));
        return { action: "accept" };
      }),
    );
    expect(await client.callTool({ name: "t" })).toMatchObject(text("done"));
  });

  test("2025-11-25: a user who declines leaves the error", async () => {
    const { client } = await connect(serve().server, "2025-11-25", url, (made) =>
      made.setRequestHandler("elicitation/create", () => ({ action: "decline" })),
    );
    expect(await errorOf(client.callTool({ name: "t" }))).toMatchObject({
      code: -32042,
      message: "Log in first",
      data: { elicitations },
    });
  });

  test("2026-07-28: it is an ordinary input request", async () => {
    const { client } = await connect(serve().server, "2026-07-28", url, (made) =>
      made.setRequestHandler("elicitation/create", () => ({ action: "accept" })),
    );
    expect(await client.callTool({ name: "t" })).toMatchObject(text("done"));
  });

  test.each(["2024-11-05", "2025-06-18", "2025-11-25"] as const)(
    "%s: a client that cannot open URLs",
    async (revision) => {
      const { client } = await connect(serve().server, revision, elicitation, answering());
      expect(await client.callTool({ name: "t" })).toMatchObject({ ...text("Log in first"), isError: true });
    },
  );
});
