import { TASKS_CANCEL, TASKS_GET, TASKS_RESULT } from "@mcpwright/protocol/names";
import { hasCapability, missingCapability } from "../../connection/capability.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject, ownMember } from "../../jsonrpc/guards.js";
import type { ServerContext } from "../../server/contracts.js";
import type { SendInputRequest } from "../../server/extension-hooks.js";
import type { InputRequestOptions } from "../../server/input-request-options.js";
import { raceAbort } from "../../timing/race-abort.js";
import { unref } from "../../timing/timer-delay.js";

const defaultIntervalMs = 1_000;
/** No client is polled more often. */
const shortestIntervalMs = 100;

/** The members of a client's task that decide how it is polled. */
interface ClientTask {
  readonly taskId: string;
  readonly status: string;
  readonly pollInterval?: number;
}

/** Sends an input request as a task, if the handler wants that and the client supports it (MCP 2025-11-25, tasks: creating tasks). */
export const sendAsTask: SendInputRequest<ServerContext> = async (context, { method, params }, options, send) => {
  const { side, capabilities } = context.client;
  const row = ownMember(side.receives.results, method);
  if (!options?.task || !row?.alternative) return send(params);
  const { member, onlyWith } = row.alternative;
  const asked = { ...params, [onlyWith]: {} };
  if (missingCapability(row, asked, "client", capabilities)) return send(params);
  const response = await send(asked);
  // The client may respond at once nevertheless.
  if (!isObject(response) || response[member] === undefined) return response;
  return resultOf(context, check(row.alternative.result, method, response)[member] as ClientTask, options);
};

/** Polls a task of the client until it has ended, and returns its result. */
async function resultOf(context: ServerContext, first: ClientTask, options: InputRequestOptions): Promise<unknown> {
  const { connection, client, signal: own } = context;
  const { taskId } = first;
  const signal = options.signal ? AbortSignal.any([own, options.signal]) : own;
  const sent = { signal, relatedRequestId: context.requestId };
  const rows = client.side.receives.results;
  const ask = async (method: string): Promise<Readonly<Record<string, unknown>>> => {
    const response = await connection.request(method, { taskId }, sent);
    return check(rows[method]?.result ?? (() => false), method, response);
  };
  try {
    for (let task = first; task.status === "working"; task = (await ask(TASKS_GET)) as unknown as ClientTask)
      await raceAbort(signal, pause(Math.max(task.pollInterval ?? defaultIntervalMs, shortestIntervalMs)));
    const { _meta: _related, ...result } = await ask(TASKS_RESULT);
    return result;
  } catch (error) {
    if (signal.aborted && connection.isOpen && hasCapability(client.capabilities, "client.tasks.cancel"))
      connection.request(TASKS_CANCEL, { taskId }).catch((failure: unknown) => connection.report(failure));
    throw error;
  }
}

/** Does not keep the process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void unref(setTimeout(resolve, ms)));
}

function check(fits: (value: unknown) => boolean, method: string, response: unknown): Record<string, unknown> {
  if (fits(response)) return response as Record<string, unknown>;
  throw new SdkError("INVALID_RESULT", `the client's result of ${method} does not match the schema`, {
    result: response,
  });
}
