/**
 * The fixture client: `node client.js <url>`, started by the official suite once per scenario; `--where` prints its path, and
 * `--restart` logs in with one client, and goes through the scenario with another one that has only the stored credentials.
 * The environment selects the scenario and the revision; without a scenario, it lists everything that a server has.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { MemoryCredentialStore } from "@mcpwright/runtime/auth";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { isFailure, logInOf } from "./client/authorization.js";
import { lookAround, protectedTool, scenarios } from "./client/scenarios.js";

const { values, positionals } = parseArgs({
  options: { where: { type: "boolean" }, restart: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [url] = positionals;
if (values.where === true) process.stdout.write(`${fileURLToPath(import.meta.url)}\n`);
else if (url === undefined) throw new Error("usage: node client.js [--restart] <url> | --where");
else await run(url, values.restart);

async function run(url: string, restarts: boolean): Promise<void> {
  const {
    MCP_CONFORMANCE_SCENARIO: name,
    MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
    MCP_CONFORMANCE_CONTEXT: json = "{}",
  } = process.env;
  const logIn = name === undefined ? undefined : logInOf(name);
  const scenario = name === undefined ? lookAround : logIn ? protectedTool : scenarios[name];
  if (!scenario) throw new Error(`The scenario ${String(name)} does not exist`);
  const context = JSON.parse(json) as Readonly<Record<string, string>>;
  const store = new MemoryCredentialStore();
  const connect = async (): Promise<Client> => {
    const client = new Client(
      { name: "mcpwright-conformance-client", version: "1.0.0" },
      {
        capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } },
        revisions: clientSides.filter((side) => revision === undefined || side.revision === revision),
        extensions: scenario.extensions ?? [],
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
    const authorization = logIn && { authProvider: logIn.provider(context, store) };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), authorization));
    return client;
  };
  if (restarts) await (await connect()).close();
  const action = async (): Promise<void> => {
    const client = await connect();
    try {
      await scenario.run(client, context);
    } finally {
      await client.close();
    }
  };
  const failure = logIn?.failure;
  if (failure === undefined) return action();
  const error: unknown = await action().then(
    () => new Error("The log-in has to fail"),
    (error: unknown) => error,
  );
  if (!isFailure(error, failure)) throw error;
}
