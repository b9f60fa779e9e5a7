/** The headers that repeat arguments are checked on every request, and before its `requestState`. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inputRequired, McpServer, Server } from "../../../runtime/src/server.js";
import { hosts } from "./hosts.js";
import { call, type Message, modern } from "./messages.js";
import { text } from "./subject.js";

const capabilities = { elicitation: {} };
const yes = { action: "accept", content: {} };
const form = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
const inputSchema = z.object({ zone: z.string().meta({ "x-mcp-header": "Zone" }) });
const args = { zone: "north" };

function mcpServer(): McpServer {
  const server = new McpServer({ name: "s", version: "1" });
  server.registerTool("waits", { inputSchema }, async (_, context) => {
    await context.elicit("q", form);
    return text("went on");
  });
  server.registerTool("returns", { inputSchema }, (_, { inputResponses }) =>
    inputResponses ? text("went on") : inputRequired({ inputRequests: { q: inputRequired.elicit(form) } }),
  );
  return server;
}

function lowLevel(isLate: boolean): Server {
  const schema = { type: "object", properties: { zone: { type: "string", "x-mcp-header": "Zone" } } };
  const server = new Server(
    { name: "s", version: "1" },
    { capabilities: { tools: {} }, toolInputSchema: () => (isLate ? Promise.resolve(schema) : schema) },
  );
  server.handle({
    "tools/call": async ({ name }, context) => {
      if (name === "waits") await context.elicit("q", form);
      else if (!context.inputResponses) return inputRequired({ inputRequests: { q: inputRequired.elicit(form) } });
      return text("went on");
    },
  });
  return server;
}

describe.each(hosts)("$name", ({ open: host }) => {
  describe.each<[string, () => McpServer | Server]>([
    ["McpServer", mcpServer],
    ["Server", () => lowLevel(false)],
    ["Server whose schemas come later", () => lowLevel(true)],
  ])("%s", (_, create) => {
    test.each(["waits", "returns"])("%s: a wrong or missing header is refused, on the retry too", async (name) => {
      const at = await host(create());
      const good = { headers: { "mcp-param-zone": "north" }, capabilities };
      const bad = { headers: { "mcp-param-zone": "south" }, capabilities };
      const refused = async (sent: Parameters<typeof at.send>[0]) => {
        const answer = await at.send(sent);
        expect([answer.status, ((await answer.json()) as Message).error?.code]).toEqual([400, -32020]);
      };
      await refused(call(1, name, args, bad));
      await refused(call(2, name, args, { capabilities }));
      const first = (await (await at.send(call(3, name, args, good))).json()) as Message;
      const retry = { name, arguments: args, requestState: first.result?.["requestState"], inputResponses: { q: yes } };
      await refused(modern(4, "tools/call", retry, bad));
      // A wrong header is reported before a wrong state.
      await refused(modern(5, "tools/call", { ...retry, requestState: "x" }, bad));
      const unknown = (await (
        await at.send(modern(6, "tools/call", { ...retry, requestState: "x" }, good))
      ).json()) as Message;
      expect(unknown.error?.code).toBe(-32602);
      // The state was not used up.
      const last = (await (await at.send(modern(7, "tools/call", retry, good))).json()) as Message;
      expect(last.result).toMatchObject(text("went on"));
    });
  });
});
