/**
 * A gateway before the fixture server: `node gateway.js --url URL` for a server over HTTP, or `node gateway.js -- COMMAND ARGS` to start one
 * over stdio. Serves HTTP on a free port, and prints its URL.
 */
import { parseArgs } from "node:util";
import { InMemoryTransport } from "@mcpwright/runtime";
import { MemoryBackplane } from "@mcpwright/runtime/backplane";
import { Client, type ClientOptions } from "@mcpwright/runtime/client";
import { createGateway, type GatewayServer, skillsThrough, tasksThrough } from "@mcpwright/runtime/gateway";
import { serveHttp } from "@mcpwright/runtime/node";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";

const { values, positionals } = parseArgs({ options: { url: { type: "string" } }, allowPositionals: true });
const [command, ...args] = positionals;

function source(): GatewayServer {
  if (values.url !== undefined) return { url: values.url };
  if (command === undefined) throw new Error("pass the URL of a server, or a command that starts one");
  return { transport: () => new StdioClientTransport({ command, args, stderr: "inherit" }) };
}

const gateway = createGateway({
  servers: { fixture: source() },
  names: "none",
  extensions: [tasksThrough(), skillsThrough()],
  backplane: new MemoryBackplane(),
  onerror: (error) => void process.stderr.write(`${String(error)}\n`),
});

// The suite waits 0.6 seconds for some responses, which is less than a process takes to start. Clients with other capabilities have another
// connection to the server.
await Promise.all([{}, { elicitation: {} }].map(listTools));

const { url } = await serveHttp(gateway, { port: 0, retryInterval: 500 });
process.stdout.write(`${url.href}\n`);

async function listTools(capabilities: ClientOptions["capabilities"]): Promise<void> {
  const client = new Client({ name: "first-client", version: "1.0.0" }, { ...(capabilities && { capabilities }) });
  const [clientEnd, gatewayEnd] = InMemoryTransport.createLinkedPair();
  await gateway.connect(gatewayEnd);
  await client.connect(clientEnd);
  await client.listTools();
  await client.close();
}
