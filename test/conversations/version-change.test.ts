import { clientSides } from "@mcpwright/protocol/client-sides";
import { expect, test } from "vitest";
import { Client } from "../../runtime/src/client/client.js";
import { InMemoryTransport } from "../../runtime/src/transport/in-memory.js";
import { ScriptedPeer } from "../../runtime/src/testing/scripted-peer.js";

const [now] = clientSides;
const later = { ...now, revision: "2031-01-01" } as (typeof clientSides)[number];
const supported = (...versions: string[]) => ({
  code: -32022,
  message: "gone",
  data: { supported: versions, requested: "x" },
});
const discovered = (...supportedVersions: string[]) => ({
  resultType: "complete",
  supportedVersions,
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: "private",
});

test.each([
  ["negotiates another revision and sends the request again", "2026-07-28"],
  ["reports an error if there is no other revision", undefined],
])("when the server drops the revision in use, the client %s", async (_what, left) => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = new ScriptedPeer(far);
  await server.start();
  const client = new Client({ name: "c", version: "1" }, { revisions: now ? [later, now] : [] });
  const connecting = client.connect(near);
  const answer = async (method: string, version: string, body: object) => {
    const { id, ...request } = (await server.receive()) as { id: number; method: string; params: { _meta: object } };
    expect(request).toMatchObject({
      method,
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": version } },
    });
    await server.send({ jsonrpc: "2.0", id, ...body });
  };
  await answer("server/discover", "2031-01-01", { result: discovered("2031-01-01", "2026-07-28") });
  await connecting;

  const calling = client.callTool({ name: "x" }).catch((error: unknown) => (error as { code: number }).code);
  const versions = left === undefined ? ["2040-01-01"] : [left];
  await answer("tools/call", "2031-01-01", { error: supported(...versions) });
  await answer("server/discover", "2031-01-01", { error: supported(...versions) });
  if (left !== undefined) {
    await answer("server/discover", left, { result: discovered(left) });
    await answer("tools/call", left, { result: { resultType: "complete", content: [] } });
    expect(await calling).toEqual({ resultType: "complete", content: [] });
    expect(client.getNegotiatedProtocolVersion()).toBe(left);
  } else expect(await calling).toBe("NO_COMMON_REVISION");
  await client.close();
});
