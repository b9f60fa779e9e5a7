/** The status page of a gateway, and the data that it shows. */
import { expect, onTestFinished, test } from "vitest";
import { createGateway, type Gateway, type GatewayServer } from "../../../../runtime/src/gateway.js";
import { conversionLosses } from "../../../../runtime/src/gateway/losses.js";
import { createStatusPage, type GatewayStatus } from "../../../../runtime/src/gateway/status.js";
import { clientOf, errorOf } from "../../api/pair.js";
import { everything } from "../everything.js";
import { join } from "../in-memory.js";

function gatewayTo(servers: Record<string, GatewayServer>): Gateway {
  const gateway = createGateway({ servers, onerror: () => undefined, losses: conversionLosses() });
  onTestFinished(() => gateway.close(0));
  return gateway;
}

const request = (path: string, init?: RequestInit) => new Request(`http://localhost:3000${path}`, init);

test("the data counts servers, tools, calls and losses, and has the last errors without secrets", async () => {
  const gateway = gatewayTo({
    up: { server: everything("2026-07-28").server },
    down: { transport: () => Promise.reject(new Error("no token: Bearer abcdef0123456789 https://me:pass@host/")) },
  });
  const { fetch } = createStatusPage(gateway);
  const status = async () => (await (await fetch(request("/status.json"))).json()) as GatewayStatus;
  expect(await status()).toMatchObject({
    name: "gateway",
    clients: 0,
    servers: [
      { name: "up", state: "idle", transport: "memory", connections: 0, calls: 0, failedCalls: 0 },
      { name: "down", state: "idle", transport: "custom" },
    ],
    losses: [],
  });
  const { client } = clientOf("2025-03-26");
  await join(gateway, client);
  const { tools } = await client.listTools();
  await client.callTool({ name: "up_add", arguments: { a: 1, b: 2 } });
  await errorOf(client.callTool({ name: "up_refuse" }));
  const after = await status();
  expect(after).toMatchObject({
    clients: 1,
    servers: [
      { state: "connected", revision: "2026-07-28", info: "everything 2.0.0", tools: tools.length },
      { state: "failed", connections: 0 },
    ],
  });
  expect(after.servers[0]).toMatchObject({ calls: 2, failedCalls: 1 });
  expect(after.losses).toEqual(gateway.losses);
  expect(after.losses.length).toBeGreaterThan(0);
  const error = after.servers[1]?.lastError;
  expect(error?.message).toContain("no token");
  expect(JSON.stringify(after)).not.toMatch(/abcdef0123456789|me:pass/);
  expect(error?.at).toBeGreaterThan(Date.now() - 60_000);
});

test("the page and its parts have a strict policy, and other paths are not served", async () => {
  const { fetch } = createStatusPage(gatewayTo({}));
  for (const path of ["/status", "/status.json", "/status.js", "/status.css"]) {
    const { status, headers } = await fetch(request(path));
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
  }
  expect((await fetch(request("/other"))).status).toBe(404);
  expect((await fetch(request("/status", { method: "POST" }))).status).toBe(405);
  expect(await (await fetch(request("/status", { method: "HEAD" }))).text()).toBe("");
});

test("other hosts, origins and machines are refused", async () => {
  const gateway = gatewayTo({});
  const { fetch, listener } = createStatusPage(gateway);
  expect((await fetch(new Request("http://evil.example/status.json"))).status).toBe(403);
  expect((await fetch(request("/status.json", { headers: { origin: "https://evil.example" } }))).status).toBe(403);
  const statusFor = (page: typeof listener, remoteAddress: string | undefined): number => {
    let sent = 0;
    const response = { writeHead: (status: number) => (sent = status), end: () => undefined };
    page({ url: "/status.json", headers: { host: "localhost:3000" }, socket: { remoteAddress } }, response);
    return sent;
  };
  expect(["127.0.0.1", "::1", "::ffff:127.0.0.1"].map((from) => statusFor(listener, from))).toEqual([200, 200, 200]);
  expect(["10.0.0.1", "::ffff:10.0.0.1", undefined].map((from) => statusFor(listener, from))).toEqual([403, 403, 403]);
  const named = createStatusPage(gateway, { allowedHosts: ["localhost"] });
  expect(statusFor(named.listener, "10.0.0.1")).toBe(200);
});
