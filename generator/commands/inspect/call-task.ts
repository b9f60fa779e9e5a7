import { clientSides } from "@mcpwright/protocol/client-sides";
import type { CallToolOptions, Client, ClientExtension, Task } from "@mcpwright/runtime/client";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { escapeLine } from "../../shared/command/escape-controls.js";

export interface CallTaskOptions {
  /** Whether to ask the server for a task. */
  readonly task: boolean;
  readonly tell: (line: string) => void;
  /** Cancels the task. */
  readonly signal?: AbortSignal;
}

/** A call's result, and the last state of the task that it ran as. */
export interface CalledTool {
  readonly result: Awaited<ReturnType<Client["callTool"]>>;
  readonly task?: Task;
}

/** Milliseconds to wait for the response to a cancellation. */
const patience = 5_000;

/**
 * The extension with which a call can run as a task; none if no revision that the session can use has tasks.
 * @param asked whether the user asked for a task
 * @throws DiagnosticError server-lacks when a task is asked for in a revision without tasks
 */
export async function taskExtensions(
  revision: string | undefined,
  asked: boolean,
): Promise<readonly ClientExtension[]> {
  const { tasks } = await import("@mcpwright/runtime/tasks/client");
  const extension = tasks();
  const sides = clientSides.filter((side) => revision === undefined || side.revision === revision);
  if (sides.some((side) => side.profile.tasks === "core" || extension.revisions.includes(side.revision)))
    return [extension];
  if (asked && sides.length > 0)
    fail("server-lacks", { what: "A call as a task", reason: `revision ${revision ?? ""} has no tasks` });
  return [];
}

/** Calls a tool, which the server may run as a task. When the signal is aborted, the server is asked to cancel the task first. */
export async function callAsTask(
  client: Client,
  params: Parameters<Client["callTool"]>[0],
  send: CallToolOptions,
  { task: asked, tell, signal }: CallTaskOptions,
): Promise<CalledTool> {
  const aborted = new AbortController();
  let last: Task | undefined;
  const stop = (): void => {
    if (last === undefined) return aborted.abort(signal?.reason);
    tell(`cancelling the task ${escapeLine(last.taskId)}`);
    void cancel(client, last.taskId).finally(() => aborted.abort(signal?.reason));
  };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const result = await client.callTool(params, {
      ...send,
      signal: aborted.signal,
      ...(asked && { task: true }),
      onStatus: (state) => {
        last = state;
        tell(lineOf(state));
      },
    });
    signal?.throwIfAborted();
    if (asked && !last) tell("the server ran the tool without a task");
    return { result, ...(last && { task: last }) };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** The server may have finished the task, or cannot cancel it: then there is nothing left to do. */
async function cancel(client: Client, taskId: string): Promise<void> {
  const { cancelTask } = await import("@mcpwright/runtime/tasks/client");
  await cancelTask(client, taskId, { timeoutMs: patience }).catch(() => undefined);
}

function lineOf({ taskId, status, statusMessage }: Task): string {
  return `task ${escapeLine(taskId)}: ${status}${statusMessage === undefined ? "" : `: ${escapeLine(statusMessage)}`}`;
}
