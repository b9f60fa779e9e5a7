import { describe, expect, test } from "vitest";
import { McpServer } from "../../../runtime/src/server.js";
import { connect, info, revisions } from "../api/pair.js";

const logLevel = "io.modelcontextprotocol/logLevel";

describe.each(revisions)("%s: the log level", (revision) => {
  test('is removed with "off", or raised to the highest in a session', async () => {
    const server = new McpServer(info, { capabilities: { logging: {} } });
    server.registerTool("t", {}, (context) => {
      context.log("error", "a message");
      return { content: [] };
    });
    const { client, wire } = await connect(server, revision);
    const logged = async (): Promise<number> => {
      await client.callTool({ name: "t" });
      return wire.filter(({ method }) => method === "notifications/message").length;
    };
    await client.setLoggingLevel("debug");
    expect(await logged()).toBe(1);
    await client.setLoggingLevel("off");
    expect(await logged()).toBe(1);
    const last = wire.filter(({ method }) => method === "tools/call").at(-1)?.params?.["_meta"];
    expect(last ?? {}).not.toHaveProperty(logLevel);
    const set = wire.filter(({ method }) => method === "logging/setLevel").map(({ params }) => params?.["level"]);
    expect(set).toEqual(revision === "2026-07-28" ? [] : ["debug", "emergency"]);
  });
});
