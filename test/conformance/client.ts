/**
 * The fixture client: `node client.js <url>`, started by the official suite once per scenario; `--where` prints its path.
 * The environment selects the scenario and the revision; without a scenario, it lists everything that a server has.
 */
import { fileURLToPath } from "node:url";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { lookAround, scenarios } from "./client/scenarios.js";

const [url] = process.argv.slice(2);
if (url === "--where") process.stdout.write(`${fileURLToPath(import.meta.url)}\n`);
else if (url === undefined) throw new Error("usage: node client.js <url> | --where");
else await run(url);

async function run(url: string): Promise<void> {
  const {
    MCP_CONFORMANCE_SCENARIO: name,
    MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
    MCP_CONFORMANCE_CONTEXT: context = "{}",
  } = process.env;
  const scenario = name === undefined ? lookAround : scenarios[name];
  if (!scenario) throw new Error(`The scenario ${String(name)} does not exist`);
  const client = new Client(
    { name: "mcpwright-conformance-client", version: "1.0.0" },
    {
      capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } },
      revisions: clientSides.filter((side) => revision === undefined || side.revision === revision),
      onerror: (error) => void process.stderr.write(`${String(error)}\n`),
    },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: scenario.answer ?? {} }));
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    content: { type: "text", text: "Paris" },
    model: "none",
    stopReason: "endTurn",
  }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    await scenario.run(client, JSON.parse(context) as object);
  } finally {
    await client.close();
  }
}
