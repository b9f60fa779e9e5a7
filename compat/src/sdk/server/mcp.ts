import type { Implementation, LoggingMessageNotificationParams, ToolAnnotations } from "../messages.js";
import { ExperimentalMcpServerTasks } from "../experimental/tasks/mcp-server-tasks.js";
import type { Transport } from "../shared/transport.js";
import { complete } from "./completions.js";
import { Server, type ServerOptions } from "./index.js";
import type {
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredResourceTemplate,
  RegisteredTool,
  ResourceMetadata,
  ToolCallback,
} from "./mcp-types.js";
import { hasCompletable, PromptRegistry } from "./prompt-registry.js";
import type { Items } from "./registry.js";
import { ResourceRegistry } from "./resource-registry.js";
import type { ResourceTemplate } from "./resource-template.js";
import { type ToolConfig, ToolRegistry } from "./tool-registry.js";
import { isRawShape } from "./tool-schemas.js";
import type { AnySchema, ZodRawShapeCompat } from "./zod-compat.js";

export { ResourceTemplate } from "./resource-template.js";
export type {
  AnyToolHandler,
  BaseToolCallback,
  CompleteResourceTemplateCallback,
  ListResourcesCallback,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredResourceTemplate,
  RegisteredTool,
  ResourceMetadata,
  ToolCallback,
} from "./mcp-types.js";

export type McpServerOptions = ServerOptions & {
  /** The most elements and members that the arguments of a tool may have. Default: no limit. */
  maxToolInputElements?: number | undefined;
};

type Feature = "tools" | "resources" | "prompts" | "completions";

/** A server of tools, resources and prompts. `server` has everything else. */
export class McpServer {
  readonly server: Server;
  readonly #tools: ToolRegistry;
  readonly #resources = new ResourceRegistry(() => this.sendResourceListChanged());
  readonly #prompts = new PromptRegistry(() => this.sendPromptListChanged());
  readonly #installed = new Set<Feature>();
  #tasks: { tasks: ExperimentalMcpServerTasks } | undefined;

  constructor(serverInfo: Implementation, options: McpServerOptions = {}) {
    this.server = new Server(serverInfo, options);
    this.#tools = new ToolRegistry(options.maxToolInputElements, () => this.sendToolListChanged());
    const { capabilities } = options;
    // With its handlers, items can be registered after `connect`.
    if (capabilities?.tools) this.#installTools();
    if (capabilities?.resources) this.#installResources();
    if (capabilities?.prompts) this.#installPrompts();
  }

  /** Tools that run as tasks. */
  get experimental(): { tasks: ExperimentalMcpServerTasks } {
    return (this.#tasks ??= {
      tasks: new ExperimentalMcpServerTasks((name, config, handler) => this.#addTool(name, config, handler)),
    });
  }

  // Programs read these members, although the official SDK declares them as private.
  private get _registeredTools(): Items<RegisteredTool> {
    return this.#tools.items;
  }

  private get _registeredResources(): Items<RegisteredResource> {
    return this.#resources.items;
  }

  private get _registeredResourceTemplates(): Items<RegisteredResourceTemplate> {
    return this.#resources.templates;
  }

  private get _registeredPrompts(): Items<RegisteredPrompt> {
    return this.#prompts.items;
  }

