/** The fixture server: `node server.js [--transport http|stdio] [--port N]`. Prints its URL when it serves HTTP. */
import { parseArgs } from "node:util";
import { serveHttp } from "@mcpwright/runtime/node";
import { InMemoryEventStore } from "@mcpwright/runtime/server/http";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { fixtureServer } from "./server/fixture.js";

const { values } = parseArgs({
  options: { transport: { type: "string", default: "http" }, port: { type: "string", default: "0" } },
});

if (values.transport === "stdio") serveStdio(fixtureServer());
else if (values.transport === "http") {
  const { url } = await serveHttp(fixtureServer(), {
    port: Number(values.port),
    eventStore: new InMemoryEventStore(),
    retryInterval: 500,
  });
  process.stdout.write(`${url.href}\n`);
} else throw new Error(`--transport must be http or stdio, not ${values.transport}`);
