/** Requests that no HTTP client sends: none of them gets past the authorization, and none reaches the server by another path. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../../../runtime/src/node.js";
import { bearer, FakeAuthorization } from "./fake-authorization.js";
import { Subject } from "./subject.js";

const message = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1.0.0" } },
});
const token = bearer("ada");
const documents = "/.well-known/oauth-protected-resource";

/** Sends bytes as they are. @returns the status of the first response */
async function send(text: string): Promise<number> {
  const served = await serveHttp(new Subject().server, {
    allowedHosts: ["mcp.example"],
    authorization: new FakeAuthorization(),
  });
  onTestFinished(() => served.close());
  const socket = connect(Number(served.url.port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.on("data", (data) => (received += String(data)));
  socket.write(text);
  await once(socket, "data");
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(received) ?? [];
  return Number(status);
}

function post(target: string, more: readonly string[] = []): string {
  const head = [
    `POST ${target} HTTP/1.1`,
    ...(more.some((line) => /^host:/i.test(line)) ? [] : ["host: mcp.example"]),
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    `content-length: ${message.length}`,
    ...more,
  ];
  return `${head.join("\r\n")}\r\n\r\n${message}`;
}

const chunked = [
  "POST /mcp HTTP/1.1",
  "host: mcp.example",
  "content-type: application/json",
  "transfer-encoding: chunked",
];

test.each<[string, string, number]>([
  ["a URL of this host", post("http://mcp.example/mcp"), 401],
  ["a URL of another host", post("http://evil.example/mcp"), 403],
  ["two slashes", post("//mcp"), 404],
  ["a slash at the end", post("/mcp/"), 404],
  ["an escape", post("/%6dcp"), 404],
  ["a path parameter", post("/mcp;x"), 404],
  ["a fragment", post("/mcp#x"), 404],
  ["another case", post("/MCP"), 404],
  ["dot segments", post(`${documents}/../../mcp`), 404],
  ["no slash", post("mcp"), 400],
  ["an asterisk", post("*"), 404],
  ["a query with a public path", post(`/mcp?${documents}`), 401],
  ["a public path", post(documents), 405],
  [
    "a public path, and the path in other headers",
    post(documents, ["x-original-url: /mcp", "x-rewrite-url: /mcp"]),
    405,
  ],
  ["another method in a header", post("/mcp", ["x-http-method-override: OPTIONS"]), 401],
  ["the token in another header", post("/mcp", [`proxy-authorization: ${token}`, `x-authorization: ${token}`]), 401],
  ["the token in a folded header", post("/mcp", ["authorization: Bearer", ` ${token.slice(7)}`]), 400],
  ["the token in a header with a space in its name", post("/mcp", [`authorization : ${token}`]), 400],
  [
    "the token in a trailer",
    `${[...chunked, "trailer: authorization"].join("\r\n")}\r\n\r\n${message.length.toString(16)}\r\n${message}\r\n0\r\nauthorization: ${token}\r\n\r\n`,
    401,
  ],
  ["two lengths", post("/mcp", [`content-length: ${message.length + 1}`]), 400],
  ["a length and chunks", post("/mcp", ["transfer-encoding: chunked"]), 400],
  ["two hosts", post("/mcp", ["host: mcp.example", "host: evil.example"]), 400],
  ["HTTP/1.0 without a host", `POST /mcp HTTP/1.0\r\ncontent-length: ${message.length}\r\n\r\n${message}`, 403],
])("%s", async (_name, text, expected) => {
  expect(await send(text)).toBe(expected);
});

test("the same message with its token in its place is served", async () => {
  expect(await send(post("/mcp", [`authorization: ${token}`]))).toBe(200);
});