  connect(transport: Transport): Promise<void> {
    return this.server.connect(transport);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  isConnected(): boolean {
    return this.server.transport !== undefined;
  }

  /** Registers a tool: name, description, schemas of the arguments, annotations, callback; all but the first and last can be left out. */
  tool(name: string, cb: ToolCallback): RegisteredTool;
  tool(name: string, description: string, cb: ToolCallback): RegisteredTool;
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    paramsSchemaOrAnnotations: Args | ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    description: string,
    paramsSchemaOrAnnotations: Args | ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    paramsSchema: Args,
    annotations: ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    description: string,
    paramsSchema: Args,
    annotations: ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  tool(name: string, ...given: readonly unknown[]): RegisteredTool {
    this.#tools.assertFree(name);
    const rest = [...given];
    const description = typeof rest[0] === "string" ? (rest.shift() as string) : undefined;
    const inputSchema = rest.length > 1 && isRawShape(rest[0]) ? (rest.shift() as ZodRawShapeCompat) : undefined;
    const annotations = rest.length > 1 && isObject(rest[0]) ? (rest.shift() as ToolAnnotations) : undefined;
    if (!inputSchema && annotations && Object.values(annotations).some(isObject))
      throw new Error(`Tool ${name} expected a Zod schema or ToolAnnotations, but received an unrecognized object`);
    return this.#addTool(name, { description, inputSchema, annotations, execution: withoutTasks }, rest[0]);
  }

  registerTool<
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature of the official SDK
    OutputArgs extends ZodRawShapeCompat | AnySchema,
    InputArgs extends undefined | ZodRawShapeCompat | AnySchema = undefined,
  >(
    name: string,
    config: {
      title?: string | undefined;
      description?: string | undefined;
      inputSchema?: InputArgs;
      outputSchema?: OutputArgs;
      annotations?: ToolAnnotations | undefined;
      _meta?: Record<string, unknown> | undefined;
    },
    cb: ToolCallback<InputArgs>,
  ): RegisteredTool {
    this.#tools.assertFree(name);
    return this.#addTool(name, { ...config, execution: withoutTasks }, cb);
  }

  #addTool(name: string, config: ToolConfig, handler: unknown): RegisteredTool {
    const registered = this.#tools.register(name, config, handler);
    this.#installTools();
    this.sendToolListChanged();
    return registered;
  }

