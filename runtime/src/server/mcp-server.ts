import type { Implementation, InputRequests } from "../authoring.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import { SdkError } from "../jsonrpc/errors.js";
import type { AuthorSchema } from "../schema/author-schema.js";
import type { Transport } from "../transport/transport.js";
import { completionHandlers } from "./completions.js";
import type { ServerConnection } from "./contracts.js";
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
import { Resources } from "./resources.js";
import { Server } from "./server.js";
import type { RegisteredTool, ToolCallback, ToolConfig } from "./tool-config.js";
import { Tools } from "./tools.js";

/**
 * A server of tools, resources and prompts, written once for every revision it was given, any transport, and any number of
 * connections at the same time.
 */
export class McpServer {
  /** The low-level server: handlers by method, connections, changes. */
  readonly server: Server;
  readonly #options: CoreMcpServerOptions;
  #tools: Tools | undefined;
  #resources: Resources | undefined;
  #prompts: Prompts | undefined;
  #hasCompletion = false;

  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(info: Implementation, options: CoreMcpServerOptions) {
    if (options.pageSize !== undefined && options.pageSize < 1)
      throw new SdkError("INVALID_CONFIGURATION", `pageSize must be 1 or more, not ${options.pageSize}`);
    this.#options = options;
    this.server = new Server(info, options);
  }

  /**
   * Offers a tool.
   * @example
   * ```ts
   * server.registerTool(
   *   "add",
   *   { description: "Adds two numbers", inputSchema: z.object({ a: z.number(), b: z.number() }) },
   *   ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
   * );
   * ```
   * @param name unique; letters, digits, `_`, `-` and `.`, at most 128
   * @param callback gets the arguments as the input schema gave them. What it throws is told to the model, except for a
   *   `ProtocolError`, which becomes the answer.
   * @throws SdkError `INVALID_CONFIGURATION` for a name that is taken and for schemas that cannot be used
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
    const tools = (this.#tools ??= this.#addFeature(
      "tools",
      new Tools(this.#options, () => this.sendToolListChanged()),
    ));
    return tools.registry.add(name, { ...config, callback });
  }

  /**
   * Offers one resource, or all that a template describes.
   * @example
   * ```ts
   * server.registerResource("readme", "file:///readme.md", { mimeType: "text/markdown" }, async (uri) => ({
   *   contents: [{ uri: uri.href, text: await readFile(uri, "utf8") }],
   * }));
   * ```
   * @throws SdkError `INVALID_CONFIGURATION` for what is no URI and for one that is taken
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
    const resources = (this.#resources ??= this.#addFeature(
      "resources",
      new Resources(
        this.#options,
        () => this.sendResourceListChanged(),
        () => this.#enableCompletion(),
      ),
    ));
    if (typeof where === "string") {
      const update = { ...config, name, callback: callback as ReadResourceCallback };
      return resources.registry.add(where, update);
    }
    const update = { ...config, template: where, callback: callback as ReadResourceTemplateCallback };
    return resources.templates.add(name, update);
  }

  /**
   * Offers a prompt.
   * @example
   * ```ts
   * server.registerPrompt("review", { argsSchema: z.object({ code: z.string() }) }, ({ code }) => ({
   *   messages: [{ role: "user", content: { type: "text", text: `Review this code:\n${code}` } }],
   * }));
   * ```
   * @throws SdkError `INVALID_CONFIGURATION` for a name that is taken and for schemas that cannot be used
   */
  registerPrompt<Args extends AuthorSchema | undefined = undefined, Requests extends InputRequests = InputRequests>(
    name: string,
    config: PromptConfig<Args, Requests>,
    callback: PromptCallback<Args, Requests>,
  ): RegisteredPrompt<NoInfer<Args>> {
    const prompts = (this.#prompts ??= this.#addFeature(
      "prompts",
      new Prompts(
        this.#options,
        () => this.sendPromptListChanged(),
        () => this.#enableCompletion(),
      ),
    ));
    return prompts.registry.add(name, { ...config, callback });
  }

  /**
   * Serves a client over a transport; any number of times.
   * @example
   * ```ts
   * const connection = await server.connect(new StdioServerTransport());
   * ```
   */
  connect(transport: Transport): Promise<ServerConnection> {
    return this.server.connect(transport);
  }

  /**
   * Ends all connections: what runs may finish, subscriptions end with their result.
   * @param graceMs milliseconds that running handlers get. Default 5,000
   */
  close(graceMs?: number): Promise<void> {
    return this.server.close(graceMs);
  }

  /** Tells clients that the list of tools is another one. Registering, updating and removing do so by themselves. */
  sendToolListChanged(): void {
    this.server.notifyChanged({ kind: "tools" });
  }

  sendResourceListChanged(): void {
    this.server.notifyChanged({ kind: "resources" });
  }

  sendPromptListChanged(): void {
    this.server.notifyChanged({ kind: "prompts" });
  }

  /** Tells the clients that subscribed to it that a resource is another one. */
  sendResourceUpdated({ uri }: { readonly uri: string }): void {
    this.server.notifyChanged({ kind: "resources", uri });
  }

  /** Declares a feature, unless the author did so himself, and handles its methods. */
  #addFeature<Feature extends Tools | Resources | Prompts>(
    name: "tools" | "resources" | "prompts",
    feature: Feature,
  ): Feature {
    const declared = { listChanged: true, ...(name === "resources" && { subscribe: true }) };
    if (!this.server.capabilities[name]) this.server.registerCapabilities({ [name]: declared });
    this.server.handle<MethodHandlers>(feature.handlers());
    return feature;
  }

  /** Something has values to suggest. */
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
