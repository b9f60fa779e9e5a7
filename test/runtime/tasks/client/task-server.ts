/** A scripted server with tasks, of either generation, as the transport of a client. */
import { onTestFinished } from "vitest";
import { Client, type ClientOptions, type Task } from "../../../../runtime/src/client.js";
import { serialize } from "../../../../runtime/src/jsonrpc/serialize.js";
import type { JSONRPCMessage } from "../../../../runtime/src/jsonrpc/message-types.js";
import { tasks } from "../../../../runtime/src/tasks/client.js";
import type { Transport } from "../../../../runtime/src/transport/transport.js";
import { clientInfo, clientSide, discovered, R4, R5, serverInfo } from "../../connection/connection-ends.js";
import { idle, type Message } from "../../connection/wire.js";

export const generations = [R4, R5] as const;
export type Generation = (typeof generations)[number];

export const tasksId = "io.modelcontextprotocol/tasks";

/** Responds with a result, or with an error when it rejects with one. */
type Respond = (params: NonNullable<Message["params"]>, message: Message) => unknown;

export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message = "no",
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export const unknownTask = new RpcFailure(-32602, "Task not found");

export class TaskServer implements Transport {
  onmessage?: (message: unknown) => void;
  onclose?: (error?: Error) => void;
  /** All messages of the client, after the opening. */
  readonly received: Message[] = [];
  /** The responses, by method; those to other requests are -32601. */
  readonly on: Record<string, Respond> = {};
  isSilent = false;
  #nextId = 1;
  readonly #waiting = new Map<unknown, (response: Message) => void>();

  constructor(
    readonly revision: Generation,
    capabilities: object = revision === R5
      ? { tools: {}, extensions: { [tasksId]: {} } }
      : { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  ) {
    this.on["initialize"] = () => ({ protocolVersion: revision, capabilities, serverInfo });
    this.on["server/discover"] = () => discovered([revision], capabilities);
    this.on["tools/list"] = () => this.result({ tools: this.tools, ttlMs: 0, cacheScope: "private" });
  }

  readonly tools: object[] = [
    { name: "slow", inputSchema: { type: "object" }, execution: { taskSupport: "required" } },
    { name: "maybe", inputSchema: { type: "object" }, execution: { taskSupport: "optional" } },
    { name: "fast", inputSchema: { type: "object" } },
  ];

  start(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  /** Ends the connection from this side. */
  crash(): void {
    this.onclose?.(new Error("crashed"));
  }

  send(sent: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    const message = JSON.parse(serialize(sent)) as Message;
    const { id, method } = message;
    if (method === undefined) return this.#waiting.get(id)?.(message);
    if (!/^(initialize|server\/discover|notifications\/initialized)$/.test(method)) this.received.push(message);
    if (id !== undefined && !this.isSilent) void this.#respond(method, message);
  }

  /** Sends a request to the client, and returns its response. */
  ask(method: string, params: object): Promise<Message> {
    const id = `s${this.#nextId++}`;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.onmessage?.({ jsonrpc: "2.0", id, method, params });
    return answered;
  }

  notify(method: string, params: object): void {
    this.onmessage?.({ jsonrpc: "2.0", method, params });
  }

  /** The requests and notifications of one method, as params. */
  sent(method: string): NonNullable<Message["params"]>[] {
    return this.received.flatMap((message) => (message.method === method ? [message.params ?? {}] : []));
  }

  get methods(): (string | undefined)[] {
    return this.received.map(({ method }) => method);
  }

  /** Adds the tag that results of the newer generation have. */
  result(body: object, resultType = "complete"): object {
    return this.revision === R5 ? { resultType, ...body } : body;
  }

  /** A task in the form of the generation. */
  task({ ttlMs, pollIntervalMs, ...task }: Task): object {
    return this.revision === R5
      ? { ...task, ttlMs, ...(pollIntervalMs !== undefined && { pollIntervalMs }) }
      : { ...task, ttl: ttlMs, ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }) };
  }

  /** The result that creates a task. */
  created(task: Task): object {
    return this.revision === R5 ? this.result(this.task(task), "task") : { task: this.task(task) };
  }

  /**
   * Responds to `tools/call` with a task, and to polls with these states, the last one repeated.
   * @param result of the task, when it completes
   */
  script(states: readonly (Task | RpcFailure)[], result: object = { content: [{ type: "text", text: "done" }] }): void {
    const [first = task("working"), ...next] = states;
    this.on["tools/call"] = () => this.created(first as Task);
    this.on["tasks/get"] = () => {
      const state = next.length > 1 ? next.shift() : next[0];
      if (state instanceof RpcFailure) throw state;
      const more = this.revision === R5 && state?.status === "completed" ? { result: this.result(result) } : {};
      return this.result({ ...this.task(state ?? task("working")), ...more });
    };
    this.on["tasks/result"] = () => result;
    this.on["tasks/cancel"] = () => this.result(this.revision === R5 ? {} : this.task(task("cancelled", 99)));
  }

  async #respond(method: string, message: Message): Promise<void> {
    const { id } = message;
    try {
      const respond = this.on[method];
      if (!respond) throw new RpcFailure(-32601, `Method not found: ${method}`);
      const result = await respond(message.params ?? {}, message);
      this.onmessage?.({ jsonrpc: "2.0", id, result });
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      const { code, message: text, data } = error;
      this.onmessage?.({ jsonrpc: "2.0", id, error: { code, message: text, ...(data !== undefined && { data }) } });
    }
  }
}

const start = Date.parse("2026-08-01T00:00:00Z");

/** A task that was updated `at` milliseconds after its creation. */
export function task(status: Task["status"], at = 0, more: Partial<Task> = {}): Task {
  return {
    taskId: "t",
    status,
    createdAt: new Date(start).toISOString(),
    lastUpdatedAt: new Date(start + at).toISOString(),
    ttlMs: null,
    pollIntervalMs: 100,
    ...more,
  };
}

export interface Connected {
  readonly client: Client;
  readonly server: TaskServer;
  readonly errors: Error[];
}

/** Connects a client with the extension to a scripted server. */
export async function connectTo(
  server: Generation | TaskServer,
  options: ClientOptions = {},
  extensions: NonNullable<ClientOptions["extensions"]> = [tasks()],
): Promise<Connected> {
  const peer = server instanceof TaskServer ? server : new TaskServer(server);
  const errors: Error[] = [];
  const client = new Client(clientInfo, {
    revisions: [clientSide(peer.revision)],
    onerror: (error) => errors.push(error),
    extensions,
    ...options,
  });
  await client.connect(peer);
  onTestFinished(() => client.close());
  return { client, server: peer, errors };
}

/** Waits until a condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    if (turns > 1_000) throw new Error("the condition never held");
    await idle();
  }
}
