import type {
  CallToolRequest,
  CallToolResult,
  CompleteRequest,
  CompleteResult,
  DiscoverResult,
  EmptyResult,
  GetPromptResult,
  Implementation,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  LoggingLevel,
  Notification,
  ReadResourceResult,
  RequestTypeMap,
  Result,
  ServerCapabilities,
  SubscriptionFilter,
  Tool,
} from "../types/index.js";
import { SdkError, SdkErrorCode } from "../shared/errors.js";
import { toRequestError } from "../shared/request-errors.js";
import type { RequestOptions } from "../shared/request-options.js";
import { CachedResults } from "./cached-results.js";
import { setInternals } from "./client-internals.js";
import { ListChanges } from "./list-changes.js";
import { NativeBackedClient } from "./native-backed-client.js";
import type {
  CacheableRequestOptions,
  CallToolRequestOptions,
  ClientOptions,
  McpSubscription,
  ProtocolEra,
} from "./options.js";
import { InMemoryResponseCacheStore } from "./response-cache.js";
import { openSubscription } from "./subscription.js";
import { assertOutput, ToolOutputs } from "./tool-outputs.js";

type Params<Method extends keyof RequestTypeMap> = RequestTypeMap[Method]["params"];

/** The member of each list that has the items, and the capability without which the list is empty. */
const lists = {
  "tools/list": { member: "tools", capability: "tools" },
  "prompts/list": { member: "prompts", capability: "prompts" },
  "resources/list": { member: "resources", capability: "resources" },
  "resources/templates/list": { member: "resourceTemplates", capability: "resources" },
} as const;

const changeMethods = {
  tools: "notifications/tools/list_changed",
  prompts: "notifications/prompts/list_changed",
  resources: "notifications/resources/list_changed",
} as const;

/** A client, connected to one server at a time. */
export class Client extends NativeBackedClient {
  readonly #cache: CachedResults;
  readonly #outputs: ToolOutputs;
  readonly #changes: ListChanges;
  #discovered: DiscoverResult | undefined;
  #subscription: McpSubscription | undefined;

