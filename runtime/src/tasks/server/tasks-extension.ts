import type { Side } from "@mcpwright/protocol/contract";
import { serverExtension, type TasksExtensionTypes } from "@mcpwright/protocol/extensions/tasks";
import { TASKS_CANCEL, TASKS_GET, TASKS_LIST, TASKS_RESULT, TASKS_UPDATE } from "@mcpwright/protocol/names";
import type { InputResponses } from "../../authoring.js";
import { hasCapability } from "../../connection/capability.js";
import { missingCapabilityError } from "../../input-requests/check-input-request.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import type { ServerContext } from "../../server/contracts.js";
import type { RegisteredToolFacts, ServerHooks } from "../../server/extension-hooks.js";
import { markOf } from "../../server/replay-request.js";
import type { ServerExtension, ServerHost } from "../../server/server-extension.js";
import { andThen } from "../maybe-promise.js";
import { sendAsTask } from "./client-tasks.js";
import { withAnyResponses } from "./any-responses.js";
import { CoreHandlers } from "./core-handlers.js";
import { ExtensionHandlers, tasksCapability } from "./extension-handlers.js";
import { toCreateTaskResult } from "./extension-task.js";
import { assertTaskOption, type ServerTasksOptions, taskSettings, type TaskSettings } from "./task-options.js";
import { type Restart, TaskRunner } from "./task-runner.js";

/**
 * Tasks on servers, for the option `extensions` of `McpServer`: the extension `io.modelcontextprotocol/tasks` of 2026-07-28, and the
 * experimental tasks of 2025-11-25. Tools with the option `task` then run as tasks for clients that can receive them.
 * @example
 * ```ts
 * const server = new McpServer(info, { extensions: [tasks({ store: new SqliteTaskStore(new Database("tasks.db")) })] });
 * server.registerTool("report", { task: "optional" }, async (context) => {
 *   const { action } = await context.elicit("sure", { message: "Create the report?", requestedSchema });
 *   return { content: [{ type: "text", text: action === "accept" ? await report() : "Not created" }] };
 * });
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` when a number is invalid
 */
export function tasks(options: ServerTasksOptions = {}): ServerExtension<TasksExtensionTypes> {
  assertNumberOptions(options);
  return {
    ...serverExtension,
    layerOver: (sides, toError) => {
      const hasCore = sides.some(isCore);
      const hasExtension = sides.some(({ revision }) => serverExtension.revisions.includes(revision));
      const layered = hasExtension || !hasCore ? serverExtension.layerOver(sides, toError) : sides;
      return layered.map((side) => (isCore(side) ? withCoreTasks(side) : withAnyResponses(side)));
    },
    attachServer: (server) => attach(server, options),
  };
}

