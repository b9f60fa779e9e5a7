import type { Extension, Side } from "@mcpwright/protocol/contract";
import type { Implementation, InputRequests } from "../authoring.js";
import type { AnyExtensions, AnyRevisions } from "../connection/known-messages.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { AuthorSchema } from "../schema/author-schema.js";
import type { Transport } from "../transport/transport.js";
import { completionHandlers } from "./completions.js";
import type { ServerConnection, ServerContext } from "./contracts.js";
import type { ServerHooks } from "./extension-hooks.js";
import type { CoreMcpServerOptions } from "./mcp-server-options.js";
import type { PromptCallback, PromptConfig, RegisteredPrompt } from "./prompt-config.js";
import { Prompts } from "./prompts.js";
import type {
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredResource,
  RegisteredResourceTemplate,
  ResourceConfig,
} from "./resource-config.js";
import type { ResourceTemplate } from "./resource-template.js";
import type { RegisteredFeatures } from "./registered-features.js";
import type { Scoped } from "./registry.js";
import { Resources } from "./resources.js";
import { Server } from "./server.js";
import type { ServerExtension } from "./server-extension.js";
import type { RegisteredTool, ToolCallback, ToolConfig } from "./tool-config.js";
import { Tools } from "./tools.js";

/**
 * A server of tools, resources and prompts. One server supports several revisions, any transport, and any number of
 * connections at the same time.
 */
export class McpServer<
  const Sides extends readonly Side[] = AnyRevisions,
  const Extensions extends readonly Extension[] = AnyExtensions,
