/**
 * Arguments: the transport, the revision to serve, and the URL of a Redis. With the latter, three nodes serve behind a proxy that passes each
 * request to the next node. They are in one process, because the tools share variables, as those of real nodes share a database.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { serverSides } from "@mcpwright/protocol/server-sides";
import { serveHttp } from "@mcpwright/runtime/node";
import { redisBackplane } from "@mcpwright/runtime/redis";
import { McpServer, type McpServerOptions, ResourceTemplate } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { createClient } from "redis";
import { startRoundRobin } from "../../../scripts/reverse-proxy.js";
import {
  fateOf,
  hear,
  heard,
  info,
  input,
  instructions,
  known,
  listed,
  memos,
  names,
  prompt,
  question,
  resources,
  said,
  show,
  startingWith,
  template,
  untilAborted,
  untilHeard,
  visit,
  visited,
} from "./fixture.js";
import { tell } from "./listen.js";

const [, , transport, only = "", redisUrl = ""] = process.argv;

/** The servers of all nodes. */
const nodes: McpServer[] = [];
let grown = 0;

function create(shared: Pick<McpServerOptions, "backplane" | "stateKeys"> = {}): McpServer {
  const server = new McpServer(info, {
    capabilities: { logging: {} },
    instructions,
    pageSize: 2,
    revisions: serverSides.filter(({ revision }) => only === "" || revision === only),
    onerror: (error) => console.error(error),
    ...shared,
  });

  server.registerTool("add", { inputSchema: input.add, outputSchema: input.sum }, ({ a, b }) => ({
    ...said(String(a + b)),
    structuredContent: { sum: a + b },
  }));
  server.registerTool("show", {}, () => ({
    content: [show.text, show.image, { type: "resource", resource: show.resource }],
  }));
  server.registerTool("fail", {}, () => {
    throw new Error("It failed on purpose");
  });
  server.registerTool("count", { inputSchema: input.count }, async ({ to, key }, context) => {
    for (let progress = 1; progress <= to; progress++) {
      context.progress({ progress, total: to });
      await untilHeard(key, progress);
    }
    return said("counted");
  });
  server.registerTool("wait", { inputSchema: input.key }, async ({ key }, { signal }) => {
    await untilAborted(key, signal);
    return said("done");
  });
  server.registerTool("hear", { inputSchema: input.progress }, ({ key, progress }) => said(hear(key, progress)));
  server.registerTool("fate", { inputSchema: input.key }, ({ key }) => said(fateOf(key)));
  server.registerTool("log", {}, (context) => {
    context.log("debug", "quiet");
    context.log("error", "loud");
    return said("logged");
  });
  server.registerTool("touch", {}, () => {
    server.sendResourceUpdated({ uri: "note://counter" });
    return said("touched");
  });
  server.registerTool("grow", {}, () => {
    const name = `grown-${++grown}`;
    for (const one of nodes) one.registerTool(name, {}, () => said(name));
    return said(name);
  });
  server.registerTool("ask-model", {}, async (context) => said(heard(await context.sample("thought", prompt))));
  server.registerTool("ask-name", {}, async (context) =>
    said(known(await context.elicit("name", { mode: "form", ...question }))),
  );
  server.registerTool("ask-visit", {}, async (context) =>
    said(visited(await context.elicit("visit", { mode: "url", ...visit }))),
  );
  server.registerTool("ask-roots", {}, async (context) => said(listed((await context.listRoots("roots")).roots)));
  server.registerTool("route", { inputSchema: input.route }, ({ region }) => said(`Routed to ${region}`));

  for (const { name, uri, mimeType, ...body } of resources)
    server.registerResource(name, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...body }] }));
  server.registerResource(
    "memo",
    new ResourceTemplate(template, { complete: { name: (value) => startingWith(memos, value) } }),
    {},
    ({ href }, { name }) => ({ contents: [{ uri: href, text: `Memo ${String(name)}` }] }),
  );
  server.registerPrompt(
    "greet",
    { argsSchema: input.name, complete: { name: (value) => startingWith(names, value) } },
    ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: `Hello, ${name}` } }] }),
  );
  nodes.push(server);
  return server;
}

const at = { port: 0, host: "127.0.0.1", path: "/mcp" };
if (transport === "stdio") serveStdio(create());
else if (redisUrl === "") tell(Number((await serveHttp(create(), at)).url.port));
else {
  const prefix = `${randomUUID()}:`;
  const stateKeys = [{ id: "shared", key: randomBytes(32) }];
  const served = await Promise.all(
    [1, 2, 3].map(async () => {
      const client = createClient({ url: redisUrl });
      await client.on("error", (error) => console.error(error)).connect();
      return serveHttp(create({ backplane: redisBackplane(client, { prefix }), stateKeys }), at);
    }),
  );
  const proxy = await startRoundRobin(served);
  tell(Number(new URL(proxy.origin).port));
}
