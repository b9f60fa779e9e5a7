import { describe, expect, test, vi } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { McpServer, Server, type ServerContext } from "../../../runtime/src/server.js";
import { call, clientOf, R2, R4, R5, serve, serveSession } from "../connection/connection-ends.js";
import { request } from "../connection/wire.js";
import { info } from "./pair.js";

/** Options with undefined values, which callers may pass unless their compiler forbids it. */
const nothing = (...names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, undefined]));

describe("undefined options are ignored", () => {
  const limits = nothing("requestsInFlight", "batchLength", "subscriptions");
  const handlers = { "tools/call": () => new Promise<never>(() => undefined) };

  test("in limits: requests in flight, subscriptions", async () => {
    const { wire, connection } = await serve({ limits }, handlers);
    for (let id = 0; id <= 1_000; id++) wire.receive(call(id, R5));
    expect(wire.take()).toMatchObject([{ id: 1_000, error: { code: -32603 } }]);
    expect(connection.maxSubscriptions).toBe(1_000);
  });

  test("in limits: messages in a batch", async () => {
    const { wire } = await serveSession(R2, { limits });
    wire.take();
    wire.receive(Array.from({ length: 1_001 }, (_, id) => request(id, "ping")));
    expect(wire.take()).toMatchObject([Array(1_001).fill({ error: { code: -32600 } })]);
  });

  test("in the options of the default entries", () => {
    const options = nothing("revisions", "conversions");
    for (const made of [new Client(info, options), new McpServer(info, options).server, new Server(info, options)])
      expect(made.options).toMatchObject({ revisions: { length: 5 }, conversions: expect.any(Object) as unknown });
  });

  test("in the options of calls: elicitation waits for ten minutes, and a stream has no time-out", async () => {
    const times = nothing("timeoutMs", "maxTotalMs");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const ask = {
        "tools/call": async (_: unknown, ctx: ServerContext) => ({
          content: [],
          ...(await ctx.listRoots("r", times)),
        }),
      };
      const served = await serveSession(R4, {}, ask, { roots: {} });
      served.wire.receive(call(1, R4));
      const { client, wire } = await clientOf(R5);
      client.listen("subscriptions/listen", { notifications: {} }, times);
      await vi.advanceTimersByTimeAsync(599_999);
      expect([...served.wire.take(), ...wire.take()].map(({ method }) => method)).toEqual([
        "roots/list",
        "subscriptions/listen",
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});
