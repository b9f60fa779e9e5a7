import type { Icon, Implementation, LoggingMessageNotificationParams, ToolAnnotations } from "../types/index.js";
import type { StandardSchemaWithJSON, ZodRawShape } from "../shared/standard-schema.js";
import type { Transport } from "../shared/transport.js";
import { completersOf } from "./completable.js";
import { complete } from "./completions.js";
import { Prompts } from "./prompts.js";
import type {
  LegacyPromptCallback,
  LegacyToolCallback,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredResourceTemplate,
  RegisteredTool,
  ToolCallback,
} from "./registered.js";
import { ResourceTemplate } from "./resource-template.js";
import { type ResourceDefinition, Resources } from "./resources.js";
import type { ScopeChallengeHandler } from "./scope-challenge.js";
import { Server } from "./server.js";
import type { ServerOptions } from "./server-options.js";
import { Tools } from "./tools.js";

export type McpServerOptions = ServerOptions & {
  /** Maximum number of values in the arguments of a tool. Default: the limits of the transport. */
  maxToolInputElements?: number;
};

interface Described {
  title?: string;
  description?: string;
  icons?: Icon[];
  scopeChallenge?: ScopeChallengeHandler;
  _meta?: Record<string, unknown>;
}

interface ToolConfig<Input, Output> extends Described {
  inputSchema?: Input;
  outputSchema?: Output;
  annotations?: ToolAnnotations;
}

type Feature = "tools" | "resources" | "prompts";

/** A server of tools, resources and prompts. */
export class McpServer {
  /** The low-level server: handlers by method, and requests to the client. */
  readonly server: Server;
  readonly #tools = new Tools(() => this.sendToolListChanged());
  readonly #resources = new Resources(() => this.sendResourceListChanged());
  readonly #prompts = new Prompts(() => this.sendPromptListChanged());
  readonly #installed = new Set<string>();

  constructor(serverInfo: Implementation, options?: McpServerOptions) {
    this.server = new Server(serverInfo, options);
    this.server.toolInputSchema = (name) => this.#tools.inputSchema(name);
    const { tools, resources, prompts } = options?.capabilities ?? {};
    if (tools) this.#install("tools");
    if (resources) this.#install("resources");
    if (prompts) this.#install("prompts");
  }