> {
  /** The low-level server: handlers by method, connections, changes. */
  readonly server: Server<Sides, Extensions>;
  #tools: Tools | undefined;
  #resources: Resources | undefined;
  #prompts: Prompts | undefined;
  #hasCompletion = false;

  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(info: Implementation, options: CoreMcpServerOptions<Sides, Extensions>) {
    if ((options.pageSize ?? 1) < 1)
      throw new SdkError("INVALID_CONFIGURATION", `pageSize must be 1 or more, not ${options.pageSize}`);
    this.server = new Server(info, options);
    for (const extension of options.extensions ?? []) (extension as ServerExtension).attachFeatures?.(this);
  }

  /**
   * Registers a tool.
   * @example
   * ```ts
   * server.registerTool(
   *   "add",
   *   { description: "Adds two numbers", inputSchema: z.object({ a: z.number(), b: z.number() }) },
   *   ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
   * );
   * ```
   * @param name unique; letters, digits, `_`, `-` and `.`, at most 128
   * @param callback receives the arguments as validated by the input schema. An error that it throws becomes a result with
   *   `isError` for the model, except a `ProtocolError`, which becomes the error response.
   * @throws SdkError `INVALID_CONFIGURATION` when the name is already registered or a schema is unusable
   */
  registerTool<
    Input extends AuthorSchema | undefined = undefined,
    Output extends AuthorSchema | undefined = AuthorSchema | undefined,
    Requests extends InputRequests = InputRequests,
  >(
    name: string,
    config: ToolConfig<Input, Output, Requests>,
    callback: ToolCallback<Input, Output, Requests>,
  ): RegisteredTool<NoInfer<Input>, NoInfer<Output>> {
    const tools = (this.#tools ??= this.#addFeature("tools", Tools));
    return tools.registry.add(name, { ...config, callback });
  }

  /**
   * Registers a resource, or a template for several resources.
   * @example
   * ```ts
   * server.registerResource("readme", "file:///readme.md", { mimeType: "text/markdown" }, async (uri) => ({
   *   contents: [{ uri: uri.href, text: await readFile(uri, "utf8") }],
   * }));
   * ```
   * @throws SdkError `INVALID_CONFIGURATION` when the URI is invalid or already registered
   */
  registerResource(
    name: string,
    uri: string,
    config: ResourceConfig,
    callback: ReadResourceCallback,
  ): RegisteredResource;
  registerResource(
    name: string,
    template: ResourceTemplate,
    config: ResourceConfig,
    callback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  registerResource(
    name: string,
    where: string | ResourceTemplate,
    config: ResourceConfig,
    callback: ReadResourceCallback | ReadResourceTemplateCallback,
  ): RegisteredResource | RegisteredResourceTemplate {
    const resources = (this.#resources ??= this.#addFeature("resources", Resources));
    if (typeof where === "string") {
      const update = { ...config, name, callback: callback as ReadResourceCallback };
      return resources.registry.add(where, update);
    }
    const update = { ...config, template: where, callback: callback as ReadResourceTemplateCallback };
    return resources.templates.add(name, update);
  }

  /**
   * Registers a prompt.
   * @example
   * ```ts
   * server.registerPrompt("review", { argsSchema: z.object({ code: z.string() }) }, ({ code }) => ({
   *   messages: [{ role: "user", content: { type: "text", text: `Review this code:\n${code}` } }],
   * }));
   * ```
   * @throws SdkError `INVALID_CONFIGURATION` when the name is already registered or the schema is unusable
   */
  registerPrompt<Args extends AuthorSchema | undefined = undefined, Requests extends InputRequests = InputRequests>(
    name: string,
    config: PromptConfig<Args, Requests>,
    callback: PromptCallback<Args, Requests>,
  ): RegisteredPrompt<NoInfer<Args>> {
    const prompts = (this.#prompts ??= this.#addFeature("prompts", Prompts));
    return prompts.registry.add(name, { ...config, callback });
  }

  /**
   * Serves a client over a transport. Can be called for any number of transports.
   * @example
   * ```ts
   * const connection = await server.connect(new StdioServerTransport());
   * ```
   */
  connect(transport: Transport): Promise<ServerConnection> {
    return this.server.connect(transport);
  }

  /**
   * Closes all connections: running handlers may finish, and subscriptions end with their result.
   * @param graceMs milliseconds after which running handlers are aborted. Default: `5_000`
   */
  close(graceMs?: number): Promise<void> {
    return this.server.close(graceMs);
  }

  /** Notifies clients that the list of tools has changed. Registering, updating and removing a tool do this automatically. */
  sendToolListChanged(): void {
    this.server.notifyChanged({ kind: "tools" });
  }

  sendResourceListChanged(): void {
    this.server.notifyChanged({ kind: "resources" });
  }

  sendPromptListChanged(): void {
    this.server.notifyChanged({ kind: "prompts" });
  }

  /** Notifies the subscribed clients that a resource has changed. */
  sendResourceUpdated({ uri }: { readonly uri: string }): void {
    this.server.notifyChanged({ kind: "resources", uri });
  }

  /** Creates a feature with its first item: declares it, unless the options already do, and handles its methods. */
  #addFeature<Name extends "tools" | "resources" | "prompts", Feature extends NonNullable<RegisteredFeatures[Name]>>(
    name: Name,
    Type: new (
      options: CoreMcpServerOptions,
      changed: (config: Scoped) => void,
      onCompleters: () => void,
      hooks: ServerHooks<ServerContext>,
    ) => Feature,
  ): Feature {
    const { server } = this;
    const declared = { listChanged: true, ...(name === "resources" && { subscribe: true }) };
    if (!server.capabilities[name]) server.registerCapabilities({ [name]: declared });
    const feature = new Type(
      server.options,
      ({ scopes }) => {
        if ((scopes ?? []).length !== 0) server.features.isScoped = true;
        server.notifyChanged({ kind: name });
      },
      () => this.#enableCompletion(),
      server,
    );
    server.handle<MethodHandlers>(feature.handlers());
    server.features[name] = feature;
    return feature;
  }

  /** Declares and handles completion, when the first completer is registered. */
  #enableCompletion(): void {
    if (this.#hasCompletion) return;
    this.#hasCompletion = true;
    this.server.registerCapabilities({ completions: {} });
    this.server.handle<MethodHandlers>(
      completionHandlers((ref) =>
        ref.type === "ref/prompt"
          ? this.#prompts?.registry.get(ref.name)?.complete
          : this.#resources?.completers(ref.uri),
      ),
    );
  }
}
