import { MemoryBackplane } from "@mcpwright/runtime/backplane";
import { ajvValidator } from "@mcpwright/runtime/json-schema";
import { McpServer, type McpServerOptions } from "@mcpwright/runtime/server";
import { addAskingTools } from "./asking.js";
import { addContentTools } from "./content.js";
import { addDiagnosticTools } from "./diagnostics.js";
import { addInputTools } from "./input-required.js";
import { addPrompts } from "./prompts.js";
import { skills } from "@mcpwright/runtime/skills";
import { MemoryTaskStore, tasks, type TaskStore } from "@mcpwright/runtime/tasks";
import { addResources } from "./resources.js";
import { fixtureSkills } from "./skills.js";
import { addTaskTools } from "./tasks.js";

/** What the nodes of the server have in common. */
export interface SharedState extends Pick<McpServerOptions, "backplane" | "stateKeys"> {
  readonly taskStore: TaskStore;
}

/** The state of a single node. */
export function ownState(): SharedState {
  return { backplane: new MemoryBackplane(), taskStore: new MemoryTaskStore() };
}

/** A server with everything that the official conformance suite requires. */
export async function fixtureServer({ taskStore, ...shared }: SharedState): Promise<McpServer> {
  const server = new McpServer(
    { name: "mcpwright-conformance-server", version: "1.0.0" },
    {
      ...shared,
      capabilities: { logging: {} },
      extensions: [tasks({ store: taskStore }), skills(await fixtureSkills())],
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
