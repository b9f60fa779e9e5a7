/** The types that the compiler infers for authors, and the code that it rejects. */
import type {
  ClientNotifications as ClientNotifications4,
  ClientRequests as ClientRequests4,
} from "@mcpwright/protocol/2025-11-25";
import type { ServerHandlers as ServerHandlers4 } from "@mcpwright/protocol/2025-11-25/server";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type {
  ClientCapabilities,
  CreateMessageResult,
  ElicitResult,
  InputResponses,
  Root,
} from "../../../runtime/src/authoring.js";
import { Client } from "../../../runtime/src/client.js";
import {
  acceptedContent,
  type InputRequestsCallback,
  inputRequired,
  inputResponse,
  type InputResponseKey,
  McpServer,
  type NotificationContext,
  type RegisteredTool,
  Server,
  type ServerContext,
  type ServerHandlers,
  type ToolResult,
} from "../../../runtime/src/server.js";
import { info, text } from "./pair.js";

const inputSchema = z.object({ a: z.string(), n: z.number().default(1) });
const form = inputRequired.elicit({ message: "?", requestedSchema: { type: "object", properties: {} } });
const sampling = inputRequired.createMessage({ messages: [], maxTokens: 1 });

describe("tools", () => {
  test("responses have the keys and types of the input requests", () => {
    const server = new McpServer(info);
    const ask = () => ({ sure: form, poem: sampling, roots: inputRequired.listRoots() });
    server.registerTool("all", { inputSchema, inputRequests: ask }, (args, _context, responses) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string; n: number }>();
      expectTypeOf(responses.sure).toEqualTypeOf<ElicitResult | undefined>();
      expectTypeOf(responses.poem).toEqualTypeOf<CreateMessageResult | undefined>();
      expectTypeOf(responses.roots?.roots).toEqualTypeOf<Root[] | undefined>();
      // @ts-expect-error this key was not requested
      return text(String(responses.other));
    });
    server.registerTool(
      "some",
      {
        inputSchema,
        inputRequests: ({ n }) => Promise.resolve(n > 1 ? { one: form, ...(n > 2 && { two: sampling }) } : undefined),
      },
      (_args, _context, responses) => {
        expectTypeOf(responses.one).toEqualTypeOf<ElicitResult | undefined>();
        expectTypeOf(responses.two).toEqualTypeOf<CreateMessageResult | undefined>();
        return text("");
      },
    );
    const apart: InputRequestsCallback<Record<string, never>> = () => ({ one: form });
    server.registerTool("apart", { inputRequests: apart }, (_context, responses) => {
      expectTypeOf(responses).toEqualTypeOf<InputResponses>();
      return text(String(acceptedContent(responses, "one")?.["name"]));
    });
    server.registerPrompt("prompt", { inputRequests: () => ({ sure: form }) }, (_context, responses) => {
      expectTypeOf(responses.sure).toEqualTypeOf<ElicitResult | undefined>();
      return { messages: [] };
    });
  });

  test("structured content has the input type of the output schema", () => {
    const server = new McpServer(info);
    const outputSchema = z.object({ n: z.number(), by: z.string().default("me") });
    server.registerTool("fits", { inputSchema, outputSchema }, ({ n }) => ({ structuredContent: { n } }));
    server.registerTool("fails", { outputSchema }, () => ({ isError: true, content: [] }));
    server.registerTool("asks", { outputSchema }, () => inputRequired({ inputRequests: { form } }));
    // @ts-expect-error n is a number
    server.registerTool("other", { outputSchema }, () => ({ structuredContent: { n: "1" } }));
    server.registerTool("any", {}, () => ({ structuredContent: { whatever: 1 } }));
  });

  test("registered items keep their types", () => {
    const server = new McpServer(info);
    const tool = server.registerTool("t", { inputSchema }, () => text(""));
    tool.update({
      callback: ({ a, n }, context) => {
        expectTypeOf([a, n] as const).toEqualTypeOf<readonly [string, number]>();
        expectTypeOf(context).toEqualTypeOf<ServerContext>();
        return text(a);
      },
    });
    tool.update({ inputSchema: z.object({ b: z.boolean() }), callback: ({ b }) => text(String(b)) });
    tool.update({ inputRequests: ({ a }) => (a ? { form } : undefined) });
    const all: RegisteredTool[] = [tool, server.registerTool("u", {}, () => text(""))];
    all[0]?.update({ title: "T" });
    const kept: RegisteredTool = server.registerTool("v", {}, async (context) => {
      expectTypeOf(context).toEqualTypeOf<ServerContext>();
      return { content: [{ type: "text", text: await Promise.resolve("") }] };
    });
    expect(kept.enabled).toBe(true);
    // @ts-expect-error enable() and disable()
    tool.update({ enabled: false });
    // @ts-expect-error no function
    expect(() => tool.update({ callback: 5 })).toThrow("no callback");
    const prompt = server.registerPrompt("p", { argsSchema: z.object({ a: z.string() }) }, () => ({ messages: [] }));
    prompt.update({ callback: ({ a }) => ({ messages: [], description: a }) });
    // @ts-expect-error no function
    expect(() => prompt.update({ callback: 5 })).toThrow("no callback");
  });

  test("schemas without an enclosing object schema do not compile", () => {
    const server = new McpServer(info);
    const says = () => text("");
    // @ts-expect-error z.object() is missing
    expect(() => server.registerTool("t", { inputSchema: { a: z.string() } }, says)).toThrow(
      "a plain object of schemas",
    );
    // @ts-expect-error z.object() is missing
    expect(() => server.registerTool("t", { inputSchema: {} }, says)).toThrow("must accept only objects");
    const prompt = () => ({ messages: [] });
    // @ts-expect-error z.object() is missing
    expect(() => server.registerPrompt("p", { argsSchema: { a: z.string() } }, prompt)).toThrow(
      "a plain object of schemas",
    );
  });
});

