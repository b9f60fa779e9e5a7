import type {
  ClientCapabilities,
  CreateMessageRequest,
  CreateMessageRequestParamsBase,
  CreateMessageRequestParamsWithTools,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  EmptyResult,
  Implementation,
  ListRootsResult,
  LoggingLevel,
  LoggingMessageNotificationParams,
  Notification,
  Request,
  RequestMeta,
  ResourceUpdatedNotificationParams,
  Result,
  ServerCapabilities,
} from "../messages.js";
import type { jsonSchemaValidator } from "../../shared/json-schema-validator.js";
import { reachesLevel } from "../../shared/log-levels.js";
import { missingClientCapability, withFormElicitation } from "../../shared/needed-capabilities.js";
import { ErrorCode, McpError } from "../errors.js";
import { ExperimentalServerTasks } from "../experimental/tasks/server-tasks.js";
import { assertRequestsAsTasks } from "../experimental/tasks/task-capabilities.js";
import {
  type NotificationOptions,
  Protocol,
  type ProtocolOptions,
  type RequestHandlerExtra,
  type RequestOptions,
} from "../shared/protocol.js";
import { anyResult } from "./any-result.js";
import { assertServerFeature } from "./feature-of.js";
import { ServerEnd } from "./native-end.js";
import { assertToolMessages } from "./sampling-messages.js";
import { checkedToolResult } from "./tool-result.js";
import type { AnyObjectSchema, SchemaOutput } from "./zod-compat.js";
import { getMethodLiteral } from "./zod-json-schema-compat.js";

export type ServerOptions = ProtocolOptions & {
  capabilities?: ServerCapabilities | undefined;
  /** Instructions for the client's model on how to use the server. */
  instructions?: string | undefined;
  /** Checks what users enter in forms. Default: ajv. */
  jsonSchemaValidator?: jsonSchemaValidator | undefined;
};

/** The low-level server: handlers by method. A server has one connection at a time. */
export class Server<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends Protocol<Request | RequestT, Notification | NotificationT, Result | ResultT> {
  /** Called when the client has sent `notifications/initialized`. */
  oninitialized?: (() => void) | undefined;
  /** @internal */
  protected readonly end: ServerEnd;
  readonly #validator: jsonSchemaValidator | undefined;
  /** The least level of log messages by session. */
  readonly #levels = new Map<string | undefined, LoggingLevel>();
  #tasks: { tasks: ExperimentalServerTasks } | undefined;

  constructor(serverInfo: Implementation, options: ServerOptions = {}) {
    super(options);
    this.#validator = options.jsonSchemaValidator;
    this.end = new ServerEnd(serverInfo, options, {
      initialized: () => this.oninitialized?.(),
      closed: () => {
        this.#levels.clear();
        this.onTransportClosed();
      },
      failed: (error) => this.onerror?.(error),
      fallbackRequest: () => this.fallbackRequestHandler && ((native) => this.callFallback(native)),
      fallbackNotification: () => this.fallbackNotificationHandler,
    });
    if (options.capabilities?.logging)
      this.handleRequest("logging/setLevel", ({ params }, { sessionId, requestInfo }) => {
        const { level } = params as unknown as { readonly level: LoggingLevel };
        this.#levels.set(sessionId ?? (requestInfo?.headers["mcp-session-id"] as string | undefined), level);
        return {};
      });
    this.installTaskHandlers();
  }

