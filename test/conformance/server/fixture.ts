import { MemoryBackplane } from "@mcpwright/runtime/backplane";
import { ajvValidator } from "@mcpwright/runtime/json-schema";
import { McpServer } from "@mcpwright/runtime/server";
import { addAskingTools } from "./asking.js";
import { addContentTools } from "./content.js";
import { addDiagnosticTools } from "./diagnostics.js";
import { addInputTools } from "./input-required.js";
import { addPrompts } from "./prompts.js";
import { tasks } from "@mcpwright/runtime/tasks";
import { addResources } from "./resources.js";
import { addTaskTools } from "./tasks.js";

/** A server with everything that the official conformance suite requires. */
export function fixtureServer(): McpServer {
  const server = new McpServer(
    { name: "mcpwright-conformance-server", version: "1.0.0" },
    {
      backplane: new MemoryBackplane(),
      capabilities: { logging: {} },
      extensions: [tasks()],
      instructions: "Its tools, resources and prompts exist for tests.",
      jsonSchemaValidator: ajvValidator({ untrusted: false }),
      onerror: (error) => void process.stderr.write(`${String(error)}\n`),
    },
  );
  addContentTools(server);
  addDiagnosticTools(server);
  addAskingTools(server);
  addInputTools(server);
  addTaskTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}
