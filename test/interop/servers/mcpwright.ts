/** Arguments: the transport, and the revision to serve. */
import { serverSides } from "@mcpwright/protocol/server-sides";
import { serveHttp } from "@mcpwright/runtime/node";
import { McpServer, ResourceTemplate } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";
import {
  fates,
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
} from "./fixture.js";
import { tell } from "./listen.js";

const [, , transport, only] = process.argv;

const server = new McpServer(info, {
  capabilities: { logging: {} },
  instructions,
  pageSize: 2,
  revisions: serverSides.filter(({ revision }) => only === undefined || revision === only),
  onerror: (error) => console.error(error),
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
server.registerTool("fate", { inputSchema: input.key }, ({ key }) => said(fates.get(key) ?? "unknown"));
server.registerTool("log", {}, (context) => {
  context.log("debug", "quiet");
  context.log("error", "loud");
  return said("logged");
});
server.registerTool("touch", {}, () => {
  server.sendResourceUpdated({ uri: "note://counter" });
  return said("touched");
});
let grown = 0;
server.registerTool("grow", {}, () => {
  const name = `grown-${++grown}`;
  server.registerTool(name, {}, () => said(name));
  return said(name);
});
server.registerTool("ask-model", {}, async (context) => said(heard(await context.sample("thought", prompt))));
server.registerTool("ask-name", {}, async (context) =>
  said(known(await context.elicit("name", { mode: "form", ...question }))),
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

if (transport === "stdio") serveStdio(server);
else {
  const { url } = await serveHttp(server, { port: 0, host: "127.0.0.1", path: "/mcp" });
  tell(Number(new URL(url).port));
}
