/** Notifications that the revision does not have, or whose params do not match, are refused to the sender. */
import { describe, expect, test } from "vitest";
import { McpServer } from "../../../runtime/src/server.js";
import { connect, info, methods, revisions, text } from "./pair.js";

const refused: readonly (readonly [string, object | undefined, object])[] = [
  ["notifications/nothing", {}, { code: "NOT_IN_THIS_REVISION" }],
  ["__proto__", {}, { code: "NOT_IN_THIS_REVISION" }],
  ["notifications/initialized", undefined, { code: "NOT_IN_THIS_REVISION" }],
  ["notifications/message", { level: "loud", data: 1 }, { name: "TypeError" }],
  ["notifications/message", undefined, { name: "TypeError" }],
];

describe.each(revisions)("%s", (revision) => {
  test.each(refused)("context.notify refuses %s with %j", async (method, params, error) => {
    const problems: Error[] = [];
    const server = new McpServer(info, {
      capabilities: { logging: {} },
      onerror: (problem) => problems.push(problem),
    });
    server.registerTool("awaits", {}, async (context) => {
      await expect(context.notify(method, params)).rejects.toMatchObject(error);
      return text("refused");
    });
    server.registerTool("forgets", {}, (context) => {
      void context.notify(method, params);
      return text("done");
    });
    const { client, wire } = await connect(server, revision);
    expect(await client.callTool({ name: "awaits" })).toMatchObject(text("refused"));
    expect(await client.callTool({ name: "forgets" })).toMatchObject(text("done"));
    expect(problems).toMatchObject([error, error]);
    expect(methods(wire, "in")).not.toContain(method);
  });

  test("context.notify sends what the revision has", async () => {
    const server = new McpServer(info, { capabilities: { logging: {} } });
    server.registerTool("t", {}, async (context) => {
      await context.notify("notifications/message", { level: "error", data: "here" });
      return text("done");
    });
    const { client, wire } = await connect(server, revision);
    expect(await client.callTool({ name: "t" })).toMatchObject(text("done"));
    expect(methods(wire, "in")).toContain("notifications/message");
  });

  test("connection.notify of a client refuses the notifications of servers", async () => {
    const { client } = await connect(new McpServer(info), revision);
    const { connection } = client;
    await expect(connection.notify("notifications/message", { level: "error", data: 1 })).rejects.toMatchObject({
      code: "NOT_IN_THIS_REVISION",
    });
  });
});
