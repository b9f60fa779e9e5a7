/** Servers with tools that run as tasks, and clients that send raw messages to them. */
import { onTestFinished, vi } from "vitest";
import type { JSONRPCMessage } from "../../../../runtime/src/jsonrpc/message-types.js";
import { serialize } from "../../../../runtime/src/jsonrpc/serialize.js";
import type { ServerContext } from "../../../../runtime/src/server/contracts.js";
import { createMcpHandler } from "../../../../runtime/src/server/http.js";
import { McpServer, type McpServerOptions } from "../../../../runtime/src/server.js";
import { MemoryTaskStore, type ServerTasksOptions, tasks, type TaskStore } from "../../../../runtime/src/tasks.js";
import { InMemoryTransport } from "../../../../runtime/src/transport/in-memory.js";
import type { Principal } from "../../../../runtime/src/transport/principal.js";
import { initialize as opening, modern, plain, R4, R5, type Message } from "../../http-server/messages.js";

export { R4, R5, type Message };

export const extensionId = "io.modelcontextprotocol/tasks";
export const relatedTask = "io.modelcontextprotocol/related-task";
/** The capabilities of a client of the extension that can fill in forms. */
export const capable = { elicitation: {}, extensions: { [extensionId]: {} } };

export type Task = Readonly<Record<string, unknown>> & { readonly taskId: string; readonly status: string };

export const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

/** A form with one text field. */
export const form = (message: string) => ({
  mode: "form" as const,
  message,
  requestedSchema: { type: "object" as const, properties: { value: { type: "string" as const } } },
});

export const accept = (value: string) => ({ action: "accept", content: { value } });

export interface TaskServer {
  readonly server: McpServer;
  /** What `onerror` received. */
  readonly errors: Error[];
  readonly store: TaskStore;
}

export function taskServer(options: ServerTasksOptions = {}, more: Partial<McpServerOptions> = {}): TaskServer {
  const errors: Error[] = [];
  const store = options.store ?? new MemoryTaskStore();
  const server = new McpServer(
    { name: "tasks", version: "1" },
    { extensions: [tasks({ ...options, store })], onerror: (error) => errors.push(error), ...more },
  );
  onTestFinished(() => server.close(0));
  return { server, errors, store };
}

/** A promise that the test resolves. */
export function gate<Value = void>() {
  let open!: (value: Value) => void;
  const passed = new Promise<Value>((resolve) => (open = resolve));
  return { passed, open };
}

/** @throws Error when there is no value */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("a value is missing");
  return value;
}

/** Waits until an assertion holds. */
export const eventually = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: 5_000, interval: 2 });

/** The client side of a connection in memory. */
export abstract class RawClient {
  /** The received notifications and requests that the test has not taken yet. */
  readonly inbox: Message[] = [];
  readonly #near: InMemoryTransport;
  readonly #waiting = new Map<unknown, (response: Message) => void>();
  #id = 0;

  constructor(near: InMemoryTransport) {
    this.#near = near;
    near.onmessage = (received) => {
      const message = JSON.parse(serialize(received as JSONRPCMessage)) as Message;
      if (message.method === undefined) this.#waiting.get(message.id)?.(message);
      else this.inbox.push(message);
    };
  }

  /** Adds what every request carries. */
  protected abstract complete(params: object): object;

  close(): Promise<void> {
    return this.#near.close();
  }

  send(message: object): void {
    this.#near.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
  }

  /** Sends a request, and returns its id and the promise of its response. */
  begin(method: string, params: object = {}): { readonly id: number; readonly response: Promise<Message> } {
    const id = ++this.#id;
    const response = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.send({ id, method, params: this.complete(params) });
    return { id, response };
  }

  ask(method: string, params?: object): Promise<Message> {
    return this.begin(method, params).response;
  }

  call(name: string, args?: object, more?: object): Promise<Message> {
    return this.ask("tools/call", { name, ...(args && { arguments: args }), ...more });
  }

  async get(taskId: string): Promise<Task> {
    const { result, error } = await this.ask("tasks/get", { taskId });
    if (!result) throw new Error(JSON.stringify(error));
    return result as Task;
  }

  /** Polls until the task has a status. */
  async reaches(taskId: string, status: string): Promise<Task> {
    let task: Task | undefined;
    await vi.waitFor(
      async () => {
        task = await this.get(taskId);
        if (task.status !== status) throw new Error(`the task is still ${JSON.stringify(task)}`);
      },
      { timeout: 5_000, interval: 2 },
    );
    return present(task);
  }

  /** Waits for the next notification or request of a method, and drops those before it. */
  async next(method: string): Promise<Message> {
    await eventually(() => {
      if (!this.inbox.some((one) => one.method === method))
        throw new Error(`no ${method} in ${JSON.stringify(this.inbox)}`);
    });
    for (;;) {
      const message = present(this.inbox.shift());
      if (message.method === method) return message;
    }
  }
}

/** A client of 2026-07-28. */
export class ModernClient extends RawClient {
  constructor(
    near: InMemoryTransport,
    readonly capabilities: object = capable,
  ) {
    super(near);
  }

  protected override complete(params: object): object {
    const { _meta } = params as { readonly _meta?: object };
    return {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": R5,
        "io.modelcontextprotocol/clientCapabilities": this.capabilities,
        ..._meta,
      },
    };
  }

  /** Calls a tool, and returns the created task. */
  async start(name: string, args?: object): Promise<Task> {
    const { result, error } = await this.call(name, args);
    if (result?.["resultType"] !== "task") throw new Error(`no task: ${JSON.stringify(result ?? error)}`);
    return result as Task;
  }
}

