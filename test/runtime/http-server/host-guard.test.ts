/** The check of `Host` and `Origin` in front of any handler. */
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { toNodeGuard } from "../../../runtime/src/node.js";
import { createHostGuard, type HostGuard, type HostGuardOptions } from "../../../runtime/src/server/http.js";

type Headers = Readonly<Record<string, string>>;
interface Answer {
  readonly status: number;
  readonly body: string;
}

const named: HostGuardOptions = { allowedHosts: ["mcp.example"], allowedOrigins: ["https://app.example"] };

const rows: readonly (readonly [string, HostGuardOptions, Headers, 200 | 400 | 403])[] = [
  ["localhost with a port", {}, { host: "localhost:3000" }, 200],
  ["a foreign host", {}, { host: "evil.example" }, 403],
  ["two hosts", {}, { host: "localhost, localhost" }, 400],
  ["loopback, where only other hosts are allowed", named, { host: "localhost" }, 403],
  ["a named host", named, { host: "mcp.example" }, 200],
  ["any host", { allowedHosts: "any" }, { host: "evil.example" }, 200],
  ["the own origin", {}, { host: "localhost:3000", origin: "http://localhost:3000" }, 200],
  ["a foreign origin", {}, { host: "localhost:3000", origin: "http://evil.example" }, 403],
  ["a named origin", named, { host: "mcp.example", origin: "https://app.example" }, 200],
];

/** In front of a handler that responds with the body of the request. */
const fronts: Readonly<Record<string, (guard: HostGuard, headers: Headers) => Promise<Answer>>> = {
  async fetch(guard, headers) {
    const request = new Request("http://localhost/", { method: "POST", body: "sent", headers });
    const response = guard.check(request) ?? new Response(await request.text());
    return { status: response.status, body: await response.text() };
  },
  async node(guard, headers) {
    const check = toNodeGuard(guard);
    const server = createServer((request, response) => check(request, response, () => void request.pipe(response)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const sent = httpRequest({ port, method: "POST", headers }, (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => (body += String(chunk)));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.on("error", reject).end("sent");
    });
  },
};

describe.each(Object.entries(fronts))("%s", (_, send) => {
  test.each(rows)("%s", async (_row, options, headers, status) => {
    const answer = await send(createHostGuard(options), headers);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toBe("sent");
    else expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: "2.0", error: { code: -32600 } });
  });
});

test("without a Host header, the URL of the request counts", () => {
  const guard = createHostGuard();
  expect(guard.check(new Request("http://localhost:3000/a"))).toBeUndefined();
  expect(guard.check(new Request("http://evil.example/a"))?.status).toBe(403);
});

test.each([
  [{ allowedHosts: "example.com" }, /allowedHosts must be a list/],
  [{ allowedHosts: [1] }, /allowedHosts must be a list/],
  [{ allowedOrigins: "any" }, /allowedOrigins must be a list/],
])("rejects the options %j", (options, message) => {
  expect(() => createHostGuard(options as HostGuardOptions)).toThrow(message);
});

test("a middleware needs a guard", () => {
  expect(() => toNodeGuard({} as HostGuard)).toThrow(/createHostGuard/);
});
