import type { Extension, Side } from "@mcpwright/protocol/contract";
import {
  COMPLETION_COMPLETE,
  PING,
  PROMPTS_GET,
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCES_READ,
  RESOURCES_TEMPLATES_LIST,
  ROOTS_LIST,
  TOOLS_CALL,
  TOOLS_LIST,
} from "@mcpwright/protocol/names";
import type * as mcp from "../authoring.js";
import type { ListKind } from "../connection/change.js";
import { type MethodHandlers, DispatchTable } from "../connection/dispatch-table.js";
import type { AddedResults, AnyExtensions, AnyRevisions, CallOutcome } from "../connection/known-messages.js";
import { MessageConverter } from "../connection/message-converter.js";
import type { ParamsInput } from "../connection/params-input.js";
import type { RequestContext } from "../connection/request-context.js";
import { Revisions, warnMissingConversions } from "../connection/revisions.js";
import { isInputRequired } from "../input-requests/input-required.js";
import { connectionClosedError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { assertImplementation } from "../options/assert-options.js";
import { markHandled } from "../timing/mark-handled.js";
import type { Transport } from "../transport/transport.js";
import type { CallToolOptions } from "./call-tool-options.js";
import { refreshTools } from "./callable-tools.js";
import { type ChangeListener, ChangeSubscriptions, type ResourceUpdateListener } from "./change-subscriptions.js";
import { ClientConnection } from "./client-connection.js";
import { ClientLogLevel } from "./client-log-level.js";
import type { CoreClientOptions, ServerRequestMap } from "./client-options.js";
import { ClientRequestHandlers, type ServerRequestContext } from "./client-request-handlers.js";
import { ClientRoots } from "./client-roots.js";
import { ConnectInProgress } from "./connect-in-progress.js";
import type { Era, ConnectOptions } from "./connect-options.js";
import { fetchPages, withCacheHints, type PageParams } from "./fetch-pages.js";
import { PendingUrlElicitations } from "./handshake/url-elicitation.js";
import type { KnownNotifications, KnownRequests, RequestArguments, RequestOutcome } from "./known-messages.js";
import { InterceptedRequests } from "./intercepted-requests.js";
import { ListedTools } from "./listed-tools.js";
import { negotiateRevision, renegotiation } from "./negotiate-revision.js";
import { offersOf } from "./offers-of.js";
import { Reconnector } from "./reconnector.js";
import { RequestPipeline } from "./request-pipeline.js";
import type { AllowInputRequiredOptions, SendOptions } from "./send-options.js";

/**
 * A client, connected to one server at a time. It negotiates the revision with the server; results have one shape for all
 * revisions.
 */
export class Client<
  const out Sides extends readonly Side[] = AnyRevisions,
  const out Extensions extends readonly Extension[] = AnyExtensions,
> {
  readonly #revisions: Revisions;
  readonly #dispatchTable: DispatchTable;
  /** Handlers of notifications that the client itself needs. */
  readonly #ownHandlers: MethodHandlers;
  readonly #requestHandlers: ClientRequestHandlers;
  readonly #urlElicitations = new PendingUrlElicitations();
  readonly #changes: ChangeSubscriptions;
  readonly #listedTools: ListedTools;
  readonly #cacheKey: string;
  readonly #roots: ClientRoots;
  readonly #requests: InterceptedRequests;
  #pipeline: RequestPipeline | undefined;
  readonly #reconnector: Reconnector;
  readonly #logLevel: ClientLogLevel;
  readonly #connecting = new ConnectInProgress();

  /** @throws SdkError `INVALID_CONFIGURATION` when `info`, `revisions` or a number is invalid */
  constructor(
    readonly info: mcp.Implementation,
    readonly options: CoreClientOptions<Sides, Extensions>,
  ) {
    assertImplementation(info, options, options.limits, options.keepAlive, options.restart);
    this.#revisions = new Revisions(options.revisions, "client", options.extensions);
    warnMissingConversions(this.#revisions, options);
    this.#requestHandlers = new ClientRequestHandlers(options.capabilities ?? {}, options.conversions, options);
    this.#reconnector = new Reconnector(options);
    this.#logLevel = new ClientLogLevel(options);
    this.#roots = new ClientRoots(options.capabilities);
    // Some hosts have no random numbers until the first request.
    this.#cacheKey = options.cacheKey ?? (options.cache ? crypto.randomUUID() : "");
    const changes = (this.#changes = new ChangeSubscriptions(options.cache, this.#cacheKey, options.onStreamEnd));
    this.#listedTools = new ListedTools(options, () => this.#pipeline?.connection);
    this.#dispatchTable = new DispatchTable(offersOf(options.capabilities));
    this.#ownHandlers = { ...this.#changes.handlers, ...this.#urlElicitations.handlers };
    this.#dispatchTable.add({ ...this.#ownHandlers, [PING]: () => ({}) });
    if (options.capabilities?.roots) this.setRequestHandler(ROOTS_LIST, () => this.#roots.list());
    const parts = { dispatchTable: this.#dispatchTable, requestHandlers: this.#requestHandlers, changes };
    this.#requests = new InterceptedRequests(this, this.#reconnector, { ...parts, pipeline: () => this.#open });
  }

  /**
   * Opens a transport and negotiates a revision with the server.
   * @example
   * ```ts
   * await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
   * ```
   * @param options `signal` aborts this call only, not later reconnections
   * @throws SdkError `NO_COMMON_REVISION`, `ALREADY_CONNECTED`, `CONNECT_TIMEOUT`; errors of the transport
   */
  connect(transport: Transport, options: ConnectOptions = {}): Promise<void> {
    return markHandled(this.#connect(transport, options));
  }

  async #connect(transport: Transport, options: ConnectOptions): Promise<void> {
    if (this.#pipeline || this.#connecting.isRunning)
      throw new SdkError("ALREADY_CONNECTED", "this client is already connected; close it first, or create another");
    const connection = await this.#connecting.run((closed) => this.#openTransport(transport, options, closed));
    this.#listedTools.clear();
    // Without a `cacheKey`, the server may differ from the previous one.
    if (this.options.cacheKey === undefined) this.options.cache?.clear(this.#cacheKey);
    // A server that does not report changes is still usable.
    await this.#changes.attach(connection).catch((error: unknown) => connection.report(error));
    await this.#logLevel.restore(this.#pipeline);
    if (!connection.isOpen && !this.#reconnector.isReconnecting) throw connectionClosedError(undefined);
  }

  async #openTransport(transport: Transport, options: ConnectOptions, closed: AbortSignal): Promise<ClientConnection> {
    const { onInvalidItem, cache, principal = cache && crypto.randomUUID(), maxRounds = 10 } = this.options;
    const [side] = this.#revisions.all as readonly [Side];
    const { signal: given, ...lasting } = options;
    const signal = given ? AbortSignal.any([given, closed]) : closed;
    const connect = async (): Promise<ClientConnection> => {
      const ended = (error: Error | undefined): void => {
        if (this.#pipeline?.connection !== connection) return;
        this.#pipeline = undefined;
        this.#changes.detach();
        this.#reconnector.onConnectionEnd(error, async () => {
          await this.connect(transport, { ...lasting, prior: undefined, era: connection.side.profile.opening });
          this.#changes.onGap();
        });
      };
      const connection = new ClientConnection(transport, side, this.#dispatchTable, this.info, this.options, ended);
      await connection.open(signal);
      return connection;
    };
    const connection = await negotiateRevision(connect, this.#revisions, this.options.eras, { ...lasting, signal });
    this.#pipeline = new RequestPipeline(connection, {
      maxRounds,
      cache,
      cacheKey: this.#cacheKey,
      principal,
      onInvalidItem,
      urlElicitations: this.options.completeUrlElicitations === false ? undefined : this.#urlElicitations,
      renegotiate: renegotiation(connection, this.#revisions, () => this.#changes.attach(connection)),
      repeatable: this.#listedTools.repeatable,
      whenReconnected: (waiting) => this.#reconnector.next(waiting, () => this.#pipeline),
      requestHandlers: this.#requestHandlers,
      refreshHeaders: (method) => refreshTools(method, this.#pipeline, () => this.listTools()),
      resultConverter: new MessageConverter(this.options.conversions, "fromPeer", "client", "results"),
    });
    return connection;
  }

  /** Closes the connection, or aborts `connect`. No server is restarted afterwards. */
  close(): Promise<void> {
    this.#reconnector.stop();
    return markHandled(this.#connecting.callOff().then(() => this.#pipeline?.connection.close()));
  }

  /** The open connection, for stubs and for methods that the client lacks. @throws SdkError `NOT_CONNECTED` */
  get connection(): ClientConnection {
    return this.#open.connection;
  }

  /** The era of the server; pass it to `connect` the next time to skip the probe. */
  get era(): Era | undefined {
    return this.#pipeline?.connection.side.profile.opening;
  }

  getNegotiatedProtocolVersion(): string | undefined {
    return this.#pipeline?.connection.side.revision;
  }

  /** The result of `server/discover`, for the option `prior` of a later `connect`. Undefined for servers with a handshake. */
  getDiscoverResult(): mcp.DiscoverResult | undefined {
    return this.#pipeline?.connection.negotiated?.discovered;
  }

  getServerCapabilities(): mcp.ServerCapabilities | undefined {
    return this.#pipeline?.connection.negotiated?.serverCapabilities;
  }

  getServerVersion(): mcp.Implementation | undefined {
    return this.#pipeline?.connection.negotiated?.serverInfo;
  }

  getInstructions(): string | undefined {
    return this.#pipeline?.connection.negotiated?.instructions;
  }

  /**
   * Handles a request from the server, in every revision's form of it.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the option `capabilities` lacks the capability
   */
  setRequestHandler<Method extends keyof ServerRequestMap>(
    method: Method,
    handler: (
      params: ServerRequestMap[Method]["params"],
      context: ServerRequestContext,
    ) => ServerRequestMap[Method]["result"] | Promise<ServerRequestMap[Method]["result"]>,
  ): void {
    this.#requestHandlers.register(method, handler);
    this.#dispatchTable.add({
      [method]: (params: Record<string, unknown>, call: RequestContext) => this.#requests.handle(method, params, call),
    });
  }

  /**
   * Handles the notifications of the options `revisions` and `extensions`, also changes on the stream of a stateless server. `Known` is
   * another map from methods to params.
   */
  setNotificationHandler<
    Known extends object = KnownNotifications<Sides, Extensions> & object,
    Method extends keyof Known & string = keyof Known & string,
  >(method: Method, handler: (params: Known[Method]) => unknown): void {
    const own = this.#ownHandlers[method] as ((params: never) => void) | undefined;
    this.#dispatchTable.add({
      [method]: (params: never) => {
        own?.(params);
        return handler(params);
      },
    });
  }

  /** Calls a tool, and may return its `input_required` result. @throws SdkError as without `allowInputRequired` */
  callTool(
    params: ParamsInput<mcp.CallToolRequestParams>,
    options: AllowInputRequiredOptions,
  ): Promise<mcp.CallToolOutcome | AddedResults<Extensions, typeof TOOLS_CALL>>;
  /**
   * Calls a tool.
   * @throws SdkError `INVALID_RESULT` when its structured output does not match the listed schema
   * @example
   * ```ts
   * const { content } = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
   * ```
   */
  callTool(
    params: ParamsInput<mcp.CallToolRequestParams>,
    options?: CallToolOptions,
  ): Promise<CallOutcome<mcp.CallToolResult, mcp.CallToolOutcome, Extensions, typeof TOOLS_CALL>>;
  callTool(params: ParamsInput<mcp.CallToolRequestParams>, options?: SendOptions): Promise<unknown> {
    const answered = this.#requests.send(TOOLS_CALL, params, options) as Promise<mcp.CallToolOutcome>;
    // Most clients check nothing, and need no extra promise.
    if (!this.options.jsonSchemaValidator) return answered;
    const { outputSchemas } = this.#listedTools;
    return markHandled(answered.then((outcome) => outputSchemas.checkOutcome(params.name, outcome)));
  }

  /** All tools, or the page after `cursor`. */
  listTools(params: PageParams = {}, options?: SendOptions): Promise<mcp.ListToolsResult> {
    const listed = this.#pages(TOOLS_LIST, params, options) as Promise<mcp.ListToolsResult>;
    return markHandled(listed.then((result) => this.#listedTools.add(result, this.#pipeline)));
  }

  getPrompt(
    params: ParamsInput<mcp.GetPromptRequestParams>,
    options: AllowInputRequiredOptions,
  ): Promise<mcp.GetPromptOutcome | AddedResults<Extensions, typeof PROMPTS_GET>>;
  getPrompt(
    params: ParamsInput<mcp.GetPromptRequestParams>,
    options?: SendOptions,
  ): Promise<CallOutcome<mcp.GetPromptResult, mcp.GetPromptOutcome, Extensions, typeof PROMPTS_GET>>;
  getPrompt(params: ParamsInput<mcp.GetPromptRequestParams>, options?: SendOptions): Promise<unknown> {
    return this.#requests.send(PROMPTS_GET, params, options);
  }

  /** All prompts, or the page after `cursor`. */
  listPrompts(params: PageParams = {}, options?: SendOptions): Promise<mcp.ListPromptsResult> {
    return this.#pages(PROMPTS_LIST, params, options) as Promise<mcp.ListPromptsResult>;
  }

  readResource(
    params: ParamsInput<mcp.ReadResourceRequestParams>,
    options: AllowInputRequiredOptions,
  ): Promise<mcp.ReadResourceOutcome | AddedResults<Extensions, typeof RESOURCES_READ>>;
  readResource(
    params: ParamsInput<mcp.ReadResourceRequestParams>,
    options?: SendOptions,
  ): Promise<CallOutcome<mcp.ReadResourceResult, mcp.ReadResourceOutcome, Extensions, typeof RESOURCES_READ>>;
  readResource(params: ParamsInput<mcp.ReadResourceRequestParams>, options?: SendOptions): Promise<unknown> {
    const read = this.#requests.send(RESOURCES_READ, params, options);
    return markHandled(read.then((outcome) => (isInputRequired(outcome) ? outcome : withCacheHints(outcome))));
  }

  /** All resources, or the page after `cursor`. */
  listResources(params: PageParams = {}, options?: SendOptions): Promise<mcp.ListResourcesResult> {
    return this.#pages(RESOURCES_LIST, params, options) as Promise<mcp.ListResourcesResult>;
  }

  /** All resource templates, or the page after `cursor`. */
  listResourceTemplates(params: PageParams = {}, options?: SendOptions): Promise<mcp.ListResourceTemplatesResult> {
    return this.#pages(RESOURCES_TEMPLATES_LIST, params, options) as Promise<mcp.ListResourceTemplatesResult>;
  }

  /** Suggestions for an argument of a prompt or a variable of a resource template. */
  complete(params: ParamsInput<mcp.CompleteRequestParams>, options?: SendOptions): Promise<mcp.CompleteResult> {
    return this.#requests.send(COMPLETION_COMPLETE, params, options) as Promise<mcp.CompleteResult>;
  }

  /** Calls `listener` whenever a list has changed, or may have changed. @returns a function that removes the listener */
  onChanged(kind: ListKind, listener: ChangeListener): () => void {
    return this.#changes.onChanged(kind, listener);
  }

  /**
   * Calls `listener` whenever a resource, or one below it, has changed or may have changed. The handler of
   * `notifications/resources/updated` is called, too.
   * @returns whether the server grants the subscription
   */
  subscribeResource({ uri }: { readonly uri: string }, listener?: ResourceUpdateListener): Promise<boolean> {
    return markHandled(this.#changes.subscribe(uri, listener));
  }

  /** Ends the subscription when `listener` was the last one. Without a listener, removes all of them. */
  unsubscribeResource({ uri }: { readonly uri: string }, listener?: ResourceUpdateListener): Promise<void> {
    return markHandled(this.#changes.unsubscribe(uri, listener));
  }

  /**
   * Requests log messages of this level and above. In revisions where each request carries the level, all later ones do;
   * without it (`"off"`), servers send no log messages. In other revisions, `"off"` requests the highest level, `emergency`.
   * @deprecated since 2026-07-28, together with logging
   */
  setLoggingLevel(level: mcp.LoggingLevel | "off", options?: SendOptions): Promise<void> {
    return markHandled(Promise.resolve().then(() => this.#logLevel.set(level, this.#open, options)));
  }

  /** @throws SdkError `NOT_IN_THIS_REVISION` in revisions without ping; `isAlive` works in all of them */
  ping(options?: SendOptions): Promise<void> {
    return markHandled(this.#requests.send(PING, undefined, options).then(() => undefined));
  }

  /** Whether the server responds. */
  async isAlive(options?: SendOptions): Promise<boolean> {
    return (await this.#pipeline?.connection.isAlive(options)) ?? false;
  }

  /**
   * Adds a root, which servers can list; needs the capability `roots`.
   * @throws SdkError `INVALID_CONFIGURATION` for a URI that is not `file://`, or has `..` segments
   * @deprecated since 2026-07-28, together with roots: pass folders as tool arguments
   */
  addRoot(root: mcp.Root): void {
    this.#roots.add(root);
    this.sendRootsListChanged();
  }

  /** @deprecated since 2026-07-28, together with roots */
  removeRoot(uri: string): void {
    if (this.#roots.remove(uri)) this.sendRootsListChanged();
  }

  /** Notifies the server that the roots have changed, in revisions that have this notification. */
  sendRootsListChanged(): void {
    this.#roots.notifyChanged(this.#pipeline?.connection);
  }

  /** Marks a URL elicitation as complete, although the server has not reported it. */
  completeElicitation(elicitationId: string): void {
    this.#urlElicitations.complete(elicitationId);
  }

  get #open(): RequestPipeline {
    if (!this.#pipeline) throw this.#reconnector.notConnectedError;
    return this.#pipeline;
  }

  #pages(method: string, params: PageParams, options: SendOptions | undefined): Promise<unknown> {
    const ready = Promise.resolve(this.#reconnector.whenReconnected(options));
    const send = (page: PageParams): Promise<unknown> => this.#requests.send(method, page, options);
    return markHandled(ready.then(() => fetchPages(this.#open, method, params, send)));
  }

  /**
   * Sends a request of any method of the options `revisions` and `extensions`. `Known` is another map from methods to params and results.
   * @example
   * ```ts
   * const { order } = await client.request("tools/rank", { query: "weather" });
   * ```
   * @returns the checked result; also one that an extension adds to the method
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the server does not declare what the method needs, `NOT_IN_THIS_REVISION`
   * @throws RemoteError when the server responds with an error
   */
  request<
    Known extends object = KnownRequests<Sides, Extensions> & object,
    Method extends keyof Known & string = keyof Known & string,
  >(
    method: Method,
    ...[params, options]: RequestArguments<Known[Method], SendOptions>
  ): Promise<RequestOutcome<Known[Method], Extensions, Method>> {
    return this.#requests.send(method, params, options) as Promise<RequestOutcome<Known[Method], Extensions, Method>>;
  }
}
