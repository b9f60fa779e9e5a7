import { clientExtension, serverExtension } from "@mcpwright/protocol/extensions/tasks";
import { NOTIFICATIONS_TASKS, TASKS_CANCEL, TASKS_GET, TASKS_UPDATE } from "@mcpwright/protocol/names";
import { isObject } from "../../jsonrpc/guards.js";
import type { ServerContext } from "../../server/contracts.js";
import { withAnyResponses } from "../../tasks/server/any-responses.js";
import { mapInputRequired, mapToolResult, type UriMap } from "../composition/result-uris.js";
import { askServers } from "./ask-servers.js";
import type { ExtensionHost, GatewayExtension } from "./gateway-extension.js";
import { TaskOwners, unknownTask } from "./task-owners.js";

interface TaskParams {
  readonly taskId: string;
  readonly [member: string]: unknown;
}

/**
 * Lets tasks of the extension `io.modelcontextprotocol/tasks` pass through a gateway, for its option `extensions`. Tasks keep the ids that
 * their servers give them. A task belongs to the principal whose call created it. After a restart of the gateway, clients without a
 * principal still find their tasks.
 *
 * Notifications of tasks do not pass: clients poll, as the gateway does not grant `taskIds` in streams. Neither do the experimental tasks of
 * 2025-11-25.
 * @example
 * ```ts
 * const gateway = createGateway({ servers, extensions: [tasksThrough()] });
 * ```
 */
export function tasksThrough(): GatewayExtension {
  return {
    server: {
      ...serverExtension,
      layerOver: (sides, toError) => serverExtension.layerOver(sides, toError).map(withAnyResponses),
    },
    client: clientExtension,
    unsupported: [
      {
        direction: "toClient",
        method: NOTIFICATIONS_TASKS,
        kind: "unsupported",
        at: NOTIFICATIONS_TASKS,
        text: "Notifications of tasks: clients poll.",
      },
    ],
    attachGateway(host) {
      const owners = new TaskOwners();
      const forward = (method: string) => async (params: TaskParams, context: ServerContext) => {
        const known = owners.find(params.taskId, context);
        return known === undefined ? askAll(host, context, method, params) : send(host, context, known, method, params);
      };
      return {
        handlers: {
          [TASKS_GET]: forward(TASKS_GET),
          [TASKS_UPDATE]: forward(TASKS_UPDATE),
          [TASKS_CANCEL]: forward(TASKS_CANCEL),
        },
        added: {
          task: ({ taskId }, context, server) => owners.add(taskId as string, context, server),
        },
      };
    },
  };
}

/** @throws ProtocolError -32602 when no server knows the task */
async function askAll(
  host: ExtensionHost,
  context: ServerContext,
  method: string,
  params: TaskParams,
): Promise<object> {
  // Servers do not see who the client is.
  const { servers } = context.principal === undefined ? await host.serversWith(context, clientExtension.id) : noServers;
  return askServers(servers, (server) => send(host, context, server, method, params), unknownTask());
}

const noServers = { servers: [] };

function send(
  { call }: ExtensionHost,
  context: ServerContext,
  server: string,
  method: string,
  params: TaskParams,
): Promise<object> {
  return call(context, server, { method, params, isCall: true, isUnlimited: true }, mapTask);
}

function mapTask(task: Record<string, unknown>, map: UriMap): object {
  const { result } = task;
  const mapped = isObject(result)
    ? mapToolResult(result as unknown as Parameters<typeof mapToolResult>[0], map)
    : result;
  return mapInputRequired(mapped === result ? task : { ...task, result: mapped }, map);
}
