import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { KeepAliveOptions } from "../../../runtime/src/connection/keep-alive.js";
import {
  clientInfo,
  clientOf,
  connectClient,
  handshakeEra,
  initialize,
  modern,
  R1,
  R4,
  R5,
  serve,
  serverSide,
  serveSession,
} from "./connection-ends.js";
import { error, idle, notification, request, result, type Wire } from "./wire.js";

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"] });
});
afterAll(() => void vi.useRealTimers());

describe("ping", () => {
  test.each(handshakeEra)("%s: both sides respond with an empty result", async (revision) => {
    const { wire } = await serveSession(revision);
    const client = await connectClient(revision);
    for (const end of [wire, client.wire]) {
      expect(await end.ask(1, "ping")).toEqual(result(1));
      expect(await end.ask("p", "ping", { _meta: { a: 1 } })).toEqual(result("p"));
    }
  });

  test.each(handshakeEra)("%s: both sides can send it", async (revision) => {
    const { wire, connection } = await serveSession(revision);
    const { client, wire: other } = await clientOf(revision);
    for (const [end, ping] of [
      [wire, connection.request("ping", undefined)],
      [other, client.request("ping", undefined)],
    ] as const) {
      expect(await end.next()).toEqual(request(1, "ping"));
      end.receive(result(1));
      expect(await ping).toEqual({});
    }
  });

  test("a server responds before initialize, and between initialize and initialized", async () => {
    const { wire } = await serve();
    expect(await wire.ask(1, "ping")).toEqual(result(1));
    await wire.ask(2, "initialize", { protocolVersion: R4, capabilities: {}, clientInfo });
    expect(await wire.ask(3, "ping")).toEqual(result(3));
  });

  test("a server can send only ping before the client is initialized", async () => {
    const { wire, connection } = await serve();
    await wire.ask(1, "initialize", { protocolVersion: R4, capabilities: { roots: {} }, clientInfo });
    await expect(connection.request("roots/list", undefined)).rejects.toMatchObject({ code: "CANNOT_ASK" });
    void connection.request("ping", undefined);
    expect(wire.take()).toEqual([request(1, "ping")]);
    wire.receive(notification("notifications/initialized"));
    void connection.request("roots/list", undefined);
    expect(wire.take()).toEqual([request(2, "roots/list")]);
  });

  test("the stateless era has no ping", async () => {
    const { wire } = await serve();
    wire.receive(request(1, "ping", modern()));
    expect(await wire.next()).toMatchObject({ id: 1, error: { code: -32601 } });
    const only = await serve({ revisions: [serverSide(R5)] });
    expect(await only.wire.ask(1, "ping")).toMatchObject({ error: { code: -32602 } });
    const { client } = await clientOf(R5);
    await expect(client.request("ping", undefined)).rejects.toMatchObject({ code: "NOT_IN_THIS_REVISION" });
  });

  test("a busy server responds immediately", async () => {
    const { wire } = await serveSession(R4, {}, { "tools/call": () => new Promise(() => undefined) });
    wire.receive(request(1, "tools/call", { name: "t" }));
    wire.receive(request(2, "ping"));
    expect(wire.take()).toEqual([result(2)]);
  });
});

