import { describe, expect, test } from "vitest";
import { ResponseCache } from "../../../runtime/src/client.js";
import { ProtocolError } from "../../../runtime/src/index.js";
import { Server } from "../../../runtime/src/server.js";
import { connect, info, methods } from "../api/pair.js";

const kept = { ttlMs: 60_000, cacheScope: "private" } as const;
const R5 = "2026-07-28";

/** A server with cached lists, whose other requests fail with a code. */
function failing(code: number): Server {
  const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
  const server = new Server(info, { capabilities });
  const fail = () => Promise.reject(new ProtocolError(code, "no"));
  server.handle({
    "tools/list": () => ({ tools: [], ...kept }),
    "prompts/list": () => ({ prompts: [], ...kept }),
    "resources/list": () => ({ resources: [], ...kept }),
    "resources/templates/list": () => ({ resourceTemplates: [], ...kept }),
    "tools/call": fail,
    "prompts/get": fail,
    "resources/read": fail,
    "completion/complete": fail,
  });
  return server;
}

describe("an error that says that a listed thing is gone drops the cached lists that contained it", () => {
  test.each([-32601, -32602])("%i", async (code) => {
    const { client, wire } = await connect(failing(code), R5, { cache: new ResponseCache() });
    const relisted = async (fail: () => Promise<unknown>): Promise<string[]> => {
      const list = async (): Promise<void> => {
        await client.listTools();
        await client.listPrompts();
        await client.listResources();
        await client.listResourceTemplates();
      };
      await list();
      await expect(fail()).rejects.toMatchObject({ code });
      const before = methods(wire, "out").length;
      await list();
      return methods(wire, "out").slice(before);
    };
    expect(await relisted(() => client.callTool({ name: "gone" }))).toEqual(["tools/list"]);
    expect(await relisted(() => client.getPrompt({ name: "gone" }))).toEqual(["prompts/list"]);
    expect(await relisted(() => client.readResource({ uri: "a:gone" }))).toEqual([
      "resources/list",
      "resources/templates/list",
    ]);
    const ref = { type: "ref/prompt", name: "gone" } as const;
    expect(await relisted(() => client.complete({ ref, argument: { name: "a", value: "" } }))).toEqual([
      "prompts/list",
      "resources/list",
      "resources/templates/list",
    ]);
  });

  test("but other errors do not", async () => {
    const { client, wire } = await connect(failing(-32603), R5, { cache: new ResponseCache() });
    await client.listTools();
    await expect(client.callTool({ name: "t" })).rejects.toMatchObject({ code: -32603 });
    await client.listTools();
    expect(methods(wire, "out")).toEqual(["tools/list", "tools/call"]);
  });
});
