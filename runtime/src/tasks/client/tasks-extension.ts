import type { Side } from "@mcpwright/protocol/contract";
import { clientExtension, type TasksExtensionTypes } from "@mcpwright/protocol/extensions/tasks";
import type { ClientCapabilities } from "../../authoring.js";
import type { ClientExtension } from "../../client/client-extension.js";
import { ClientMessages } from "./client-messages.js";
import { ClientTasks } from "./client-tasks.js";

/** Runs requests of servers as tasks. Only `taskReceiver` creates it. */
export interface TaskReceiver {
  /** @internal */
  attach(messages: ClientMessages): object;
}

export interface ClientTasksOptions {
  /**
   * Lets servers of 2025-11-25 run sampling and elicitation as tasks: `taskReceiver()`. Default: the client does not declare that it
   * accepts such requests.
   */
  readonly receiver?: TaskReceiver;
}

/** The types of the extension in a client, whose calls return no tasks but results. */
export interface ClientTasksTypes extends Omit<TasksExtensionTypes, "alternatives"> {
  readonly alternatives: object;
}

/**
 * Tasks on clients, for the option `extensions` of `Client`: the extension `io.modelcontextprotocol/tasks` of 2026-07-28, and the
 * experimental tasks of 2025-11-25. `callTool` then returns the result of the tool, also when the server runs it as a task.
 *
 * A client that is connected to a server of another revision behaves as without the extension.
 * @example
 * ```ts
 * const client = new Client({ name: "my-host", version: "1.0.0" }, { extensions: [tasks()] });
 * await client.connect(transport);
 * const result = await client.callTool({ name: "report" }, { task: true, onStatus: ({ status }) => console.log(status) });
 * ```
 */
export function tasks({ receiver }: ClientTasksOptions = {}): ClientExtension<ClientTasksTypes> {
  return {
    ...clientExtension,
    layerOver: (sides, toError) => {
      const hasCore = sides.some(isCore);
      const hasExtension = sides.some(({ revision }) => clientExtension.revisions.includes(revision));
      const layered = hasExtension || !hasCore ? clientExtension.layerOver(sides, toError) : sides;
      return receiver ? layered.map((side) => (isCore(side) ? withReceiver(side) : side)) : layered;
    },
    attachClient: (client, internals) => {
      const messages = new ClientMessages(client, internals);
      new ClientTasks(messages);
      receiver?.attach(messages);
    },
  };
}

function isCore({ profile }: Side): boolean {
  return profile.tasks === "core";
}

/** Declares that requests of servers can run as tasks (MCP 2025-11-25, tasks: client capabilities). */
function withReceiver(side: Side): Side {
  const { base = side, withExtensions = (declared) => declared } = side;
  return {
    ...side,
    base,
    withExtensions: (capabilities) => {
      const { sampling, elicitation } = capabilities as ClientCapabilities;
      const requests = {
        ...(sampling && { sampling: { createMessage: {} } }),
        ...(elicitation && { elicitation: { create: {} } }),
      };
      return { ...withExtensions(capabilities), tasks: { list: {}, cancel: {}, requests } };
    },
  };
}
