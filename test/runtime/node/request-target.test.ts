/** Which host a request on the wire is for, and which requests with an invalid `Host` are rejected (RFC 9112, 3.2). */
import { once } from "node:events";
import { type ClientHttp2Stream, connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type NodeMcpHandler, serveHttp, toNodeHandler } from "../../../runtime/src/node.js";
import { createMcpHandler, type McpHandlerOptions } from "../../../runtime/src/server/http.js";
import { Subject } from "../http-server/subject.js";

const body = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

/** Posts `initialize`. @returns the status */
async function post(port: number, target: string, ...lines: readonly string[]): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  const head = [`POST ${target} HTTP/1.1`, ...lines, "Content-Type: application/json", "Connection: close"];
  socket.write(`${head.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return Number(/^HTTP\/1.1 (\d+)/.exec(await text(socket))?.[1]);
}

const any: McpHandlerOptions = { allowedHosts: "any" };

const rows: readonly (readonly [string, number, McpHandlerOptions, string, readonly string[]])[] = [
  ["one Host", 200, {}, "/mcp", ["Host: localhost"]],
  ["the same Host twice", 400, {}, "/mcp", ["Host: localhost", "Host: localhost"]],
  ["a foreign Host after an allowed one", 400, {}, "/mcp", ["Host: localhost", "hOST: evil.example"]],
  ["two Hosts where any is allowed", 400, any, "/mcp", ["Host: a.example", "Host: a.example"]],
  ["an absolute target with an allowed host", 200, {}, "http://localhost/mcp", ["Host: localhost"]],
  ["an absolute target that replaces a foreign Host", 200, {}, "HTTP://localhost/mcp", ["Host: evil.example"]],
  ["an absolute target with a foreign host", 403, {}, "http://evil.example/mcp", ["Host: localhost"]],
  ["an absolute target with a user", 400, {}, "http://localhost@evil.example/mcp", ["Host: localhost"]],
  ["an absolute target and two Hosts", 400, {}, "http://localhost/mcp", ["Host: localhost", "Host: localhost"]],
];

test.each(rows)("%s", async (_, status, options, target, lines) => {
  const served = await serveHttp(new Subject().server, options);
  onTestFinished(() => served.close());
  expect(await post(Number(served.url.port), target, ...lines)).toBe(status);
});

test("over HTTP/2, :authority counts and not host", async () => {
  const handle = toNodeHandler(createMcpHandler(new Subject().server));
  const server = createHttp2Server((...given) => handle(...(given as unknown as Parameters<NodeMcpHandler>)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  const status = async (authority: string, host: string): Promise<unknown> => {
    const headers = { ":method": "POST", ":path": "/mcp", "content-type": "application/json" };
    const stream: ClientHttp2Stream = session.request({ ...headers, ":authority": authority, host });
    stream.end(body);
    const [answer] = (await once(stream, "response")) as [Record<string, unknown>];
    stream.close();
    return answer[":status"];
  };
  expect(await status("evil.example", "localhost")).toBe(403);
  expect(await status("localhost", "evil.example")).toBe(200);
});
