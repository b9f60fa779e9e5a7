import { principalKey } from "../../http-server/principal-key.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import type { ServerContext } from "../../server/contracts.js";

interface TaskOwner {
  readonly server: string;
  readonly principal: string | undefined;
}

/** The oldest tasks are forgotten. */
const maxTasks = 10_000;

/** Remembers which server runs a task, and for whom. */
export class TaskOwners {
  readonly #owners = new Map<string, TaskOwner>();

  add(taskId: string, { principal }: ServerContext, server: string): void {
    const [oldest] = this.#owners.keys();
    if (this.#owners.size >= maxTasks && oldest !== undefined) this.#owners.delete(oldest);
    this.#owners.set(taskId, { server, principal: principalKey(principal) });
  }

  /**
   * Returns the server that runs a task; undefined if it is not known.
   * @throws ProtocolError -32602 when it is the task of another principal
   */
  find(taskId: string, { principal }: ServerContext): string | undefined {
    const owner = this.#owners.get(taskId);
    if (owner && owner.principal !== principalKey(principal)) throw unknownTask();
    return owner?.server;
  }
}

/** The error of servers, too, for a task that does not exist, or belongs to another principal. */
export function unknownTask(): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, "Invalid params: there is no task with this taskId, or no longer");
}
