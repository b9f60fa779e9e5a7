import { Validator } from "@cfworker/json-schema";
import { describe, expect, test, vi } from "vitest";
import { Client, ResponseCache } from "../../../runtime/src/client.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { ajvValidator } from "../../../runtime/src/json-schema.js";
import { cfworkerValidator } from "../../../runtime/src/json-schema-cfworker.js";
import { McpServer } from "../../../runtime/src/server.js";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { StdioClientTransport, StdioServerTransport } from "../../../runtime/src/stdio.js";
import { connect, eras, errorOf, info, settled, text, thrown } from "./pair.js";

const url = "http://localhost/mcp";

/** Number options, and the constructors that accept them. */
const takers: readonly (readonly [string, (value: number) => unknown])[] = [
  ["timeoutMs", (timeoutMs) => new Client(info, { timeoutMs })],
  ["requestsInFlight", (requestsInFlight) => new Client(info, { limits: { requestsInFlight } })],
  ["intervalMs", (intervalMs) => new Client(info, { keepAlive: { intervalMs } })],
  ["pauseMs", (pauseMs) => new Client(info, { restart: { pauseMs } })],
  ["inputTimeoutMs", (inputTimeoutMs) => new McpServer(info, { inputTimeoutMs })],
  ["pageSize", (pageSize) => new McpServer(info, { pageSize })],
  ["subscriptions", (subscriptions) => new McpServer(info, { limits: { subscriptions } })],
  ["failures", (failures) => new McpServer(info, { keepAlive: { intervalMs: 1_000, failures } })],
  ["ttlMs", (ttlMs) => new McpServer(info, { suspension: { ttlMs } })],
  ["maxEntries", (maxEntries) => new ResponseCache({ maxEntries })],
  ["maxDepth", (maxDepth) => new StdioServerTransport(undefined, undefined, { maxDepth })],
  ["maxValues", (maxValues) => new StdioServerTransport(undefined, undefined, { maxValues })],
  ["maxQueuedBytes", (maxQueuedBytes) => new StdioClientTransport({ command: "node", maxQueuedBytes })],
  ["termMs", (termMs) => new StdioClientTransport({ command: "node", shutdown: { termMs } })],
  ["maxMessageBytes", (maxMessageBytes) => new SSEClientTransport(url, { maxMessageBytes })],
  ["maxDepth", (maxDepth) => new StreamableHTTPClientTransport(url, { maxDepth })],
  ["maxRetries", (maxRetries) => new StreamableHTTPClientTransport(url, { reconnectionOptions: { maxRetries } })],
  ["maxBodyBytes", (maxBodyBytes) => createMcpHandler(new McpServer(info), { maxBodyBytes })],
  ["maxValues", (maxValues) => createMcpHandler(new McpServer(info), { maxValues })],
  ["writeTimeoutMs", (writeTimeoutMs) => createMcpHandler(new McpServer(info), { writeTimeoutMs })],
  ["idleMs", (idleMs) => createMcpHandler(new McpServer(info), { sessions: { idleMs } })],
  ["maxSize", (maxSize) => new MemoryBackplane({ maxSize })],
  ["depth", (depth) => ajvValidator({ depth })],
  ["fanOut", (fanOut) => cfworkerValidator(Validator, { fanOut })],
];
describe.each(takers)("%s", (name, take) => {
  test.each([NaN, -1, -Infinity])("is not %d", (value) => {
    const { code, message } = thrown(() => take(value));
    expect(code).toBe("INVALID_CONFIGURATION");
    expect(message).toMatch(new RegExp(`^${name} must be [01] or more, not ${value}$`));
  });

  test("may be Infinity", () => {
    expect(take(Infinity)).toBeDefined();
  });
});

test("pageSize must be at least 1", () => {
  expect(thrown(() => new McpServer(info, { pageSize: 0 })).message).toBe("pageSize must be 1 or more, not 0");
});

describe.each(eras)("%s:", (era) => {
  test.each([{ timeoutMs: NaN }, { maxTotalMs: NaN }])("rejects a call whose time is NaN: %o", async (options) => {
    const server = new McpServer(info);
    server.registerTool("never", {}, () => new Promise(() => undefined));
    const { client } = await connect(server, era);
    const { code } = await errorOf(client.callTool({ name: "never" }, options));
    expect(code).toBe("INVALID_CONFIGURATION");
  });

  test("closing with an infinite grace period waits for running handlers", async () => {
    const server = new McpServer(info);
    let finish = (): void => undefined;
    server.registerTool("slow", {}, () => new Promise((resolve) => (finish = () => resolve(text("done")))));
    const { client } = await connect(server, era);
    const call = client.callTool({ name: "slow" });
    await settled();
    const closing = server.close(Infinity);
    await new Promise((resolve) => setTimeout(resolve, 20));
    finish();
    expect(await call).toMatchObject(text("done"));
    await closing;
  });
});

test("an infinite interval sends no pings", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  const { wire } = await connect(new McpServer(info), eras[0], { keepAlive: { intervalMs: Infinity } });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(wire.filter(({ method }) => method === "ping")).toEqual([]);
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});
