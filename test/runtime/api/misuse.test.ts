/** Arguments of the wrong kind are rejected at once, with the remedy; those whose meaning is clear are accepted. */
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { Client } from "../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import { serveHttp, toNodeHandler } from "../../../runtime/src/node.js";
import { McpServer, Server } from "../../../runtime/src/server.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { serveStdio, StdioClientTransport, StdioServerTransport } from "../../../runtime/src/stdio.js";

const info = { name: "misuse", version: "1.0.0" };
const server = (): McpServer => new McpServer(info);
const client = (): Client => new Client(info);
const handler = (): unknown => createMcpHandler(server());
const later = (value: unknown): Promise<unknown> => Promise.resolve(value);
const options = { port: 3000 };

/** Calls a function that TypeScript would not let us call so. */
const call = (target: unknown, ...args: readonly unknown[]): unknown =>
  (target as (...args: readonly unknown[]) => unknown)(...args);
const create = (target: unknown, ...args: readonly unknown[]): unknown =>
  Reflect.construct(target as new () => unknown, args);
const connect = (end: { connect: unknown }, ...args: readonly unknown[]): unknown =>
  Reflect.apply(end.connect as () => unknown, end, args);

const aServer = /^pass an McpServer, a Server, or a function that returns one/;
const aHandler = /^pass a handler: toNodeHandler\(createMcpHandler\(server\)\)/;
const aServable = /^pass a server, or a function that returns one/;
const aTransport = /^pass a transport/;

const rows: readonly (readonly [what: string, use: () => unknown, message: RegExp])[] = [
  ["toNodeHandler(server)", () => call(toNodeHandler, server()), aHandler],
  ["toNodeHandler(server.server)", () => call(toNodeHandler, server().server), aHandler],
  ["toNodeHandler(factory)", () => call(toNodeHandler, server), aHandler],
  ["toNodeHandler(fetch function)", () => call(toNodeHandler, fetch), aHandler],
  ["toNodeHandler(promise)", () => call(toNodeHandler, later(handler())), aHandler],
  ["toNodeHandler(null)", () => call(toNodeHandler, null), aHandler],
  ["toNodeHandler()", () => call(toNodeHandler), aHandler],

  ["createMcpHandler(null)", () => call(createMcpHandler, null), aServer],
  ["createMcpHandler()", () => call(createMcpHandler), aServer],
  ["createMcpHandler(promise)", () => call(createMcpHandler, later(server())), aServer],
  ["createMcpHandler(async factory)", () => call(createMcpHandler, () => later(server())), aServer],
  ["createMcpHandler(client)", () => call(createMcpHandler, client()), aServer],
  ["createMcpHandler(handler)", () => call(createMcpHandler, handler()), aServer],
  ["createMcpHandler(transport)", () => call(createMcpHandler, new InMemoryTransport()), aServer],
  ["createMcpHandler(options)", () => call(createMcpHandler, { allowedHosts: "any" }), aServer],
  [
    "createMcpHandler({ server: mcpServer, … })",
    () => call(createMcpHandler, { server: server(), ...options }),
    aServer,
  ],
  ["createMcpHandler(class)", () => call(createMcpHandler, McpServer), /without 'new'/],

  ["serveHttp(null)", () => call(serveHttp, null), aServer],
  ["serveHttp(handler)", () => call(serveHttp, handler()), aServer],
  ["serveHttp(promise)", () => call(serveHttp, later(server())), aServer],
  ["serveHttp(options)", () => call(serveHttp, options), aServer],
  ["serveHttp(server, port)", () => call(serveHttp, server(), 3000), /must be an object with options/],

  ["serveStdio(null)", () => call(serveStdio, null), aServable],
  ["serveStdio(promise)", () => call(serveStdio, later(server())), aServable],
  ["serveStdio(async factory)", () => call(serveStdio, () => later(server())), aServable],
  ["serveStdio(handler)", () => call(serveStdio, handler()), aServable],
  ["serveStdio(options)", () => call(serveStdio, { graceMs: 1 }), aServable],
  [
    "serveStdio(server, transport)",
    () => call(serveStdio, server(), new InMemoryTransport()),
    /serveStdio\(server, \{ transport \}\)/,
  ],

  ...(
    [
      ["client.connect", client],
      ["server.connect", server],
      ["server.server.connect", () => server().server],
    ] as const
  ).flatMap(
    ([name, end]) =>
      [
        [`${name}()`, () => connect(end()), aTransport],
        [`${name}(null)`, () => connect(end(), null), aTransport],
        [`${name}(promise)`, () => connect(end(), later(new InMemoryTransport())), aTransport],
        [`${name}(class)`, () => connect(end(), StdioClientTransport), aTransport],
        [`${name}(server)`, () => connect(end(), server()), aTransport],
        [`${name}(client)`, () => connect(end(), client()), aTransport],
        [`${name}(handler)`, () => connect(end(), handler()), aTransport],
        [`${name}(url)`, () => connect(end(), "http://localhost/mcp"), aTransport],
        [`${name}(options)`, () => connect(end(), { command: "node" }), aTransport],
      ] as const,
  ),

  [
    "new StdioServerTransport(options)",
    () => create(StdioServerTransport, { maxDepth: 1 }),
    /^pass the streams before/,
  ],
  [
    "new StdioServerTransport(stdin, options)",
    () => create(StdioServerTransport, new PassThrough(), { maxDepth: 1 }),
    /^pass the streams before/,
  ],
  ["new StdioClientTransport(command)", () => create(StdioClientTransport, "node"), /^pass a command/],
  ["new StdioClientTransport()", () => create(StdioClientTransport), /^pass a command/],
  ["new StreamableHTTPClientTransport(options)", () => create(StreamableHTTPClientTransport, {}), /^url must be/],
  ["new McpServer(name)", () => create(McpServer, "name"), /^name and version/],
  ["new Server()", () => create(Server), /^name and version/],
  ["new Client(null)", () => create(Client, null), /^name and version/],
];

test.each(rows)("%s", async (_, use, message) => {
  const before = process.listenerCount("SIGTERM");
  const outcome = await Promise.resolve()
    .then(use)
    .catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
  expect((outcome as Error).message).toMatch(message);
  expect(process.listenerCount("SIGTERM")).toBe(before);
});

test.each(["an McpServer", "a Server", "a factory", "a factory of a Server"])("HTTP serves %s", async (kind) => {
  const mcp = server();
  const source = { "an McpServer": mcp, "a Server": mcp.server, "a factory": () => mcp }[kind] ?? (() => mcp.server);
  const served = await serveHttp(source);
  onTestFinished(() => served.close());
  const connected = client();
  await connected.connect(new StreamableHTTPClientTransport(served.url));
  expect(connected.getServerVersion()?.name).toBe("misuse");
  await connected.close();
});
