import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "@mcpwright/runtime/client";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { plan, type Servers } from "./plan.js";

const { values } = parseArgs({
  options: {
    city: { type: "string", default: "Barcelona" },
    from: { type: "string", default: "2027-06-12" },
    to: { type: "string", default: "2027-06-19" },
    budget: { type: "string", default: "1000" },
  },
});
const terminal = createInterface({ input: stdin, output: stdout, terminal: stdin.isTTY });
// Read from the start, so that no early input is lost, typed or piped.
const lines: AsyncIterator<string, undefined> = terminal[Symbol.asyncIterator]();
const names = ["travel", "calendar", "weather"] as const;
const clients: Client[] = [];

async function connect(name: (typeof names)[number]): Promise<readonly [string, Client]> {
  const client = new Client({ name: "travel-host", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  // Show which server asks, so that no server can pose as another.
  client.setRequestHandler("elicitation/create", async ({ message }) => {
    stdout.write(`[${name}] ${message} [y/N/later] `);
    const { value, done } = await lines.next();
    if (done === true || value === "later") return { action: "cancel" };
    return /^y(es)?$/i.test(value) ? { action: "accept", content: {} } : { action: "decline" };
  });
  clients.push(client);
  const args = [...process.execArgv, fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url))];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  return [name, client];
}

try {
  const servers = Object.fromEntries(await Promise.all(names.map(connect))) as unknown as Servers;
  for (const line of await plan(servers, { ...values, budget: Number(values.budget) })) console.log(line);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  terminal.close();
  await Promise.allSettled(clients.map((client) => client.close()));
}