  /** Registers a resource, or a template of resources. */
  resource(name: string, uri: string, readCallback: ReadResourceCallback): RegisteredResource;
  resource(
    name: string,
    uri: string,
    metadata: ResourceMetadata,
    readCallback: ReadResourceCallback,
  ): RegisteredResource;
  resource(
    name: string,
    template: ResourceTemplate,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  resource(
    name: string,
    template: ResourceTemplate,
    metadata: ResourceMetadata,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  resource(
    name: string,
    target: string | ResourceTemplate,
    ...rest: readonly unknown[]
  ): RegisteredResource | RegisteredResourceTemplate {
    const metadata = isObject(rest[0]) ? rest[0] : undefined;
    return this.#addResource(name, undefined, target, metadata, rest[metadata ? 1 : 0]);
  }

  registerResource(
    name: string,
    uriOrTemplate: string,
    config: ResourceMetadata,
    readCallback: ReadResourceCallback,
  ): RegisteredResource;
  registerResource(
    name: string,
    uriOrTemplate: ResourceTemplate,
    config: ResourceMetadata,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  registerResource(
    name: string,
    target: string | ResourceTemplate,
    config: ResourceMetadata,
    readCallback: unknown,
  ): RegisteredResource | RegisteredResourceTemplate {
    return this.#addResource(name, config.title, target, config, readCallback);
  }

  #addResource(
    name: string,
    title: string | undefined,
    target: string | ResourceTemplate,
    metadata: ResourceMetadata | undefined,
    callback: unknown,
  ): RegisteredResource | RegisteredResourceTemplate {
    this.#resources.assertFree(name, target);
    const registered =
      typeof target === "string"
        ? this.#resources.register(name, title, target, metadata, callback as ReadResourceCallback)
        : this.#resources.registerTemplate(name, title, target, metadata, callback as ReadResourceTemplateCallback);
    this.#installResources();
    this.sendResourceListChanged();
    if (typeof target === "object" && target.uriTemplate.variableNames.some((one) => target.completeCallback(one)))
      this.#installCompletions();
    return registered;
  }

  /** Registers a prompt: name, description, schemas of the arguments, callback. */
  prompt(name: string, cb: PromptCallback): RegisteredPrompt;
  prompt(name: string, description: string, cb: PromptCallback): RegisteredPrompt;
  prompt<Args extends ZodRawShapeCompat>(name: string, argsSchema: Args, cb: PromptCallback<Args>): RegisteredPrompt;
  prompt<Args extends ZodRawShapeCompat>(
    name: string,
    description: string,
    argsSchema: Args,
    cb: PromptCallback<Args>,
  ): RegisteredPrompt;
  prompt(name: string, ...given: readonly unknown[]): RegisteredPrompt {
    const rest = [...given];
    const description = typeof rest[0] === "string" ? (rest.shift() as string) : undefined;
    const argsSchema = rest.length > 1 ? (rest.shift() as ZodRawShapeCompat) : undefined;
    return this.#addPrompt(name, { description, argsSchema }, rest[0]);
  }

  registerPrompt<Args extends ZodRawShapeCompat>(
    name: string,
    config: {
      title?: string | undefined;
      description?: string | undefined;
      argsSchema?: Args;
    },
    cb: PromptCallback<Args>,
  ): RegisteredPrompt {
    return this.#addPrompt(name, config, cb);
  }

  #addPrompt(
    name: string,
    config: {
      title?: string | undefined;
      description?: string | undefined;
      argsSchema?: ZodRawShapeCompat | undefined;
    },
    callback: unknown,
  ): RegisteredPrompt {
    this.#prompts.assertFree(name);
    const registered = this.#prompts.register(name, config, callback);
    if (hasCompletable(config.argsSchema)) this.#installCompletions();
    this.#installPrompts();
    this.sendPromptListChanged();
    return registered;
  }

  #installTools(): void {
    this.#install(
      "tools",
      { listChanged: true },
      {
        "tools/list": () => this.#tools.list(),
        "tools/call": (params, extra) => this.#tools.call(params, extra),
      },
    );
  }

  #installResources(): void {
    this.#install(
      "resources",
      { listChanged: true },
      {
        "resources/list": (_params, extra) => this.#resources.list(extra),
        "resources/templates/list": () => this.#resources.listTemplates(),
        "resources/read": ({ uri }: { uri: string }, extra) => this.#resources.read(uri, extra),
      },
    );
  }

  #installPrompts(): void {
    this.#install(
      "prompts",
      { listChanged: true },
      {
        "prompts/list": () => this.#prompts.list(),
        "prompts/get": (params, extra) => this.#prompts.get(params, extra),
      },
    );
  }

  #installCompletions(): void {
    this.#install(
      "completions",
      {},
      {
        "completion/complete": (params) => complete(params, this.#prompts, this.#resources),
      },
    );
  }

  /** @throws Error when the program has handlers of its own, or the server is connected and has not declared the feature */
  #install(
    feature: Feature,
    capability: object,
    handlers: Readonly<Record<string, (params: never, extra: never) => unknown>>,
  ): void {
    if (this.#installed.has(feature)) return;
    for (const method of Object.keys(handlers)) this.server.assertCanSetRequestHandler(method);
    this.server.registerCapabilities({ [feature]: capability });
    for (const [method, handler] of Object.entries(handlers))
      this.server.handleRequest(method, ({ params }, extra) => handler(params as never, extra as never));
    this.#installed.add(feature);
  }

  /** Sends a log message, unless the client of the session has set a higher level. */
  sendLoggingMessage(params: LoggingMessageNotificationParams, sessionId?: string): Promise<void> {
    return this.server.sendLoggingMessage(params, sessionId);
  }

  sendResourceListChanged(): void {
    if (this.isConnected()) this.#notify(this.server.sendResourceListChanged());
  }

  sendToolListChanged(): void {
    if (this.isConnected()) this.#notify(this.server.sendToolListChanged());
  }

  sendPromptListChanged(): void {
    if (this.isConnected()) this.#notify(this.server.sendPromptListChanged());
  }

  #notify(sent: Promise<void>): void {
    sent.catch((error: unknown) => this.server.onerror?.(error as Error));
  }
}

/** How tools are listed whose calls cannot run as tasks. */
const withoutTasks = { taskSupport: "forbidden" } as const;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