/** A client of a session of 2025-11-25. */
export class SessionClient extends RawClient {
  protected override complete(params: object): object {
    return params;
  }

  async start(name: string, args?: object, task: object = {}): Promise<Task> {
    const { result, error } = await this.call(name, args, { task });
    if (!result?.["task"]) throw new Error(`no task: ${JSON.stringify(result ?? error)}`);
    return result["task"] as Task;
  }
}

async function connect(server: McpServer): Promise<InMemoryTransport> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await near.start();
  return near;
}

export async function modernClient(
  { server }: Pick<TaskServer, "server">,
  capabilities?: object,
): Promise<ModernClient> {
  return new ModernClient(await connect(server), capabilities);
}

/** Opens a session; `initialized` is the result of `initialize`. */
export async function sessionClient(
  { server }: Pick<TaskServer, "server">,
  capabilities: object = { elicitation: {} },
  revision: string = R4,
): Promise<SessionClient & { readonly initialized: Message }> {
  const client = new SessionClient(await connect(server));
  const initialized = await client.ask("initialize", {
    protocolVersion: revision,
    capabilities,
    clientInfo: { name: "raw", version: "1" },
  });
  client.send({ method: "notifications/initialized" });
  return Object.assign(client, { initialized });
}

/** An HTTP endpoint of the server, which the test calls with `fetch`. */
export function httpEndpoint({ server }: Pick<TaskServer, "server">) {
  const handler = createMcpHandler(server);
  onTestFinished(() => handler.close(0));
  const post = (
    { headers, body }: { readonly headers?: Readonly<Record<string, string | undefined>>; readonly body?: unknown },
    principal?: Principal,
  ): Promise<Response> =>
    handler.fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: Object.entries(headers ?? {}).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, value]],
        ),
        body: JSON.stringify(body),
      }),
      { principal },
    );
  let id = 0;
  return {
    handler,
    /** Sends a request of 2026-07-28, and returns its response. */
    async ask(
      method: string,
      params: object,
      { principal, ...more }: { principal?: Principal; headers?: Record<string, string>; capabilities?: object } = {},
    ): Promise<Message & { readonly httpStatus: number }> {
      const { taskId } = params as { taskId?: string };
      const headers = { ...(taskId !== undefined && { "mcp-name": taskId }), ...more.headers };
      const response = await post(modern(++id, method, params, { capabilities: capable, ...more, headers }), principal);
      return { ...messagesOf(await response.text()).at(-1), httpStatus: response.status } as never;
    },
    /** Opens a session of 2025-11-25, and returns how to send requests in it. */
    async session(principal?: Principal) {
      const opened = await post(plain(opening(R4, { elicitation: {} })), principal);
      const sessionId = opened.headers.get("mcp-session-id") ?? "";
      const headers = { "mcp-session-id": sessionId, "mcp-protocol-version": R4 };
      const initialized = present(messagesOf(await opened.text()).at(-1));
      await post(plain({ jsonrpc: "2.0", method: "notifications/initialized" }, { headers }), principal);
      const ask = async (method: string, params: object = {}): Promise<Message> => {
        const body = { jsonrpc: "2.0", id: ++id, method, params };
        const response = await post(plain(body, { headers }), principal);
        return present(messagesOf(await response.text()).at(-1));
      };
      /** Sends a response to a request of the server. */
      const respond = (message: object): Promise<Response> =>
        post(plain({ jsonrpc: "2.0", ...message }, { headers }), principal);
      /** Opens the stream of the session, and returns its messages. */
      const listen = async (): Promise<Message[]> => {
        const accept = "text/event-stream";
        const opened = new Request("http://localhost/mcp", { headers: { ...headers, accept } });
        const inbox: Message[] = [];
        void readMessages(await handler.fetch(opened, { principal }), inbox);
        return inbox;
      };
      /** Sends a request, and returns the messages of its response while they arrive. */
      const open = async (method: string, params: object) => {
        const inbox: Message[] = [];
        const response = await post(plain({ jsonrpc: "2.0", id: ++id, method, params }, { headers }), principal);
        return { inbox, end: readMessages(response, inbox) };
      };
      return Object.assign(ask, { initialized, respond, listen, open });
    },
  };
}

/** Collects the messages of a stream until its end. */
async function readMessages({ body }: Response, inbox: Message[]): Promise<void> {
  let text = "";
  for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) inbox.push(...messagesOf(event));
  }
}

/** The messages of a body that is JSON or an event stream. */
function messagesOf(body: string): Message[] {
  if (body.startsWith("{")) return [JSON.parse(body) as Message];
  const data = body.split("\n").filter((line) => line.startsWith("data: ") && line.length > 6);
  return data.map((line) => JSON.parse(line.slice(6)) as Message);
}

export type Handler = (context: ServerContext) => unknown;

/** A server with one tool, and a client that has started it. */
export async function started(handler: Handler, options: Parameters<typeof taskServer>[0] = {}) {
  const made = taskServer(options);
  made.server.registerTool("work", { task: "optional" }, handler as never);
  const client = await modernClient(made);
  const { taskId } = await client.start("work");
  return { ...made, client, taskId };
}

/** The same with a session of 2025-11-25. */
export async function startedInSession(
  handler: Handler,
  options: Parameters<typeof taskServer>[0] = {},
  capabilities?: object,
) {
  const made = taskServer(options);
  made.server.registerTool("work", { task: "optional" }, handler as never);
  const client = await sessionClient(made, capabilities);
  const { taskId } = await client.start("work");
  return { ...made, client, taskId };
}
