import { clientSides } from "@mcpwright/protocol/client-sides";
import { conversions } from "@mcpwright/protocol/conversions";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client } from "../../runtime/src/client/core.js";
import type { Transport } from "../../runtime/src/transport/transport.js";
import { Recorder } from "../../runtime/src/testing.js";
import { transportSetups, inMemory } from "./transports.js";
import { everyRevision, handshakeEra, R2, R3, R4, R5 } from "./messages.js";

const sets = [...everyRevision.map((revision) => [revision]), [...handshakeEra], [...everyRevision]];
const label = (revisions: readonly string[]): string =>
  revisions.length === 1 ? (revisions[0] ?? "") : revisions.length === 4 ? "handshake era" : "all";

/** The newest common revision; a client of both eras does not fall back if the server has the newer era. */
function expected(client: readonly string[], server: readonly string[]): string | undefined {
  return client.filter((revision) => server.includes(revision)).at(-1);
}

async function connected(revisions: readonly string[], transport: Transport) {
  const recorder = new Recorder();
  const client = new Client(
    { name: "pairs", version: "1" },
    {
      revisions: clientSides.filter(({ revision }) => revisions.includes(revision)),
      conversions,
      trace: recorder.trace,
    },
  );
  onTestFinished(() => client.close());
  const failure = await client.connect(transport, { timeoutMs: 5_000 }).catch((error: unknown) => error);
  return { client, recorder, failure };
}

const pairs = sets.flatMap((client) => sets.map((server) => ({ client, server })));

describe.each(transportSetups)("$name", (carrier) => {
  test.each(pairs.map((pair) => ({ ...pair, name: `client ${label(pair.client)}, server ${label(pair.server)}` })))(
    "$name",
    async ({ client: ours, server: theirs }) => {
      const { client, recorder, failure } = await connected(
        ours,
        await carrier.server("calculator", { revisions: theirs }),
      );
      const revision = expected(ours, theirs);
      if (revision === undefined) {
        expect(failure).toMatchObject({ code: "NO_COMMON_REVISION" });
        expect(recorder.find("out", "tools/list")).toEqual([]);
        return;
      }
      expect(failure).toBeUndefined();
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true }, logging: {} });
      expect(client.getServerVersion()).toEqual({ name: "calculator", version: "1.0.0" });
      expect(client.getInstructions()).toBe("Use it for sums.");
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("calculate_sum");
      const sum = await client.callTool({ name: "calculate_sum", arguments: { a: 1, b: 2 } });
      expect(sum).toMatchObject({ resultType: "complete", content: [{ type: "text", text: "3" }] });
      await expect(client.callTool({ name: "no such tool" })).rejects.toMatchObject({ code: -32602 });

      const opened = recorder.find("out", "initialize").length;
      expect(opened).toBe(revision === R5 ? 0 : 1);
      const probed = recorder.find("out", "server/discover").length;
      expect(probed).toBe(ours.includes(R5) ? 1 : 0);
    },
  );
});

test("a client of the handshake era reports the versions that a stateless server lists", async () => {
  const transport = await inMemory.server("calculator", { revisions: [R5] });
  const { failure } = await connected([R2, R3, R4], transport);
  expect(failure).toMatchObject({
    code: "NO_COMMON_REVISION",
    data: { ours: [R4, R3, R2], theirs: [R5] },
    cause: { code: -32022 },
  });
});

test("a client of the stateless era reports that the server needs a handshake", async () => {
  const transport = await inMemory.server("calculator", { revisions: [R3] });
  const { failure } = await connected([R5], transport);
  expect(failure).toMatchObject({ code: "NO_COMMON_REVISION" });
  expect(String(failure)).toContain("handshake");
});