function attach(server: ServerHost, options: ServerTasksOptions): void {
  const runner = new TaskRunner(server, options);
  const extension = new ExtensionHandlers(runner);
  const core = new CoreHandlers(runner);
  server.handle({
    [TASKS_GET]: (params: { taskId: string }, context: ServerContext) =>
      context.session ? core.get(params, context) : extension.get(params, context),
    [TASKS_CANCEL]: (params: { taskId: string }, context: ServerContext) =>
      context.session ? core.cancel(params, context) : extension.cancel(params, context),
    [TASKS_UPDATE]: extension.update.bind(extension),
    [TASKS_RESULT]: core.result.bind(core),
    [TASKS_LIST]: core.list.bind(core),
  });
  server.assertTaskOption = assertTaskOption;
  const { runTool, checkTool, describeTool, grantStream, sendInputRequest, onClose } = server;
  const hooks: Required<
    Pick<
      ServerHooks<ServerContext>,
      "checkTool" | "runTool" | "describeTool" | "grantStream" | "sendInputRequest" | "onClose"
    >
  > = {
    checkTool(tool, context) {
      checkTool?.(tool, context);
      const restart = restartOf(context);
      if (!restart) checkSupport(tool, taskSettings(tool.config, options), context);
      else context.inputResponses = restart.request.inputResponses as InputResponses | undefined;
    },
    runTool(tool, context, run) {
      const settings = taskSettings(tool.config, options);
      const start: typeof run = (detached) => (runTool ? runTool(tool, detached ?? context, run) : run(detached));
      if (!settings) return start();
      const restart = restartOf(context);
      if (restart) return toCreateTaskResult(runner.run(context, restart.record, start));
      if (isCore(context.client.side)) {
        const asked = context.params?.["task"] as { readonly ttl?: number } | undefined;
        if (!asked) return start();
        const limited = { ...settings, ttlMs: lifeOf(asked.ttl, settings.ttlMs, options) };
        return andThen(runner.create(context, limited, start), (record) =>
          core.created(record, context, settings.immediateResponse),
        );
      }
      return canReceive(context) ? andThen(runner.create(context, settings, start), toCreateTaskResult) : start();
    },
    describeTool(tool, side) {
      const settings = isCore(side) ? taskSettings(tool.config, options) : undefined;
      const members = describeTool?.(tool, side);
      return settings ? { ...members, execution: { taskSupport: settings.support } } : members;
    },
    async grantStream(filter, context) {
      const [own, other] = await Promise.all([extension.grantStream(filter, context), grantStream?.(filter, context)]);
      if (!own || !other) return own ?? other;
      return {
        filter: { ...other.filter, ...own.filter },
        open: (send) => {
          const ends = [own.open(send), other.open(send)];
          return () => ends.forEach((end) => end());
        },
      };
    },
    sendInputRequest: (context, request, options, send) =>
      sendAsTask(context, request, options, (params) =>
        sendInputRequest ? sendInputRequest(context, { ...request, params }, options, send) : send(params),
      ),
    async onClose(graceMs) {
      await Promise.all([onClose?.(graceMs), runner.close(graceMs)]);
    },
  };
  Object.assign(server, hooks);
}

function restartOf(context: ServerContext): Restart | undefined {
  return markOf(context) as Restart | undefined;
}

/** A client of the extension receives a task when its request declares the extension. */
function canReceive({ client }: ServerContext): boolean {
  return !client.session && hasCapability(client.capabilities, tasksCapability);
}

/** @throws ProtocolError when a tool is called as a task and cannot run as one, or the other way round */
function checkSupport(
  { definition }: RegisteredToolFacts,
  settings: TaskSettings | undefined,
  context: ServerContext,
): void {
  const { client, params } = context;
  const isRequired = settings?.support === "required";
  if (!isCore(client.side)) {
    if (isRequired && !client.session && !canReceive(context))
      throw missingCapabilityError(client.side, tasksCapability);
    return;
  }
  const isAsked = isObject(params?.["task"]);
  if (isAsked === isRequired || (settings && !isRequired)) return;
  const problem = isAsked ? "cannot run as a task" : "runs only as a task; send params.task";
  throw new ProtocolError(ErrorCode.MethodNotFound, `The tool ${definition.name} ${problem}`);
}

/** The life of a task for which a client has asked. */
function lifeOf(
  asked: number | undefined,
  standard: number | null,
  { maxTtlMs = 86_400_000 }: ServerTasksOptions,
): number | null {
  return asked === undefined ? standard : Math.min(Math.max(asked, 0), maxTtlMs);
}

function isCore({ profile }: Side): boolean {
  return profile.tasks === "core";
}

/**
 * Declares the tasks of the core protocol (MCP 2025-11-25, tasks: server capabilities). Clients that cannot be distinguished cannot list
 * tasks.
 */
function withCoreTasks(side: Side): Side {
  const { base = side, withExtensions = (declared) => declared } = side;
  return {
    ...side,
    base,
    withExtensions: (capabilities, isForPrincipal) => ({
      ...withExtensions(capabilities, isForPrincipal),
      tasks: { ...(isForPrincipal !== false && { list: {} }), cancel: {}, requests: { tools: { call: {} } } },
    }),
  };
}