describe("keep-alive", () => {
  /** Advances time in steps and responds to each ping as `answers` defines. */
  async function live(
    keepAlive: KeepAliveOptions,
    answers: readonly ("yes" | "no" | "error")[],
    wire: Wire,
    step: number,
  ) {
    let pings = 0;
    for (const answer of answers) {
      await vi.advanceTimersByTimeAsync(step);
      for (const { id = "", method } of wire.take()) {
        if (method !== "ping") continue;
        pings++;
        if (answer === "yes") wire.receive(result(id));
        if (answer === "error") wire.receive(error(id, -32603));
      }
      await idle();
    }
    return { pings, closed: wire.isClosed, missed: keepAlive.failures };
  }

  test.each<[string, KeepAliveOptions, readonly ("yes" | "no" | "error")[], number, boolean]>([
    ["all responses arrive", { intervalMs: 100 }, ["yes", "yes", "yes", "yes", "yes"], 5, false],
    ["some responses are missing", { intervalMs: 100 }, ["no", "no", "yes", "no", "no", "yes"], 6, false],
    ["three responses are missing", { intervalMs: 100 }, ["no", "no", "no", "no"], 3, true],
    ["one missing response with failures: 1", { intervalMs: 100, failures: 1 }, ["yes", "no", "no"], 2, true],
    ["a late response counts as missing", { intervalMs: 100, timeoutMs: 10, failures: 2 }, ["no", "no", "no"], 2, true],
  ])("%s", async (_, keepAlive, answers, atLeast, closed) => {
    const { wire, errors } = await clientOf(R4, { keepAlive });
    const outcome = await live(keepAlive, answers, wire, 100);
    expect(outcome.closed).toBe(closed);
    expect(outcome.pings).toBeGreaterThanOrEqual(atLeast);
    // Each missing response is reported.
    const missed = errors.filter((one) => (one as { code?: unknown }).code === "REQUEST_TIMEOUT");
    expect(missed.length).toBe(answers.includes("no") ? Math.max(missed.length, 1) : 0);
  });

  test.each([
    ["an invalid response", (id: unknown) => ({ jsonrpc: "2.0", id, result: null })],
    ["any other message", () => notification("notifications/tools/list_changed")],
  ])("%s resets the missing responses", async (_, answer) => {
    const { wire } = await clientOf(R4, { keepAlive: { intervalMs: 100, failures: 1 } });
    for (let times = 0; times < 4; times++) {
      await vi.advanceTimersByTimeAsync(100);
      const [ping] = wire.take();
      wire.receive(answer(ping?.id));
      await idle();
    }
    expect(wire.isClosed).toBe(false);
  });

  test("sends a ping after each interval", async () => {
    const { wire } = await clientOf(R4, { keepAlive: { intervalMs: 1_000 } });
    await vi.advanceTimersByTimeAsync(999);
    expect(wire.take()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const [ping] = wire.take();
    expect(ping).toEqual(request(1, "ping"));
    wire.receive(result(1));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(wire.take()).toEqual([request(2, "ping")]);
  });

  test("sends no cancellation for a missing response", async () => {
    const { wire } = await clientOf(R1, { keepAlive: { intervalMs: 100, timeoutMs: 10, failures: 9 } });
    await vi.advanceTimersByTimeAsync(199);
    expect(wire.take()).toEqual([request(1, "ping")]);
  });

  test("a server starts when the client is initialized", async () => {
    const { wire } = await serve({ keepAlive: { intervalMs: 100, failures: 1 } });
    await wire.ask("i", "initialize", { protocolVersion: R4, capabilities: {}, clientInfo });
    await vi.advanceTimersByTimeAsync(500);
    expect(wire.take()).toEqual([]);
    wire.receive(notification("notifications/initialized"));
    await vi.advanceTimersByTimeAsync(100);
    expect(wire.take()).toEqual([request(1, "ping")]);
    await vi.advanceTimersByTimeAsync(100);
    expect(wire.isClosed).toBe(true);
  });

  test("starts once, even if initialized is sent twice", async () => {
    const { wire } = await serve({ keepAlive: { intervalMs: 100 } });
    await initialize(wire, R4);
    wire.receive(notification("notifications/initialized"));
    await vi.advanceTimersByTimeAsync(100);
    expect(wire.take()).toEqual([request(1, "ping")]);
  });

  test("is off in the stateless era", async () => {
    const { wire } = await clientOf(R5, { keepAlive: { intervalMs: 10 } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(wire.take()).toEqual([]);
    expect(wire.isClosed).toBe(false);
  });

  test("stops its timer with the connection", async () => {
    const before = vi.getTimerCount();
    const { client, wire } = await clientOf(R4, { keepAlive: { intervalMs: 10 } });
    expect(vi.getTimerCount()).toBe(before + 1);
    await client.close();
    expect(vi.getTimerCount()).toBe(before);
    await vi.advanceTimersByTimeAsync(100);
    expect(wire.take()).toEqual([]);
  });
});