  constructor(clientInfo: Implementation, options: ClientOptions = {}) {
    super(clientInfo, options);
    const { cachePartition = "", defaultCacheTtlMs = 0, listChanged = {}, responseCacheStore } = options;
    const report = (error: unknown): void => this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    this.#cache = new CachedResults(responseCacheStore ?? new InMemoryResponseCacheStore(), {
      partition: cachePartition,
      defaultTtlMs: defaultCacheTtlMs,
      onerror: report,
    });
    this.#outputs = new ToolOutputs(options.jsonSchemaValidator);
    this.#changes = new ListChanges(listChanged, (kind) => this.#refreshed(kind), report);
    for (const method of [...Object.values(changeMethods), "notifications/resources/updated"])
      this.receiveNotification(method);
    setInternals(this, { options, readResource: (params, given) => this.#readResource(params, given) });
  }

  protected override async open(...args: Parameters<NativeBackedClient["open"]>): Promise<void> {
    this.#reset();
    await super.open(...args);
    const { client, isModern } = this.server;
    const { name = "", version = "" } = client.getServerVersion() ?? {};
    this.#cache.connect(JSON.stringify([name, version]));
    const discovered = client.getDiscoverResult();
    if (discovered) {
      const { resultType: _tag, ...own } = discovered;
      this.#discovered = own;
    }
    const declared = this.getServerCapabilities();
    for (const kind of this.#changes.watched(declared))
      this.handleNotification(changeMethods[kind], () => this.#changes.onChange(kind));
    const filter = isModern && this.#changes.filter(declared);
    if (filter) {
      try {
        this.#subscription = await this.listen(filter);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }

  #reset(): void {
    this.#outputs.clear();
    this.#changes.stop();
    this.#discovered = this.#subscription = undefined;
    if (!this.options.responseCacheStore) void this.#cache.store.clear();
  }

  protected override onTransportClosed(): void {
    this.#reset();
    super.onTransportClosed();
  }

  getServerCapabilities(): ServerCapabilities | undefined {
    return this.connection ? this.connection.client.getServerCapabilities() : this.lost.capabilities;
  }

  getServerVersion(): Implementation | undefined {
    return this.connection ? this.connection.client.getServerVersion() : this.lost.serverInfo;
  }

  getInstructions(): string | undefined {
    return this.connection ? this.connection.client.getInstructions() : this.lost.instructions;
  }

  getNegotiatedProtocolVersion(): string | undefined {
    return this.connection ? this.connection.client.getNegotiatedProtocolVersion() : this.lost.protocolVersion;
  }

  getProtocolEra(): ProtocolEra | undefined {
    if (!this.connection) return undefined;
    return this.connection.isModern ? "modern" : "legacy";
  }

  /** What the server has responded to `server/discover`, for the option `prior` of a later `connect`. */
  getDiscoverResult(): DiscoverResult | undefined {
    return this.#discovered;
  }

  /** The subscription that the option `listChanged` has opened, where the revision needs one. */
  get autoOpenedSubscription(): McpSubscription | undefined {
    return this.#subscription;
  }

  ping(options?: RequestOptions): Promise<EmptyResult> {
    return this.call("ping", undefined, options);
  }

  async discover(options?: RequestOptions): Promise<DiscoverResult> {
    const result = (await this.call("server/discover", undefined, options)) as unknown as DiscoverResult;
    this.#discovered = result;
    return result;
  }

  complete(params: CompleteRequest["params"], options?: RequestOptions): Promise<CompleteResult> {
    return this.call("completion/complete", params, options) as unknown as Promise<CompleteResult>;
  }

  setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    return this.call("logging/setLevel", { level }, options);
  }

  getPrompt(params: Params<"prompts/get">, options?: RequestOptions): Promise<GetPromptResult> {
    return this.call("prompts/get", params, options) as unknown as Promise<GetPromptResult>;
  }

  /** All prompts, or the page after `cursor`. */
  listPrompts(params?: Params<"prompts/list">, options?: CacheableRequestOptions): Promise<ListPromptsResult> {
    return this.#list("prompts/list", params, options) as unknown as Promise<ListPromptsResult>;
  }

  /** All resources, or the page after `cursor`. */
  listResources(params?: Params<"resources/list">, options?: CacheableRequestOptions): Promise<ListResourcesResult> {
    return this.#list("resources/list", params, options) as unknown as Promise<ListResourcesResult>;
  }

  /** All resource templates, or the page after `cursor`. */
  listResourceTemplates(
    params?: Params<"resources/templates/list">,
    options?: CacheableRequestOptions,
  ): Promise<ListResourceTemplatesResult> {
    return this.#list("resources/templates/list", params, options) as unknown as Promise<ListResourceTemplatesResult>;
  }

  async readResource(params: Params<"resources/read">, options?: CacheableRequestOptions): Promise<ReadResourceResult> {
    return (await this.#readResource(params, options)).result;
  }

  async #readResource(
    params: Params<"resources/read">,
    options: CacheableRequestOptions | undefined,
  ): Promise<{ readonly result: ReadResourceResult; readonly isCached: boolean }> {
    const { cacheMode = "use" } = options ?? {};
    const cached = cacheMode === "use" ? await this.#cached("resources/read", params.uri, options) : undefined;
    if (cached) return { result: cached as unknown as ReadResourceResult, isCached: true };
    const { generation } = this.#cache;
    const result = await this.call("resources/read", params, options);
    if (cacheMode !== "bypass") await this.#cache.write("resources/read", result, generation, params.uri);
    return { result: result as unknown as ReadResourceResult, isCached: false };
  }

  subscribeResource(params: Params<"resources/subscribe">, options?: RequestOptions): Promise<EmptyResult> {
    return this.call("resources/subscribe", params, options);
  }

  unsubscribeResource(params: Params<"resources/unsubscribe">, options?: RequestOptions): Promise<EmptyResult> {
    return this.call("resources/unsubscribe", params, options);
  }

  /**
   * Opens a stream of changes, which the handlers of notifications get.
   * @throws SdkError `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION` in revisions with a handshake
   */
  async listen(filter: SubscriptionFilter, options?: RequestOptions): Promise<McpSubscription> {
    const { client, isModern } = this.server;
    const method = "subscriptions/listen";
    if (!isModern)
      throw new SdkError(
        SdkErrorCode.MethodNotSupportedByProtocolVersion,
        `${method} needs a connection of 2026-07-28: use the option listChanged and resources/subscribe instead`,
        { method, protocolVersion: this.getNegotiatedProtocolVersion() },
      );
    const { signal } = options ?? {};
    try {
      const stream = client.connection.listen(method, { notifications: filter }, signal && { signal });
      return await openSubscription(stream, options, (notification) => void this.deliver(notification));
    } catch (error) {
      throw toRequestError(error, options);
    }
  }

  /**
   * Calls a tool, and checks its structured output if the tool is listed with a schema.
   * @throws ProtocolError when the output does not match
   */
  async callTool(params: CallToolRequest["params"], options?: CallToolRequestOptions): Promise<CallToolResult> {
    const { toolDefinition } = options ?? {};
    const found = this.#outputs.checkOf(params.name, toolDefinition);
    const check = found instanceof Promise ? await found : found;
    if (toolDefinition && this.connection?.isModern) this.connection.port.checkTool?.(toolDefinition);
    const result = (await this.call("tools/call", params, options)) as unknown as CallToolResult;
    if (check && result["resultType"] === undefined) assertOutput(params.name, check, result);
    return result;
  }

  /** All tools, or the page after `cursor`. */
  async listTools(params?: Params<"tools/list">, options?: CacheableRequestOptions): Promise<ListToolsResult> {
    const result = (await this.#list("tools/list", params, options)) as unknown as ListToolsResult;
    const { isModern, port } = this.server;
    if (isModern && port.checkTool) result.tools = result.tools.filter((tool) => this.#isCallable(tool));
    if (params?.cursor === undefined) this.#outputs.setListed(result.tools);
    return result;
  }

  /** Notifies the server that the roots have changed. */
  sendRootsListChanged(): Promise<void> {
    return this.notification({ method: "notifications/roots/list_changed" });
  }

  protected override deliver(notification: Notification): Promise<void> {
    this.#cache.handle(notification.method, notification.params as { readonly uri?: unknown } | undefined);
    return super.deliver(notification);
  }

  #isCallable(tool: Tool): boolean {
    const problem = this.server.port.checkTool?.(tool);
    if (problem === undefined) return true;
    this.onerror?.(new SdkError(SdkErrorCode.InvalidResult, `tool '${tool.name}' is left out of the list: ${problem}`));
    return false;
  }

  async #refreshed(kind: "tools" | "prompts" | "resources"): Promise<unknown[]> {
    const options = { cacheMode: "refresh" } as const;
    if (kind === "tools") return (await this.listTools(undefined, options)).tools;
    if (kind === "prompts") return (await this.listPrompts(undefined, options)).prompts;
    return (await this.listResources(undefined, options)).resources;
  }

  /** @throws SdkError `LIST_PAGINATION_EXCEEDED` when there are more pages than the option `listMaxPages` allows */
  async #list(
    method: keyof typeof lists,
    params: { readonly cursor?: string | undefined } | undefined,
    options: CacheableRequestOptions | undefined,
  ): Promise<Result> {
    const { member, capability } = lists[method];
    const { listMaxPages = 64, enforceStrictCapabilities } = this.options;
    if (this.connection && !this.getServerCapabilities()?.[capability] && !enforceStrictCapabilities)
      return { [member]: [] };
    if (params?.cursor !== undefined) return this.call(method, params, options);
    const { cacheMode = "use" } = options ?? {};
    const cached = cacheMode === "use" ? await this.#cached(method, "", options) : undefined;
    if (cached) return cached;
    const { generation } = this.#cache;
    const { nextCursor, ...whole } = await this.call(method, params, options);
    const items = whole[member] as unknown[];
    const seen = new Set<unknown>();
    for (let cursor = nextCursor; cursor !== undefined && !seen.has(cursor);) {
      seen.add(cursor);
      if (listMaxPages > 0 && seen.size >= listMaxPages)
        throw new SdkError(
          SdkErrorCode.ListPaginationExceeded,
          `${method}: exceeded listMaxPages (${listMaxPages}); server pagination did not terminate`,
          { method, listMaxPages },
        );
      const page = await this.call(method, { ...params, cursor }, options);
      for (const item of page[member] as unknown[]) items.push(item);
      cursor = page["nextCursor"];
    }
    if (cacheMode !== "bypass") await this.#cache.write(method, whole, generation);
    return whole;
  }

  /** @throws SdkError `REQUEST_TIMEOUT` when the call was aborted in the meantime */
  async #cached(method: string, params: string, options: RequestOptions | undefined): Promise<Result | undefined> {
    const found = await this.#cache.read(method, params);
    if (found && options?.signal?.aborted) throw toRequestError(options.signal.reason, options);
    return found;
  }
}
