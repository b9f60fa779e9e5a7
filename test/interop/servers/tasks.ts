/** A server whose tools run as tasks. Arguments: the transport, and the revision to serve. */
import { serverSides } from "@mcpwright/protocol/server-sides";
import { serveHttp } from "@mcpwright/runtime/node";
import { ProtocolError } from "@mcpwright/runtime";
import { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { tasks } from "@mcpwright/runtime/tasks";
import { fateOf, heard, info, input, known, prompt, question, said, untilAborted } from "./fixture.js";
import { tell } from "./listen.js";

const [, , transport, only] = process.argv;

const server = new McpServer(info, {
  revisions: serverSides.filter(({ revision }) => only === undefined || revision === only),
  extensions: [tasks({ pollIntervalMs: 100 })],
  onerror: (error) => console.error(error),
});

server.registerTool("optional", { task: "optional" }, () => said("done"));
server.registerTool("required", { task: "required" }, () => said("done"));
server.registerTool("ask", { task: "optional" }, async (context) =>
  said(known(await context.elicit("name", { mode: "form", ...question }))),
);
server.registerTool("report", { inputSchema: input.year, task: "required" }, async ({ year }, context) =>
  said(`${year}: ${known(await context.elicit("name", { mode: "form", ...question }))}`),
);
server.registerTool("wait", { inputSchema: input.key, task: "optional" }, async ({ key }, { signal }) => {
  await untilAborted(key, signal);
  return said("done");
});
server.registerTool("fate", { inputSchema: input.key }, ({ key }) => said(fateOf(key)));
server.registerTool("fail", { task: "optional" }, () => {
  throw new ProtocolError(-32000, "No more paper", { tray: 2 });
});
server.registerTool("fail-softly", { task: "optional" }, () => ({ ...said("It failed on purpose"), isError: true }));
server.registerTool("ask-model-as-task", {}, async (context) =>
  said(heard(await context.sample("thought", prompt, { task: true }))),
);
server.registerTool("ask-name-as-task", {}, async (context) =>
  said(known(await context.elicit("name", { mode: "form", ...question }, { task: true }))),
);

if (transport === "stdio") serveStdio(server);
else {
  const { url } = await serveHttp(server, { port: 0, host: "127.0.0.1", path: "/mcp" });
  tell(Number(new URL(url).port));
}
