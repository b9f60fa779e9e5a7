import { describe, expect, test } from "vitest";
import type { Era } from "../../../runtime/src/client.js";
import { StdioClientTransport } from "../../../runtime/src/stdio.js";
import { connected } from "../http-client/clients.js";
import { complete, fakeServer, handshake, result, type Script, stateless } from "../http-client/fake-server.js";

const lists: Script = ({ message: { id, method } }, reply) =>
  method === undefined
    ? reply.status(405)
    : reply.json(result(id, complete({ tools: [], ttlMs: 0, cacheScope: "private" })));

describe("clients that share a memory of eras", () => {
  test.each([
    ["handshake", handshake("2025-11-25", lists), ["server/discover", "initialize", "initialize"]],
    ["stateless", stateless(lists), ["server/discover", "server/discover"]],
  ] as const)("probe a server once: %s", async (era, script, opening) => {
    const server = await fakeServer(script);
    const eras = new Map<string, Era>();
    for (let round = 0; round < 2; round++) {
      const { client } = await connected(server, {}, {}, { eras });
      expect(client.era).toBe(era);
      await client.close();
    }
    expect(server.story.filter((method) => ["server/discover", "initialize"].includes(method))).toEqual(opening);
    expect([...eras]).toEqual([[server.url, era]]);
  });

  test("detect a server that has another era by now", async () => {
    const server = await fakeServer(stateless(lists));
    const eras = new Map<string, Era>([[server.url, "handshake"]]);
    server.script = (seen, reply) =>
      seen.message.method === "initialize"
        ? reply.json(
            {
              jsonrpc: "2.0",
              id: seen.message.id,
              error: { code: -32022, message: "no", data: { supported: ["2026-07-28"], requested: "2025-11-25" } },
            },
            400,
          )
        : stateless(lists)(seen, reply);
    const { client } = await connected(server, {}, {}, { eras });
    expect(client.era).toBe("stateless");
    expect(eras.get(server.url)).toBe("stateless");
  });
});

test("a server over stdio is known by its command", () => {
  expect(new StdioClientTransport({ command: "node", args: ["server.js"] }).serverId).toBe('["node",["server.js"],""]');
  expect(new StdioClientTransport({ command: "node", cwd: "/srv" }).serverId).toBe('["node",[],"/srv"]');
});
