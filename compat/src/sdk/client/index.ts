import { ListChanges, type ListFetcher } from "../../client/list-changes.js";
import type { jsonSchemaValidator } from "../../shared/json-schema-validator.js";
import type { ListChangedHandlers } from "../../types/message-info.js";
import { missingHandlerCapability, missingServerCapability } from "../../shared/needed-capabilities.js";
import { ErrorCode, McpError } from "../errors.js";
import { ExperimentalClientTasks } from "../experimental/tasks/client-tasks.js";
import { assertRequestsAsTasks } from "../experimental/tasks/task-capabilities.js";
import type {
  CallToolRequest,
  CallToolResult,
  ClientCapabilities,
  CompleteRequest,
  CompleteResult,
  EmptyResult,
  GetPromptRequest,
  GetPromptResult,
  Implementation,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  LoggingLevel,
  Notification,
  ReadResourceResult,
  Request,
  Result,
  ServerCapabilities,
} from "../messages.js";
import { anyResult } from "../server/any-result.js";
import type { AnySchema, SchemaOutput } from "../server/zod-compat.js";
import { Protocol, type ProtocolOptions, type RequestOptions } from "../shared/protocol.js";
import type { Transport } from "../shared/transport.js";
import { transportErrorOf } from "../shared/transport-errors.js";
import { KnownTools } from "./known-tools.js";
import { ClientEnd } from "./native-end.js";

export { getSupportedElicitationModes } from "../../client/options.js";

export type ClientOptions = ProtocolOptions & {
  capabilities?: ClientCapabilities | undefined;
  /** Checks the structured output of tools against the schemas that the server has listed. Default: ajv. */
  jsonSchemaValidator?: jsonSchemaValidator | undefined;
  /** Called when lists change, where the server has declared that it reports it. */
  listChanged?: ListChangedHandlers | undefined;
};

interface PageParams {
  cursor?: string | undefined;
  _meta?: Record<string, unknown> | undefined;
}
interface UriParams {
  uri: string;
  _meta?: Record<string, unknown> | undefined;
}

const listKinds = ["tools", "prompts", "resources"] as const;

/** A client, connected to one server at a time. */
export class Client<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends Protocol<Request | RequestT, Notification | NotificationT, Result | ResultT> {
  /** @internal */
  protected readonly end: ClientEnd;
  #capabilities: ClientCapabilities;
  readonly #tools: KnownTools;
  readonly #listChanged: ListChangedHandlers;
  #changes: ListChanges | undefined;
  #experimental: { tasks: ExperimentalClientTasks } | undefined;

  constructor(clientInfo: Implementation, options: ClientOptions = {}) {
    super(options);
    this.#capabilities = { ...options.capabilities };
    this.#tools = new KnownTools(options.jsonSchemaValidator);
    this.#listChanged = { ...options.listChanged };
    this.end = new ClientEnd(clientInfo, options, {
      closed: () => {
        this.#changes?.stop();
        this.onTransportClosed();
      },
      failed: (error) => this.onerror?.(transportErrorOf(error) ?? error),
      fallbackRequest: () => this.fallbackRequestHandler && ((native) => this.callFallback(native)),
      fallbackNotification: () => this.fallbackNotificationHandler,
    });
    this.installTaskHandlers();
  }

