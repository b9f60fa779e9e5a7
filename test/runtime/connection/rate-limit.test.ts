import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RateLimit } from "../../../runtime/src/connection/rate-limit.js";
import { McpServer } from "../../../runtime/src/server.js";
import { Client } from "../../../runtime/src/client.js";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("allows a burst, then a number a second, and never saves up more than the burst", () => {
  const rate = new RateLimit(3, 2);
  const allowed = (): number => Array.from({ length: 10 }, () => rate.take()).filter(Boolean).length;
  expect(allowed()).toBe(3);
  vi.advanceTimersByTime(1_000);
  expect(allowed()).toBe(2);
  vi.advanceTimersByTime(60_000);
  expect(allowed()).toBe(3);
});

test("a request that logs 10,000 messages sends 2,000, and others are reported once", async () => {
  const reports: Error[] = [];
  const server = new McpServer(
    { name: "s", version: "1" },
    { capabilities: { logging: {} }, onerror: (error) => void reports.push(error) },
  );
  server.registerTool("chatty", {}, (context) => {
    for (let count = 0; count < 10_000; count++) context.log("error", count);
    return { content: [] };
  });
  const logs: unknown[] = [];
  const client = new Client({ name: "c", version: "1" }, { onerror: (error) => void reports.push(error) });
  client.setNotificationHandler("notifications/message", ({ data }) => void logs.push(data));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  await client.setLoggingLevel("debug");
  await client.callTool({ name: "chatty" });
  expect(logs.slice(0, 2_000)).toEqual(Array.from({ length: 2_000 }, (_, count) => count));
  // Another one is allowed every 10 ms.
  expect(logs.length).toBeLessThan(5_000);
  await client.callTool({ name: "chatty" });
  expect(logs.length).toBeGreaterThanOrEqual(4_000);
  expect(logs.length).toBeLessThan(10_000);
  expect(reports.filter(({ message }) => message.includes("log messages are dropped"))).toHaveLength(2);
  await client.close();
});