test("the content of a form has the output type of its schema", () => {
  const responses: InputResponses = {
    fits: { action: "accept", content: { name: "Ada" } },
    empty: { action: "accept" },
    no: { action: "decline" },
    roots: { roots: [] },
  };
  const schema = z.object({ name: z.string().toUpperCase() });
  const content = acceptedContent(responses, "fits", schema);
  expectTypeOf(content).toEqualTypeOf<{ name: string } | undefined>();
  expect(content).toEqual({ name: "ADA" });
  expectTypeOf(acceptedContent<{ name: string }>(responses, "fits")?.name).toEqualTypeOf<string | undefined>();
  expect(acceptedContent(responses, "fits")).toEqual({ name: "Ada" });
  for (const key of ["empty", "no", "roots", "nobody"]) expect(acceptedContent(responses, key, schema)).toBeUndefined();
  const later = z.object({ name: z.string().refine(() => Promise.resolve(true)) });
  expect(() => acceptedContent(responses, "fits", later)).toThrow("validates synchronously");
});

test("the keys of responses are those of the input requests", () => {
  const server = new McpServer(info);
  const ask = inputRequired.elicit({ message: "Sure?", requestedSchema: { type: "object", properties: {} } });
  const schema = z.object({ gift: z.boolean() });
  server.registerTool("t", { inputRequests: () => ({ sure: ask }) }, (_context, given) => {
    acceptedContent(given, "sure");
    acceptedContent(given, "sure", schema);
    inputResponse(given, "sure");
    // @ts-expect-error no such request
    acceptedContent(given, "shure");
    // @ts-expect-error no such request
    acceptedContent(given, "shure", schema);
    // @ts-expect-error no such request
    inputResponse(given, "shure");
    expectTypeOf<InputResponseKey<typeof given>>().toEqualTypeOf<"sure">();
    return text("");
  });
  expectTypeOf<InputResponseKey<InputResponses>>().toEqualTypeOf<string>();
});

test("a function that returns a ToolResult is the callback of a tool", () => {
  const answer = (value: string): ToolResult => ({ content: [{ type: "text", text: value }] });
  new McpServer(info).registerTool("t", {}, () => answer("done"));
});

test("a low-level server's handlers have the types of their methods", () => {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.handle({
    "tools/list": ({ cursor }, context) => {
      expectTypeOf(cursor).toEqualTypeOf<string | undefined>();
      expectTypeOf(context).toEqualTypeOf<ServerContext>();
      return { tools: [] };
    },
    "tools/call": ({ name, arguments: args = {} }, context) => {
      context.progress({ progress: 1 });
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
      return args["ask"] === true ? inputRequired({ inputRequests: { form } }) : text(name);
    },
    "notifications/cancelled": ({ reason }) => reason?.length,
    "notifications/initialized": (_params, context) => expectTypeOf(context).toEqualTypeOf<NotificationContext>(),
    // @ts-expect-error notifications have no progress
    "notifications/roots/list_changed": (_params, { progress }) => typeof progress,
  });
  server.handle<ServerHandlers<ClientRequests4, ClientNotifications4>>({
    "notifications/initialized": (_params, context) => expectTypeOf(context).toEqualTypeOf<NotificationContext>(),
  });
  // @ts-expect-error this method does not exist
  server.handle({ "tools/lst": () => ({ tools: [] }) });
  // @ts-expect-error params of another method
  server.handle({ "tools/call": ({ x }: { x: number }) => text(String(x)) });
  // @ts-expect-error the result of another method
  server.handle({ "tools/call": () => ({ tools: [] }) });
  server.handle<ServerHandlers<ClientRequests4>>({
    "tools/call": ({ task, name }, context) => {
      expectTypeOf(task?.ttl).toEqualTypeOf<number | undefined>();
      expectTypeOf(context).toEqualTypeOf<ServerContext>();
      return text(name);
    },
  });
  const older: ServerHandlers4 = { "tools/list": () => ({ tools: [] }), "tools/call": () => text("") };
  server.handle<ServerHandlers4>(older);
  server.handle<Record<"shop/buy", (params: { article: string }, context: ServerContext) => object>>({
    "shop/buy": ({ article }) => ({ bought: article }),
  });
});

test("a client's handlers of notifications have the types of their methods", () => {
  const client = new Client(info);
  client.setNotificationHandler("notifications/message", ({ level, data }) => {
    expectTypeOf([level, data] as const).toExtend<readonly [string, unknown]>();
  });
  client.setNotificationHandler("notifications/elicitation/complete", ({ elicitationId }) => elicitationId.length);
  client.setNotificationHandler("notifications/tools/list_changed", () => Promise.resolve());
  client.setNotificationHandler<{ "shop/sold": { article: string } }>("shop/sold", ({ article }) => article.length);
  // @ts-expect-error this method does not exist
  client.setNotificationHandler("notifications/mesage", ({ level }: { level: string }) => level);
  // @ts-expect-error params of another method
  client.setNotificationHandler("notifications/message", ({ lvl }: { lvl: string }) => lvl);
});

test("declared methods have their types", () => {
  expectTypeOf<ServerContext["client"]["capabilities"]>().toExtend<ClientCapabilities>();
  expectTypeOf<NonNullable<ServerContext["client"]["capabilities"]["elicitation"]>>().toHaveProperty("form");
});