  /** Tasks, which later versions of the protocol have as an extension. */
  get experimental(): { tasks: ExperimentalServerTasks } {
    return (this.#tasks ??= {
      tasks: new ExperimentalServerTasks((request, schema, options) => this.request(request, schema, options)),
    });
  }

  /**
   * Declares further capabilities.
   * @throws Error when the server is connected
   */
  registerCapabilities(capabilities: ServerCapabilities): void {
    if (this.transport) throw new Error("Cannot register capabilities after connecting to transport");
    this.end.registerCapabilities(capabilities);
  }

  override setRequestHandler<T extends AnyObjectSchema>(
    requestSchema: T,
    handler: (
      request: SchemaOutput<T>,
      extra: RequestHandlerExtra<Request | RequestT, Notification | NotificationT>,
    ) => Result | ResultT | Promise<Result | ResultT>,
  ): void {
    if (getMethodLiteral(requestSchema) !== "tools/call") return super.setRequestHandler(requestSchema, handler);
    super.setRequestHandler(requestSchema, async (request, extra) => {
      const { params } = request as unknown as { readonly params?: { readonly task?: unknown } };
      return checkedToolResult(await handler(request, extra), params?.task !== undefined);
    });
  }

  /** The capabilities of the client, once it has declared them. */
  getClientCapabilities(): ClientCapabilities | undefined {
    return withFormElicitation(this.end.client?.capabilities as ClientCapabilities | undefined);
  }

  getClientVersion(): Implementation | undefined {
    return this.end.client?.info;
  }

  /** Checks that the client responds. */
  async ping(): Promise<EmptyResult> {
    return this.request({ method: "ping" }, anyResult);
  }

  /** Requests a completion by the client's model. */
  createMessage(params: CreateMessageRequestParamsBase, options?: RequestOptions): Promise<CreateMessageResult>;
  createMessage(
    params: CreateMessageRequestParamsWithTools,
    options?: RequestOptions,
  ): Promise<CreateMessageResultWithTools>;
  createMessage(
    params: CreateMessageRequest["params"],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools>;
  async createMessage(
    params: CreateMessageRequest["params"],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    if ((params.tools ?? params.toolChoice) && !this.getClientCapabilities()?.sampling?.tools)
      throw new Error("Client does not support sampling tools capability.");
    assertToolMessages(params.messages);
    const request = { method: "sampling/createMessage", params: params as never };
    return (await this.request(request, anyResult, options)) as unknown as CreateMessageResult;
  }

  /**
   * Requests input from the user: in a form, or at a URL.
   * @throws McpError when what the user entered does not match the schema
   */
  async elicitInput(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: RequestOptions,
  ): Promise<ElicitResult> {
    const mode = params.mode ?? "form";
    if (!this.getClientCapabilities()?.elicitation?.[mode])
      throw new Error(`Client does not support ${mode} elicitation.`);
    const request = { method: "elicitation/create", params: { ...params, mode } as never };
    const result = (await this.request(request, anyResult, options)) as unknown as ElicitResult;
    const { requestedSchema } = params as Partial<ElicitRequestFormParams>;
    if (mode === "form" && result.action === "accept" && result.content && requestedSchema)
      await this.#checkInput(requestedSchema, result.content);
    return result;
  }

  async #checkInput(schema: object, content: unknown): Promise<void> {
    let problem: string | undefined;
    try {
      const validator = this.#validator ?? new (await import("../validation/ajv-provider.js")).AjvJsonSchemaValidator();
      problem = validator.getValidator(schema as never)(content).errorMessage;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new McpError(ErrorCode.InternalError, `Error validating elicitation response: ${why}`);
    }
    if (problem !== undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `Elicitation response content does not match requested schema: ${problem}`,
      );
  }

  /** Returns a function that notifies the client that the user is done at a URL. */
  createElicitationCompletionNotifier(elicitationId: string, options?: NotificationOptions): () => Promise<void> {
    if (!this.getClientCapabilities()?.elicitation?.url)
      throw new Error("Client does not support URL elicitation (required for notifications/elicitation/complete)");
    return () =>
      this.notification({ method: "notifications/elicitation/complete", params: { elicitationId } }, options);
  }

  /** Requests the folders that the client works in. */
  async listRoots(params?: { _meta?: RequestMeta }, options?: RequestOptions): Promise<ListRootsResult> {
    const request = { method: "roots/list", ...(params && { params }) };
    return (await this.request(request, anyResult, options)) as unknown as ListRootsResult;
  }

  /** Sends a log message, unless the client of the session has set a higher level. */
  async sendLoggingMessage(params: LoggingMessageNotificationParams, sessionId?: string): Promise<void> {
    const least = this.#levels.get(sessionId);
    const isWanted = least === undefined || reachesLevel(params.level, least);
    if (this.end.capabilities.logging && isWanted)
      await this.notification({ method: "notifications/message", params: { ...params } });
  }

  sendResourceUpdated(params: ResourceUpdatedNotificationParams): Promise<void> {
    return this.notification({ method: "notifications/resources/updated", params: { ...params } });
  }

  sendResourceListChanged(): Promise<void> {
    return this.notification({ method: "notifications/resources/list_changed" });
  }

  sendToolListChanged(): Promise<void> {
    return this.notification({ method: "notifications/tools/list_changed" });
  }

  sendPromptListChanged(): Promise<void> {
    return this.notification({ method: "notifications/prompts/list_changed" });
  }

  protected override assertCapabilityForMethod(method: string): void {
    const problem = missingClientCapability(this.getClientCapabilities(), method);
    if (problem !== undefined) throw new Error(problem);
  }

  protected override assertNotificationCapability(method: string): void {
    assertServerFeature(this.end.capabilities, method, "notification");
    if (method === "notifications/elicitation/complete" && !this.getClientCapabilities()?.elicitation?.url)
      throw new Error(`Client does not support URL elicitation (required for ${method})`);
  }

  protected override assertRequestHandlerCapability(method: string): void {
    assertServerFeature(this.end.capabilities, method, "request");
  }

  protected override assertTaskCapability(method: string): void {
    assertRequestsAsTasks(this.getClientCapabilities()?.tasks?.requests, method, "Client");
  }

  protected override assertTaskHandlerCapability(method: string): void {
    assertRequestsAsTasks(this.end.capabilities.tasks?.requests, method, "Server");
  }
}
