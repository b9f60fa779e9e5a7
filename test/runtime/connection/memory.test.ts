import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PendingRequests } from "../../../runtime/src/connection/pending-requests.js";
import type { ServerContext } from "../../../runtime/src/server/contracts.js";
import { call, clientOf, openOf, R4, R5, serve, serveSession } from "./connection-ends.js";
import { notification, result, Wire } from "./wire.js";

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"] });
});
afterAll(() => void vi.useRealTimers());

const calls = 20_000;

test("a client has no pending requests after 20,000 requests, a fifth of them failed", async () => {
  const { client, wire } = await clientOf(R4);
  const endings = { answered: 0, failed: 0 };
  const count = (asked: Promise<unknown>): void =>
    void asked.then(
      () => endings.answered++,
      () => endings.failed++,
    );
  const controller = new AbortController();
  for (let turn = 0; turn < calls; turn++) {
    const own = new AbortController();
    const kind = turn % 10;
    const signal = kind === 0 ? own.signal : controller.signal;
    const patience = kind === 1 ? { timeoutMs: 1_000 } : { signal };
    count(client.request("tools/list", undefined, { ...patience, ...(kind < 5 && { onProgress: () => 0 }) }));
    const id = turn + 1;
    if (kind === 0) own.abort();
    else if (kind !== 1) wire.receive(result(id, { tools: [] }));
    if (turn % 1_000 === 999) await vi.advanceTimersByTimeAsync(1_000);
    wire.take();
  }
  expect(client.waiting).toBe(0);
  expect(endings).toEqual({ answered: calls * 0.8, failed: calls * 0.2 });
  expect(vi.getTimerCount()).toBe(0);
});

test("a closed connection is collected before the deadlines of its requests", async () => {
  const swept = vi.spyOn(PendingRequests.prototype, "expireDue");
  const { client, wire } = await clientOf(R4);
  const asked = client.request("tools/list", undefined, { timeoutMs: 60_000 });
  wire.receive(result(1, { tools: [] }));
  await asked;
  await client.close();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(swept).not.toHaveBeenCalled();
  swept.mockRestore();
});

test.each([R4, R5])("%s: a server has no requests in progress after 20,000 requests", async (revision) => {
  const finishes: ((body: object) => void)[] = [];
  const handlers = {
    "tools/call": ({ name }: { name: string }, ctx: ServerContext) => {
      if (name === "sync") return { content: [] };
      if (name === "signal") expect(ctx.signal.aborted).toBe(false);
      return new Promise((resolve) => finishes.push(resolve));
    },
  };
  const { wire, connection, server } =
    revision === R5 ? await serve({}, handlers) : await serveSession(revision, {}, handlers);
  let answers = 0;
  for (let id = 1; id <= calls; id++) {
    const kind = id % 10;
    wire.receive(call(id, revision, kind < 3 ? "sync" : kind < 6 ? "signal" : "async"));
    if (kind >= 8) wire.receive(notification("notifications/cancelled", { requestId: id }));
    if (id % 100 === 0) {
      for (const finish of finishes.splice(0)) finish({ content: [] });
      await Promise.resolve();
    }
    answers += wire.take().length;
  }
  await vi.advanceTimersByTimeAsync(0);
  answers += wire.take().length;
  expect(answers).toBe(calls * 0.8);
  expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
  wire.break();
  expect(server.connections.size).toBe(0);
});

test("1,000 input requests, half of them cancelled, leave nothing", async () => {
  const { wire, connection } = await serveSession(R4, {}, {}, { roots: {} });
  const outcomes: Promise<unknown>[] = [];
  for (let turn = 0; turn < 1_000; turn++) {
    outcomes.push(connection.request("roots/list", undefined, { timeoutMs: 50 }));
    if (turn % 2) wire.receive(result(turn + 1, { roots: [] }));
  }
  const ended = Promise.allSettled(outcomes);
  await vi.advanceTimersByTimeAsync(50);
  expect((await ended).filter(({ status }) => status === "fulfilled")).toHaveLength(500);
  expect(openOf(connection)).toEqual({ waiting: 0, handling: 0 });
});

test("closed connections are released, with their pending requests", async () => {
  const { server, wire: first } = await serve({}, { "tools/call": () => new Promise(() => undefined) });
  first.break();
  for (let turn = 0; turn < 200; turn++) {
    const wire = new Wire();
    await server.connect(wire);
    wire.receive(call(1, R5));
    expect(server.connections.size).toBe(1);
    wire.break(turn % 2 ? new Error("gone") : undefined);
    expect(server.connections.size).toBe(0);
  }
  expect(vi.getTimerCount()).toBe(0);
});
