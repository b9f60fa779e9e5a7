import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { Client } from "../../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../../runtime/src/client/http.js";
import { weatherUrl } from "../../shared/sessions/places.js";
import { configFile, listening, processServer, textOf, toolNames } from "./places.js";

const command = (): readonly string[] => [process.execPath, processServer()];

test("many clients use a server that only has stdio", async () => {
  const url = await listening({ command: command(), http: { port: 0 } });
  expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const clients = [new Client({ name: "a", version: "1" }), new Client({ name: "b", version: "1" })];
  for (const client of clients) {
    await client.connect(new StreamableHTTPClientTransport(url));
    onTestFinished(() => client.close());
    expect(await toolNames(client)).toEqual(["pid", "variable", "folder"]);
    expect(Number(await textOf(client, "pid"))).toBeGreaterThan(0);
  }
});

test.each([
  [{}, "Ask for cities."],
  [{ gateway: { instructions: false } }, undefined],
])("clients get the instructions of connected servers, unless the settings are %j", async (settings, instructions) => {
  const config = configFile({ weather: { url: await weatherUrl() } }, settings);
  const url = await listening({ config, http: { port: 0 } });
  const clients = [new Client({ name: "a", version: "1" }), new Client({ name: "b", version: "1" })];
  for (const client of clients) {
    await client.connect(new StreamableHTTPClientTransport(url));
    onTestFinished(() => client.close());
    expect(await toolNames(client)).toContain("weather_get-forecast");
  }
  expect(clients[1]?.getInstructions()).toEqual(instructions && (expect.stringContaining(instructions) as string));
});

test("a port in use, and an address that others reach without the names of hosts, are refused", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(listening({ command: command(), http: { port } })).rejects.toMatchObject({
    diagnostics: [{ id: "gateway-not-listening", message: expect.stringContaining("the port is in use") as string }],
  });
  await expect(listening({ command: command(), http: { port: 0, host: "0.0.0.0" } })).rejects.toMatchObject({
    diagnostics: [{ id: "gateway-not-listening", message: expect.stringContaining("allowedHosts") as string }],
  });
});

test("the status page is served on the same port if it is wanted", async () => {
  const told: string[] = [];
  const tell = (line: string): void => void told.push(line);
  const url = await listening({ command: command(), http: { port: 0, status: true }, tell });
  const status = new URL("/status.json", url);
  expect(told).toContain(`Status: ${new URL("/status", url).href}`);
  expect(await (await fetch(status)).json()).toMatchObject({ servers: [{ name: "server", transport: "stdio" }] });
  const without = await listening({ command: command(), http: { port: 0 } });
  expect((await fetch(new URL("/status.json", without))).status).toBe(404);
});
