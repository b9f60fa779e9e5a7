import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client } from "../../../../runtime/src/client.js";
import { abandon } from "../../../support/abandon.js";
import { clientInfo, clientSide, discovered, R4, R5 } from "../../connection/connection-ends.js";
import { error, result, Wire } from "../../connection/wire.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** A client whose server is silent at first, and then rejects the handshake. */
async function rejected(probeTimeoutMs?: number) {
  const client = new Client(clientInfo, { revisions: [R5, R4].map(clientSide) });
  const wire = new Wire();
  const connected = client.connect(wire, probeTimeoutMs === undefined ? {} : { probeTimeoutMs });
  abandon(connected);
  const probe = await wire.next();
  await vi.advanceTimersByTimeAsync(probeTimeoutMs ?? 1_500);
  const handshake = await wire.next();
  expect([probe.method, handshake.method]).toEqual(["server/discover", "initialize"]);
  wire.receive(error(handshake.id as number, -32601, "Method not found"));
  return { client, wire, connected, probe };
}

test("a probe is answered long after the handshake was rejected: the answer counts", async () => {
  const { client, wire, connected, probe } = await rejected();
  await vi.advanceTimersByTimeAsync(9_000);
  wire.receive(result(probe.id as number, discovered([R5])));
  await connected;
  expect(client.getNegotiatedProtocolVersion()).toBe(R5);
  abandon(client.close());
});

test.each([
  [undefined, 10_000],
  [40, 40],
])("a probe that is not answered (probeTimeoutMs %s) fails the connection after %d ms", async (given, ms) => {
  const { connected } = await rejected(given);
  const ended = vi.fn();
  connected.catch(ended);
  await vi.advanceTimersByTimeAsync(ms - 10);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  await expect(connected).rejects.toMatchObject({ code: -32601 });
});
