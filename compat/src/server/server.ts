import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from "../shared/errors.js";
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
  LoggingMessageNotificationParams,
  RequestMeta,
  ResourceUpdatedNotificationParams,
  ServerCapabilities,
} from "../types/index.js";
import { reachesLevel } from "../shared/log-levels.js";
import {
  missingClientCapability,
  missingServerCapability,
  withFormElicitation,
} from "../shared/needed-capabilities.js";
import type { NotificationOptions, RequestOptions } from "../shared/request-options.js";
import { assertPush } from "./handler-context.js";
import { NativeBackedServer } from "./native-server.js";

/** The low-level server: handlers by method. A server has one connection at a time. */
export class Server extends NativeBackedServer {
  /**
   * Declares further capabilities.
   * @throws SdkError when the server is connected
   */
  registerCapabilities(capabilities: ServerCapabilities): void {
    if (this.transport)
      throw new SdkError(SdkErrorCode.AlreadyConnected, "Cannot register capabilities after connecting to transport");
    this.native.registerCapabilities(capabilities as never);
  }

  getCapabilities(): ServerCapabilities {
    return this.native.capabilities;
  }

  /** The capabilities of the client: of its session, or of its latest request. */
  getClientCapabilities(): ClientCapabilities | undefined {
    return withFormElicitation(this.client?.capabilities);
  }

  getClientVersion(): Implementation | undefined {
    return this.client?.info;
  }

  getNegotiatedProtocolVersion(): string | undefined {
    return this.client?.side.revision;
  }

  /** Checks that the client responds. */
  async ping(): Promise<EmptyResult> {
    this.#assertPush("ping");
    return this.request({ method: "ping" });
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
    this.#assertPush("sampling/createMessage");
    const { tools, toolChoice } = params as { readonly tools?: unknown; readonly toolChoice?: unknown };
    const { sampling } = this.getClientCapabilities() ?? {};
    if ((tools ?? toolChoice) && !sampling?.tools)
      throw new SdkError(SdkErrorCode.CapabilityNotSupported, "Client does not support sampling tools capability.");
    return this.request({ method: "sampling/createMessage", params: params }, options);
  }

  /** Requests input from the user. */
  async elicitInput(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: RequestOptions,
  ): Promise<ElicitResult> {
    this.#assertPush("elicitation/create");
    const mode = params.mode ?? "form";
    const elicitation = this.getClientCapabilities()?.elicitation as { form?: unknown; url?: unknown } | undefined;
    const isSupported = elicitation && (elicitation[mode] ?? (mode === "form" && elicitation.url === undefined));
    if (!isSupported)
      throw new SdkError(SdkErrorCode.CapabilityNotSupported, `Client does not support ${mode} elicitation.`);
    const result = await this.request({ method: "elicitation/create", params: { ...params, mode } }, options);
    const schema = (params as Partial<ElicitRequestFormParams>).requestedSchema;
    const { action, content } = result;
    if (mode === "form" && action === "accept" && content && schema) this.#assertContent(schema, content);
    return result;
  }

  #assertContent(schema: object, content: unknown): void {
    const found = this.options.jsonSchemaValidator?.getValidator(schema as never)(content);
    if (found?.valid === false)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Elicitation response content does not match requested schema: ${found.errorMessage}`,
      );
  }

  /** Returns a function that notifies the client that the user is done with a URL elicitation. */
  createElicitationCompletionNotifier(elicitationId: string, options?: NotificationOptions): () => Promise<void> {
    if (!this.getClientCapabilities()?.elicitation?.url)
      throw new SdkError(
        SdkErrorCode.CapabilityNotSupported,
        "Client does not support URL elicitation (required for notifications/elicitation/complete)",
      );
    return () =>
      this.notification({ method: "notifications/elicitation/complete", params: { elicitationId } }, options);
  }

  /** Requests the folders that the client works in. */
  async listRoots(params?: { _meta?: RequestMeta }, options?: RequestOptions): Promise<ListRootsResult> {
    this.#assertPush("roots/list");
    return this.request({ method: "roots/list", ...(params && { params }) }, options);
  }

  /** Sends a log message, if the client wants that level. */
  async sendLoggingMessage(params: LoggingMessageNotificationParams, _sessionId?: string): Promise<void> {
    if (!this.getCapabilities().logging) return;
    const least = this.opened?.session?.logLevel;
    if (least !== undefined && !reachesLevel(params.level, least)) return;
    await this.notification({ method: "notifications/message", params: { ...params } });
  }

  /** Notifies the client that a resource has changed; clients without a session only if they listen to it. */
  async sendResourceUpdated(params: ResourceUpdatedNotificationParams): Promise<void> {
    await this.#sendChange("notifications/resources/updated", { kind: "resources", uri: params.uri }, { ...params });
  }

  sendResourceListChanged(): Promise<void> {
    return this.#sendChange("notifications/resources/list_changed", { kind: "resources" });
  }

  sendToolListChanged(): Promise<void> {
    return this.#sendChange("notifications/tools/list_changed", { kind: "tools" });
  }

  sendPromptListChanged(): Promise<void> {
    return this.#sendChange("notifications/prompts/list_changed", { kind: "prompts" });
  }

  async #sendChange(
    method: string,
    change: { readonly kind: "tools" | "resources" | "prompts"; readonly uri?: string },
    params?: Record<string, unknown>,
  ): Promise<void> {
    this.assertNotificationCapability(method);
    // A server of a single request has no listeners: the handler has a bus for them.
    if (this.isPerRequest) return;
    if (this.opened?.session) await this.notification({ method, ...(params && { params }) });
    else if (this.servesStateless) this.native.notifyChanged(change);
    else if (!this.opened) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
  }

  #assertPush(method: string): void {
    const { latest } = this;
    if (latest && !this.opened?.session) assertPush(latest, method);
  }

  protected override assertCapabilityForMethod(method: string): void {
    this.#assertSupported(missingClientCapability(this.getClientCapabilities(), method));
  }

  protected override assertNotificationCapability(method: string): void {
    this.#assertDeclared(method);
  }

  protected override assertRequestHandlerCapability(method: string): void {
    this.#assertDeclared(method);
  }

  #assertDeclared(method: string): void {
    this.#assertSupported(missingServerCapability(this.getCapabilities(), method));
  }

  #assertSupported(problem: string | undefined): void {
    if (problem !== undefined) throw new SdkError(SdkErrorCode.CapabilityNotSupported, problem);
  }
}
