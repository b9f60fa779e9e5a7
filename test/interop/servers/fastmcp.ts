/** Argument: the transport. Over HTTP, it serves `/mcp` and `/sse`. */
import { FastMCP, type FastMCPSession, UserError } from "fastmcp";
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
} from "./fixture.js";
import { freePort } from "../../../scripts/free-port.js";
import { tell } from "./listen.js";

const quiet = { debug() {}, error() {}, info() {}, log() {}, warn() {} };
const server = new FastMCP({ ...info, instructions, logger: quiet });

/** Handlers do not receive it. */
function sessionOf(id: string | undefined): FastMCPSession {
  const session = server.sessions.find(({ sessionId }) => sessionId === id) ?? server.sessions.at(-1);
  if (!session) throw new Error("the session does not exist");
  return session;
}

server.addTool({
  name: "add",
  parameters: input.add,
  outputSchema: input.sum,
  execute: async ({ a, b }) => ({ ...said(String(a + b)), structuredContent: { sum: a + b } }),
});
server.addTool({
  name: "show",
  execute: async () => ({ content: [show.text, show.image, { type: "resource", resource: show.resource }] }),
});
server.addTool({
  name: "fail",
  execute: async () => {
    throw new UserError("It failed on purpose");
  },
});
server.addTool({
  name: "count",
  parameters: input.count,
  execute: async ({ to, key }, { reportProgress }) => {
    for (let progress = 1; progress <= to; progress++) {
      await reportProgress({ progress, total: to });
      await untilHeard(key, progress);
    }
    return "counted";
  },
});
server.addTool({
  name: "wait",
  parameters: input.key,
  execute: async ({ key }, { signal }) => {
    await untilAborted(key, signal);
    return "done";
  },
});
server.addTool({
  name: "hear",
  parameters: input.progress,
  execute: async ({ key, progress }) => hear(key, progress),
});
server.addTool({ name: "fate", parameters: input.key, execute: async ({ key }) => fateOf(key) });
server.addTool({
  name: "log",
  execute: async (_, { log }) => {
    log.debug("quiet");
    log.error("loud");
    return "logged";
  },
});
server.addTool({
  name: "touch",
  execute: async () => {
    await server.sendResourceUpdated("note://counter");
    return "touched";
  },
});
let grown = 0;
server.addTool({
  name: "grow",
  execute: async () => {
    const name = `grown-${++grown}`;
    server.addTool({ name, execute: async () => name });
    return name;
  },
});
server.addTool({
  name: "ask-model",
  execute: async (_, { sessionId }) => heard(await sessionOf(sessionId).requestSampling(prompt)),
});
server.addTool({
  name: "ask-name",
  execute: async (_, { elicit }) => known(await elicit({ mode: "form", ...question })),
});
server.addTool({
  name: "ask-roots",
  execute: async (_, { sessionId }) => listed(sessionOf(sessionId).roots),
});

for (const { name, uri, mimeType, ...body } of resources)
  server.addResource({ name, uri, mimeType, load: async () => body });
server.addResourceTemplate({
  name: "memo",
  uriTemplate: template,
  arguments: [{ name: "name", complete: async (value) => ({ values: startingWith(memos, value) }) }],
  load: async ({ name }) => ({ text: `Memo ${String(name)}` }),
});
server.addPrompt({
  name: "greet",
  arguments: [{ name: "name", required: true, complete: async (value) => ({ values: startingWith(names, value) }) }],
  load: async ({ name }) => `Hello, ${String(name)}`,
});

if (process.argv[2] === "stdio") await server.start({ transportType: "stdio" });
else {
  // fastmcp does not report a port that the system assigned.
  const port = await freePort();
  await server.start({ transportType: "httpStream", httpStream: { port, host: "127.0.0.1" } });
  tell(port);
}
