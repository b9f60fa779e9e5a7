import { inputRequired } from "../../../runtime/src/input-requests/input-required.js";
import type { ElicitRequestFormParams, ElicitResult } from "../../../runtime/src/authoring.js";
import { UrlElicitationRequiredError } from "../../../runtime/src/jsonrpc/errors.js";
import { McpServer } from "../../../runtime/src/server/core.js";
import { object, optionsOf, type ServerSetup, text } from "./setup.js";

const form = (message: string): Omit<ElicitRequestFormParams, "mode"> => ({
  message,
  requestedSchema: { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] },
});

const name = (answer: ElicitResult | undefined): string =>
  answer?.action === "accept" ? String(answer.content?.["name"]) : String(answer?.action);

const isAccepted = (answer: unknown): boolean => (answer as ElicitResult | undefined)?.action === "accept";

/** What the nodes of the server share, as they would share a database. */
export function openDesk() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { trail: [] as string[], granted: new Set<string>(), ended, end };
}

/** A server that asks its users in each of the three ways, and records a trail of its actions. */
export function desk(setup: ServerSetup, { trail, granted, ended, end } = openDesk()): McpServer {
  const server = new McpServer(
    { name: "desk", version: "1" },
    optionsOf(setup, { stateKeys: [{ id: "fixed", key: new Uint8Array(32).fill(7) }] }),
  );

  // Two questions in turn, then two at once; the side effect comes before the first question.
  server.registerTool("waits", { inputSchema: object({ item: "string" }) }, async ({ item }, ctx) => {
    trail.push(`reserve ${item}`);
    try {
      const first = name(await ctx.elicit("first", form("First?")));
      trail.push(`first ${first}`);
      if (first === "decline" || first === "cancel") return text(`stopped: ${first}`);
      const second = name(await ctx.elicit("second", form("Second?")));
      const [left, right] = await Promise.all([ctx.elicit("left", form("Left?")), ctx.elicit("right", form("Right?"))]);
      return text([item, first, second, name(left), name(right)].join(" "));
    } finally {
      trail.push("finally");
      end();
    }
  });

  // After the question, it works until its request is cancelled.
  server.registerTool("works", { inputSchema: object({ item: "string" }) }, async ({ item }, ctx) => {
    trail.push(`reserve ${item}`);
    try {
      await ctx.elicit("first", form("First?"));
      await new Promise((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason as Error)));
      return text("worked");
    } finally {
      trail.push("finally");
      end();
    }
  });

  server.registerTool(
    "asks-before",
    {
      inputSchema: object({ item: "string" }),
      inputRequests: (_args, responses) => ({
        first: inputRequired.elicit(form("First?")),
        ...("first" in responses && { second: inputRequired.elicit(form("Second?")) }),
      }),
    },
    ({ item }, _ctx, responses) => {
      trail.push(`run ${item}`);
      return text([item, name(responses.first), name(responses.second)].join(" "));
    },
  );

  // Two questions in turn, then two at once, unless the user declines; the side effect comes after the last one.
  server.registerTool(
    "asks-in-rounds",
    {
      inputSchema: object({ item: "string" }),
      inputRequests: (_args, responses) => ({
        first: inputRequired.elicit(form("First?")),
        ...(isAccepted(responses["first"]) && { second: inputRequired.elicit(form("Second?")) }),
        ...(isAccepted(responses["second"]) && {
          left: inputRequired.elicit(form("Left?")),
          right: inputRequired.elicit(form("Right?")),
        }),
      }),
    },
    ({ item }, _ctx, responses) => {
      trail.push(`run ${item}`);
      return text([item, ...Object.values(responses).map(name)].join(" "));
    },
  );

  server.registerTool("returns", { inputSchema: object({ item: "string" }) }, ({ item }, ctx) => {
    const answers = ctx.inputResponses ?? {};
    trail.push(`enter with ${Object.keys(answers).length}`);
    if (!("first" in answers))
      return inputRequired({ inputRequests: { first: inputRequired.elicit(form("First?")) }, requestState: { item } });
    return text(`${JSON.stringify(ctx.requestState)} ${name(answers["first"] as ElicitResult)}`);
  });

  server.registerTool("trail", {}, () => text(trail.join(", ")));
  server.registerTool("trail-at-end", {}, async () => {
    await ended;
    return text(trail.join(", "));
  });
  server.registerTool("change-list", {}, () => {
    server.sendToolListChanged();
    return text("changed");
  });

  // Has every kind of field.
  const everyField: Omit<ElicitRequestFormParams, "mode"> = {
    message: "Order",
    requestedSchema: {
      type: "object",
      properties: {
        name: { type: "string", default: "Ann" },
        amount: { type: "number", default: 2.5 },
        count: { type: "integer", default: 3 },
        gift: { type: "boolean", default: true },
        size: { type: "string", enum: ["s", "m"], default: "m" },
        colour: { type: "string", oneOf: [{ const: "#f00", title: "Red" }], default: "#f00" },
        extras: { type: "array", items: { type: "string", enum: ["nuts", "milk"] }, default: ["nuts"] },
      },
      required: ["name", "amount"],
    },
  };
  server.registerTool("order", {}, async (ctx) => {
    const { action, content } = await ctx.elicit("order", everyField);
    return text(JSON.stringify({ action, content }));
  });
  server.registerTool("plain-order", {}, async (ctx) => {
    const requestedSchema = {
      type: "object" as const,
      properties: { amount: { type: "number" as const }, size: { type: "string" as const, enum: ["s", "m"] } },
    };
    const { action, content } = await ctx.elicit("order", { message: "Order", requestedSchema });
    return text(JSON.stringify({ action, content }));
  });

  server.registerTool("visit", {}, async (ctx) => {
    const url = "https://pay.example/checkout?order=7";
    const answer = await ctx.elicit("pay", { mode: "url", message: "Pay there", url });
    return text(answer.action);
  });

  server.registerTool("grant", { inputSchema: object({ id: "string" }) }, ({ id }, ctx) => {
    granted.add(id);
    ctx.connection.completeElicitation(id);
    return text("granted");
  });
  server.registerTool("needs-grants", {}, () => {
    const missing = ["mail", "calendar"].filter((id) => !granted.has(id));
    if (missing.length === 0) return text("all granted");
    throw new UrlElicitationRequiredError(
      missing.map((elicitationId) => ({
        mode: "url",
        message: `Grant ${elicitationId}`,
        url: `https://grants.example/${elicitationId}`,
        elicitationId,
      })),
    );
  });

  server.registerTool("model", { inputSchema: object({ how: "string" }) }, async ({ how }, ctx) => {
    const user = { role: "user" as const, content: { type: "text" as const, text: "Weather in Rome?" } };
    const use = { type: "tool_use" as const, id: "1", name: "weather", input: { city: "Rome" } };
    const result = {
      type: "tool_result" as const,
      toolUseId: "1",
      content: [{ type: "text" as const, text: "Sunny" }],
    };
    const histories = {
      plain: [user],
      whole: [user, { role: "assistant" as const, content: [use] }, { role: "user" as const, content: [result] }],
      missing: [user, { role: "assistant" as const, content: [use] }, user],
      mixed: [
        user,
        { role: "assistant" as const, content: [use] },
        { role: "user" as const, content: [result, user.content] },
      ],
    };
    const answer = await ctx.sample("model", {
      messages: histories[how as keyof typeof histories],
      maxTokens: 100,
      ...(how !== "plain" && { tools: [{ name: "weather", inputSchema: { type: "object" as const } }] }),
    });
    return text(JSON.stringify(answer.content));
  });

  return server;
}
