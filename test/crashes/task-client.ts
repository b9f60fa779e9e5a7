import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { EXTENSION_ID } from "@mcpwright/protocol/extensions/tasks";
import {
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_PROTOCOL_VERSION,
  TASKS_CANCEL,
  TASKS_GET,
  TASKS_UPDATE,
  TOOLS_CALL,
} from "@mcpwright/protocol/names";
import { owners, userHeader } from "./settings.js";

/** The state of a task, as servers report it. */
interface TaskState {
  readonly taskId: string;
  readonly status: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

interface Response {
  readonly result?: TaskState;
  readonly error?: { readonly code: number };
}

/** A task that a server has acknowledged, and what a client saw of it. */
export interface SeenTask {
  readonly id: string;
  /** The position of the owner. */
  readonly user: number;
  readonly tool: string;
  /** The final state. */
  end?: TaskState;
}

export const revision = "2026-07-28";

/** Creates tasks at servers that are killed, and follows them to their ends at any of them. */
export class TaskClient {
  readonly tasks: SeenTask[] = [];
  readonly problems: string[] = [];
  readonly #ports: () => Promise<number>;
  #lastId = 0;

  /** @param port of a server that may be running */
  constructor(port: () => Promise<number>) {
    this.#ports = port;
  }

  /** Creates a task, and follows it. */
  async run(tool: string): Promise<void> {
    const user = randomInt(owners.length);
    const created = await this.#request(user, TOOLS_CALL, { name: tool, arguments: {} }, tool);
    // Without a response, the client does not know whether there is a task.
    if (!created?.result) return;
    const task: SeenTask = { id: created.result.taskId, user, tool };
    this.tasks.push(task);
    while (!task.end) {
      await setTimeout(20 + randomInt(30));
      await this.#follow(task);
    }
  }

  /** Checks that a task has ended once: it does not change any more. */
  async check(task: SeenTask): Promise<void> {
    for (let user = 0; user < owners.length; user++) {
      const seen = await this.#untilAnswered(user, task.id);
      if (user !== task.user) {
        if (seen.result || seen.error?.code !== -32_602) this.problems.push(`visible to others: ${task.id}`);
      } else if (JSON.stringify(seen.result) !== JSON.stringify(task.end)) this.problems.push(`changed: ${task.id}`);
    }
  }

  async #follow(task: SeenTask): Promise<void> {
    const { id: taskId, user } = task;
    const seen = await this.#request(user, TASKS_GET, { taskId }, taskId);
    if (!seen) return;
    if (!seen.result) {
      this.problems.push(`lost: ${taskId} ${JSON.stringify(seen.error)}`);
      task.end = { taskId, status: "lost" };
    } else if (["completed", "failed", "cancelled"].includes(seen.result.status)) task.end = seen.result;
    else if (seen.result.inputRequests) {
      const keys = Object.keys(seen.result.inputRequests);
      const inputResponses = Object.fromEntries(
        keys.map((key) => [key, { action: "accept", content: { sure: true } }]),
      );
      await Promise.all([
        this.#request(user, TASKS_UPDATE, { taskId, inputResponses }, taskId),
        ...(randomInt(8) === 0 ? [this.#request(user, TASKS_CANCEL, { taskId }, taskId)] : []),
      ]);
    }
  }

  async #untilAnswered(user: number, taskId: string): Promise<Response> {
    for (;;) {
      const response = await this.#request(user, TASKS_GET, { taskId }, taskId);
      if (response) return response;
      await setTimeout(20);
    }
  }

  /** Sends a request to one of the servers. Returns undefined when it was killed meanwhile. */
  async #request(user: number, method: string, params: object, name: string): Promise<Response | undefined> {
    const _meta = {
      [META_PROTOCOL_VERSION]: revision,
      [META_CLIENT_INFO]: { name: "crash-test", version: "1.0.0" },
      [META_CLIENT_CAPABILITIES]: { elicitation: { form: {} }, extensions: { [EXTENSION_ID]: {} } },
    };
    try {
      const response = await fetch(`http://127.0.0.1:${await this.#ports()}/`, {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": revision,
          "mcp-method": method,
          "mcp-name": name,
          [userHeader]: `${user}`,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++this.#lastId, method, params: { ...params, _meta } }),
      });
      return (await response.json()) as Response;
    } catch {
      return undefined;
    }
  }
}