  /** Opens a transport and begins a session with the server behind it. */
  override async connect(transport: Transport, options?: RequestOptions): Promise<void> {
    this.#tools.set([]);
    this.end.connectOptions = options;
    await super.connect(transport);
    try {
      this.#watchLists();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** @throws TypeError for invalid options of a list that the server reports */
  #watchLists(): void {
    const declared = this.getServerCapabilities();
    const reported = listKinds.filter((kind) => declared?.[kind]?.listChanged);
    const options = Object.fromEntries(reported.map((kind) => [kind, this.#listChanged[kind]]));
    const changes = new ListChanges(options, this.#fetchList, (error) => this.onerror?.(error as Error));
    for (const kind of changes.watched(declared as never))
      this.end.handleNotification(`notifications/${kind}/list_changed`, () => changes.onChange(kind));
    this.#changes = changes;
  }

  readonly #fetchList: ListFetcher = async (kind) => {
    if (kind === "tools") return (await this.listTools()).tools;
    if (kind === "prompts") return (await this.listPrompts()).prompts;
    return (await this.listResources()).resources;
  };

  /** Tasks, which later versions of the protocol have as an extension. */
  get experimental(): { tasks: ExperimentalClientTasks } {
    return (this.#experimental ??= {
      tasks: new ExperimentalClientTasks((request, schema, options) => this.request(request, schema, options), {
        canBeTask: (name) =>
          this.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined && this.#tools.canBeTask(name),
        checkOutput: (name, result) => this.#tools.checkOutput(name, result),
      }),
    });
  }

  /** Adds capabilities. @throws Error when the client is connected */
  registerCapabilities(capabilities: ClientCapabilities): void {
    this.end.registerCapabilities(capabilities);
    this.#capabilities = { ...this.#capabilities, ...capabilities };
  }

  getServerCapabilities(): ServerCapabilities | undefined {
    return this.end.server.capabilities;
  }

  getServerVersion(): Implementation | undefined {
    return this.end.server.info;
  }

  getInstructions(): string | undefined {
    return this.end.server.instructions;
  }

  async #ask<R>(method: string, params: object | undefined, options: RequestOptions | undefined): Promise<R> {
    const request = { method, ...(params && { params: params as never }) };
    return (await this.request(request, anyResult, options)) as R;
  }

  ping(options?: RequestOptions): Promise<EmptyResult> {
    return this.#ask("ping", undefined, options);
  }

  complete(params: CompleteRequest["params"], options?: RequestOptions): Promise<CompleteResult> {
    return this.#ask("completion/complete", params, options);
  }

  setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    return this.#ask("logging/setLevel", { level }, options);
  }

  getPrompt(params: GetPromptRequest["params"], options?: RequestOptions): Promise<GetPromptResult> {
    return this.#ask("prompts/get", params, options);
  }

  listPrompts(params?: PageParams, options?: RequestOptions): Promise<ListPromptsResult> {
    return this.#ask("prompts/list", params, options);
  }

  listResources(params?: PageParams, options?: RequestOptions): Promise<ListResourcesResult> {
    return this.#ask("resources/list", params, options);
  }

  listResourceTemplates(params?: PageParams, options?: RequestOptions): Promise<ListResourceTemplatesResult> {
    return this.#ask("resources/templates/list", params, options);
  }

  readResource(params: UriParams, options?: RequestOptions): Promise<ReadResourceResult> {
    return this.#ask("resources/read", params, options);
  }

  subscribeResource(params: UriParams, options?: RequestOptions): Promise<EmptyResult> {
    return this.#ask("resources/subscribe", params, options);
  }

  unsubscribeResource(params: UriParams, options?: RequestOptions): Promise<EmptyResult> {
    return this.#ask("resources/unsubscribe", params, options);
  }

  async listTools(params?: PageParams, options?: RequestOptions): Promise<ListToolsResult> {
    const result = await this.#ask<ListToolsResult>("tools/list", params, options);
    this.#tools.set(result.tools);
    return result;
  }

  /**
   * Calls a tool. Its structured content is checked if `listTools` has returned its schema.
   * @throws McpError when the tool returns other content than it has declared, or runs only as a task
   */
  callTool(
    params: CallToolRequest["params"],
    resultSchema?: undefined,
    options?: RequestOptions,
  ): Promise<CallToolResult>;
  callTool<T extends AnySchema>(
    params: CallToolRequest["params"],
    resultSchema: T | undefined,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>>;
  async callTool(
    params: CallToolRequest["params"],
    resultSchema: AnySchema = anyResult,
    options?: RequestOptions,
  ): Promise<unknown> {
    const { name } = params;
    if (this.#tools.mustBeTask(name))
      throw new McpError(
        ErrorCode.InvalidRequest,
        `Tool "${name}" requires task-based execution. Use client.experimental.tasks.callToolStream() instead.`,
      );
    const result: unknown = await this.request({ method: "tools/call", params: params }, resultSchema, options);
    await this.#tools.checkOutput(name, result as CallToolResult);
    return result;
  }

  sendRootsListChanged(): Promise<void> {
    return this.notification({ method: "notifications/roots/list_changed" });
  }

  protected override assertCapabilityForMethod(method: string): void {
    const problem = missingServerCapability(this.getServerCapabilities(), method);
    if (problem !== undefined) throw new Error(problem);
  }

  protected override assertNotificationCapability(method: string): void {
    if (method === "notifications/roots/list_changed" && !this.#capabilities.roots?.listChanged)
      throw new Error(`Client does not support roots list changed notifications (required for ${method})`);
  }

  protected override assertRequestHandlerCapability(method: string): void {
    const problem = missingHandlerCapability(this.#capabilities, method);
    if (problem !== undefined) throw new Error(problem);
  }

  protected override assertTaskCapability(method: string): void {
    assertRequestsAsTasks(this.getServerCapabilities()?.tasks?.requests, method, "Server");
  }

  protected override assertTaskHandlerCapability(method: string): void {
    assertRequestsAsTasks(this.#capabilities.tasks?.requests, method, "Client");
  }
}