  /** The JSON Schema of the arguments of a tool. */
  toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#tools.inputSchema(name);
  }

  /** Opens a transport and serves the client behind it. */
  async connect(transport: Transport): Promise<void> {
    if (asksForScopes(transport)) transport.setScopeChallengeResolver(this.resolveScopeChallenge);
    await this.server.connect(transport);
  }

  async close(): Promise<void> {
    await this.server.close();
  }

  isConnected(): boolean {
    return this.server.transport !== undefined;
  }

  /** The scopes that a request lacks, as the tool, resource or prompt that it names requires. */
  readonly resolveScopeChallenge: ScopeChallengeHandler = (context) => {
    const { method, params } = context.request;
    const { name, uri } = (params ?? {}) as { readonly name?: unknown; readonly uri?: unknown };
    if (method === "tools/call") return this.#tools.byName.get(String(name))?.scopeChallenge?.(context);
    if (method === "prompts/get") return this.#prompts.byName.get(String(name))?.scopeChallenge?.(context);
    if (method !== "resources/read") return undefined;
    const item = this.#resources.byUri.get(String(uri)) ?? this.#resources.template(String(uri))?.template;
    return item?.scopeChallenge?.(context);
  };

  /**
   * Registers a tool.
   * @throws Error when the name is already registered, TypeError for a value that is not a schema
   */
  registerTool<Output extends StandardSchemaWithJSON, Input extends StandardSchemaWithJSON | undefined = undefined>(
    name: string,
    config: ToolConfig<Input, Output>,
    cb: ToolCallback<Input>,
  ): RegisteredTool;
  /** Registers a tool whose schemas are shapes. */
  registerTool<Input extends ZodRawShape, Output extends ZodRawShape | StandardSchemaWithJSON | undefined = undefined>(
    name: string,
    config: ToolConfig<Input, Output>,
    cb: LegacyToolCallback<Input>,
  ): RegisteredTool;
  registerTool(name: string, config: ToolConfig<unknown, unknown>, cb: unknown): RegisteredTool {
    const tool = this.#tools.add(name, config, cb as ToolCallback<StandardSchemaWithJSON | undefined>);
    this.#install("tools");
    return tool;
  }

  /**
   * Registers a resource.
   * @throws Error when the URI is already registered
   */
  registerResource(
    name: string,
    uriOrTemplate: string,
    config: ResourceDefinition,
    readCallback: ReadResourceCallback,
  ): RegisteredResource;
  /** Registers a template for several resources. */
  registerResource(
    name: string,
    uriOrTemplate: ResourceTemplate,
    config: ResourceDefinition,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  registerResource(
    name: string,
    where: string | ResourceTemplate,
    config: ResourceDefinition,
    callback: ReadResourceCallback | ReadResourceTemplateCallback,
  ): RegisteredResource | RegisteredResourceTemplate {
    const resource =
      typeof where === "string"
        ? this.#resources.add(name, where, config, callback as ReadResourceCallback)
        : this.#resources.addTemplate(name, where, config, callback as ReadResourceTemplateCallback);
    this.#install("resources");
    if (where instanceof ResourceTemplate && where.uriTemplate.variableNames.some((one) => where.completeCallback(one)))
      this.#installCompletion();
    return resource;
  }

  /**
   * Registers a prompt.
   * @throws Error when the name is already registered, TypeError for a value that is not a schema
   */
  registerPrompt(name: string, config: Described & { argsSchema?: undefined }, cb: PromptCallback): RegisteredPrompt;
  registerPrompt<Args extends StandardSchemaWithJSON>(
    name: string,
    config: Described & { argsSchema?: Args },
    cb: PromptCallback<Args>,
  ): RegisteredPrompt;
  registerPrompt<Args extends ZodRawShape>(
    name: string,
    config: Described & { argsSchema?: Args },
    cb: LegacyPromptCallback<Args>,
  ): RegisteredPrompt;
  registerPrompt(name: string, config: Described & { argsSchema?: unknown }, cb: unknown): RegisteredPrompt {
    const prompt = this.#prompts.add(name, config, cb as PromptCallback<StandardSchemaWithJSON | undefined>);
    this.#install("prompts");
    if (Object.keys(completersOf(prompt.argsSchema)).length > 0) this.#installCompletion();
    return prompt;
  }

  async sendLoggingMessage(params: LoggingMessageNotificationParams, sessionId?: string): Promise<void> {
    await this.server.sendLoggingMessage(params, sessionId);
  }

  /** Notifies the client that the list of resources has changed. Registrations and updates do this, too. */
  sendResourceListChanged(): void {
    if (this.isConnected()) this.#inBackground(this.server.sendResourceListChanged());
  }

  sendToolListChanged(): void {
    if (this.isConnected()) this.#inBackground(this.server.sendToolListChanged());
  }

  sendPromptListChanged(): void {
    if (this.isConnected()) this.#inBackground(this.server.sendPromptListChanged());
  }

  #inBackground(sent: Promise<void>): void {
    sent.catch((error: unknown) => this.server.onerror?.(error as Error));
  }

  /** Declares and handles a feature, with its first item. */
  #install(feature: Feature): void {
    if (this.#installed.has(feature)) return;
    const { server } = this;
    const { listChanged = true } = server.getCapabilities()[feature] ?? {};
    server.native.registerCapabilities({ [feature]: { listChanged } });
    ({ tools: this.#tools, resources: this.#resources, prompts: this.#prompts })[feature].install(server);
    this.#installed.add(feature);
  }

  /** Declares and handles completion, with the first completer. */
  #installCompletion(): void {
    if (this.#installed.has("completions")) return;
    this.#installed.add("completions");
    this.server.native.registerCapabilities({ completions: {} });
    this.server.assertCanSetRequestHandler("completion/complete");
    this.server.setRequestHandler("completion/complete", (request) =>
      complete(request, this.#prompts, this.#resources),
    );
  }
}

/** Whether a transport can refuse requests whose client lacks scopes. */
function asksForScopes(
  transport: Transport,
): transport is Transport & { setScopeChallengeResolver(resolver: ScopeChallengeHandler): void } {
  return "setScopeChallengeResolver" in transport;
}
