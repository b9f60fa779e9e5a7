/** Middleware wraps every request: also the retry that resumes a waiting handler, and lists that are sent from a cache. */
import { describe, expect, test } from "vitest";
import { inputRequired, McpServer, type ServerContext } from "../../../runtime/src/server.js";
import type { Middleware } from "../../../runtime/src/connection/middleware.js";
import { ProtocolError } from "../../../runtime/src/index.js";
import { connect, eras, info, text } from "../api/pair.js";
import { modern, openOf, R5, serve, serverSide } from "../connection/connection-ends.js";
import { idle, type Message, type Wire } from "../connection/wire.js";

const form = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
const yes = { action: "accept", content: {} };

interface Seen {
  readonly asked: unknown[];
  readonly handler: string[];
}

/** A server whose tool asks twice, with middleware. */
async function asking(layer: Middleware<ServerContext>, seen: Seen = { asked: [], handler: [] }) {
  const { wire, connection, server } = await serve(
    { revisions: [serverSide(R5)], middleware: [layer] },
    {
      "tools/call": async (_: unknown, context: ServerContext) => {
        try {
          for (const key of ["first", "second"]) {
            seen.handler.push(`asks ${key}`);
            await context.elicit(key, form);
          }
          return text("done");
        } catch (error) {
          seen.handler.push("stopped");
          throw error;
        }
      },
    },
  );
  return { wire, connection, server, seen };
}

let ids = 0;

function calling(wire: Wire, before?: Message, key = "first"): Promise<Message> {
  const retry = before && { requestState: before.result?.["requestState"], inputResponses: { [key]: yes } };
  return wire.ask(++ids, "tools/call", modern({ name: "t", ...retry }, { elicitation: {} }));
}

const resultType = (result: unknown): unknown => (result as { resultType?: unknown }).resultType ?? "complete";

describe("a retry that resumes a waiting handler", () => {
  test("passes the middleware, which sees the result of each request", async () => {
    const seen: Seen = { asked: [], handler: [] };
    const { wire } = await asking(async (call, next) => {
      const result = await next();
      seen.asked.push([call.requestId, resultType(result)]);
      return result;
    }, seen);
    const first = await calling(wire);
    const second = await calling(wire, first);
    const last = await calling(wire, second, "second");
    expect(last.result).toMatchObject(text("done"));
    expect(seen.asked).toEqual([
      [first.id, "input_required"],
      [second.id, "input_required"],
      [last.id, "complete"],
    ]);
    expect(seen.handler).toEqual(["asks first", "asks second"]);
  });

  const denied = new ProtocolError(-32000, "no longer");
  test.each<[string, (call: ServerContext, next: () => unknown) => unknown, object]>([
    [
      "throws at once",
      () => {
        throw denied;
      },
      { error: { code: -32000 } },
    ],
    ["throws later", () => idle().then(() => Promise.reject(denied)), { error: { code: -32000 } }],
    ["answers by itself", () => text("not you"), { result: text("not you") }],
    [
      "asks by itself",
      () => inputRequired({ inputRequests: { own: inputRequired.elicit(form) } }),
      { result: { inputRequests: { own: {} } } },
    ],
    [
      "denies after the handler went on",
      async (_, next) => {
        await next();
        throw denied;
      },
      { error: { code: -32000 } },
    ],
  ])("is denied, and the handler stops, when middleware %s", async (_, deny, expected) => {
    let isDenying = false;
    const { wire, connection, server, seen } = await asking((call, next) => (isDenying ? deny(call, next) : next()));
    const first = await calling(wire);
    isDenying = true;
    expect(await calling(wire, first)).toMatchObject(expected);
    await idle();
    expect(seen.handler.at(-1)).toBe("stopped");
    expect(openOf(connection).handling).toBe(0);
    // The state cannot be used again.
    isDenying = false;
    expect((await calling(wire, first)).error?.code).toBe(-32602);
    await server.close(0);
  });

  test("gets the result that middleware returns", async () => {
    const { wire } = await asking(async (_, next) => {
      const result = (await next()) as object;
      return resultType(result) === "complete" ? { ...result, extra: 1 } : result;
    });
    const second = await calling(wire, await calling(wire));
    expect((await calling(wire, second, "second")).result).toMatchObject({ ...text("done"), extra: 1 });
  });

  test("ends the middleware when the client cancels", async () => {
    const ends: unknown[] = [];
    const { wire, seen } = await asking(async (call, next) => {
      try {
        return await next();
      } finally {
        ends.push(call.requestId);
      }
    });
    const first = await calling(wire);
    wire.receive({
      jsonrpc: "2.0",
      id: "again",
      method: "tools/call",
      params: modern(
        { name: "t", requestState: first.result?.["requestState"], inputResponses: {} },
        { elicitation: {} },
      ),
    });
    await new Promise((resolve) => setImmediate(resolve));
    wire.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "again" } });
    await idle();
    expect(await wire.rest()).toEqual([]);
    expect([ends, seen.handler.at(-1)]).toEqual([[first.id, "again"], "stopped"]);
  });

  test("resumes only once", async () => {
    const { wire, seen } = await asking(async (call, next) => {
      const result = next();
      if (call.params?.["requestState"] !== undefined) await next();
      return result;
    });
    const first = await calling(wire);
    expect((await calling(wire, first)).error?.code).toBe(-32603);
    await idle();
    expect(seen.handler.at(-1)).toBe("stopped");
  });
});

describe.each(eras)("%s: a list that middleware changes", (revision) => {
  interface Lists {
    tools?: { name: string; description?: string }[];
    prompts?: { name: string }[];
    resourceTemplates?: { name: string }[];
  }
  const hides = ({ name }: { name: string }): boolean => name !== "hidden";

  test.each<[string, (result: Lists) => Lists]>([
    [
      "in place",
      (result) => {
        for (const [member, items] of Object.entries(result))
          if (Array.isArray(items)) (result as Record<string, unknown>)[member] = (items as never[]).filter(hides);
        return result;
      },
    ],
    [
      "in place, in the array",
      (result) => {
        for (const items of [result.tools, result.prompts, result.resourceTemplates])
          items?.splice(0, items.length, ...(items as never[]).filter(hides));
        return result;
      },
    ],
    [
      "by a copy",
      (result) => ({
        ...result,
        ...(result.tools && { tools: result.tools.filter(hides) }),
        ...(result.prompts && { prompts: result.prompts.filter(hides) }),
        ...(result.resourceTemplates && { resourceTemplates: result.resourceTemplates.filter(hides) }),
      }),
    ],
  ])("%s is sent as changed, and the server's own stays", async (_, change) => {
    let isOn = true;
    const server = new McpServer(info, {
      middleware: [
        async (_call, next) => {
          const result = (await next()) as Lists;
          for (const tool of isOn ? (result.tools ?? []) : []) tool.description = "changed";
          return isOn ? change(result) : result;
        },
      ],
    });
    for (const name of ["hidden", "shown"]) {
      server.registerTool(name, { description: "own" }, () => text(""));
      server.registerPrompt(name, {}, () => ({ messages: [] }));
    }
    const { client } = await connect(server, revision);
    const names = async () => [
      (await client.listTools()).tools.map(({ name, description }) => `${name} ${description ?? ""}`),
      (await client.listPrompts()).prompts.map(({ name }) => name),
    ];
    const changed = [["shown changed"], ["shown"]];
    expect(await names()).toEqual(changed);
    expect(await names()).toEqual(changed);
    isOn = false;
    expect(await names()).toEqual([
      ["hidden own", "shown own"],
      ["hidden", "shown"],
    ]);
  });
});
