import type { Side } from "@mcpwright/protocol/contract";
import {
  COMPLETION_COMPLETE,
  LOGGING_SET_LEVEL,
  NOTIFICATIONS_ELICITATION_COMPLETE,
  NOTIFICATIONS_ROOTS_LIST_CHANGED,
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
import { hasCapability } from "../connection/capability.js";
import type { ListKind } from "../connection/change.js";
import { type MethodHandlers, DispatchTable } from "../connection/dispatch-table.js";
import { MessageConverter } from "../connection/message-converter.js";
import type { ParamsInput } from "../connection/params-input.js";
import type { RequestContext } from "../connection/request-context.js";
import { Revisions, warnMissingConversions } from "../connection/revisions.js";
import { isInputRequired } from "../input-requests/input-required.js";
import { connectionClosedError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { assertImplementation } from "../options/assert-options.js";
import { deferred } from "../timing/deferred.js";
import type { Transport } from "../transport/transport.js";
import { callableTools, refreshTools, transportChecksTools } from "./callable-tools.js";
import { type ChangeListener, ChangeSubscriptions, type ResourceUpdateListener } from "./change-subscriptions.js";
import { ClientConnection } from "./client-connection.js";
import type { CoreClientOptions, ServerNotificationMap, ServerRequestMap } from "./client-options.js";
import { ClientRequestHandlers, type ServerRequestContext } from "./client-request-handlers.js";
import { ClientRoots } from "./client-roots.js";
import type { Era, ConnectOptions } from "./connect-options.js";
import { fetchPages, withCacheHints, type PageParams } from "./fetch-pages.js";
import { PendingUrlElicitations } from "./handshake/url-elicitation.js";
import { negotiateRevision, renegotiateRevision } from "./negotiate-revision.js";
import { OutputSchemas } from "./output-schemas.js";
import { Reconnector } from "./reconnector.js";
import { RequestPipeline } from "./request-pipeline.js";
import type { AllowInputRequiredOptions, SendOptions } from "./send-options.js";

/**
 * A client of one server at a time. It finds out which revision the server speaks and keeps to it; results look the same
 * whatever that is.
 */
export class Client {
  readonly #revisions: Revisions;
  readonly #resultConverter: MessageConverter;
  readonly #dispatchTable: DispatchTable;
  /** What the client itself has to hear of. */
  readonly #ownHandlers: MethodHandlers;
  readonly #requestHandlers: ClientRequestHandlers;
  readonly #urlElicitations = new PendingUrlElicitations();
  readonly #changes: ChangeSubscriptions;
  readonly #outputSchemas: OutputSchemas;
  readonly #cacheKey: string;
  readonly #roots: ClientRoots;
  #pipeline: RequestPipeline | undefined;
  readonly #reconnector: Reconnector;
  #renegotiating: Promise<boolean> | undefined;
  #logLevel: mcp.LoggingLevel | undefined;
  /** The connection that is being opened: `close` calls it off, and waits until it is over. */
  #connecting: { readonly calledOff: AbortController; readonly over: Promise<void> } | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` when `info`, revisions or numbers cannot be used */
  constructor(
    readonly info: mcp.Implementation,
    readonly options: CoreClientOptions,
  ) {
    assertImplementation(info, options, options.limits, options.keepAlive, options.restart);
    this.#revisions = new Revisions(options.revisions, "client");
    warnMissingConversions(this.#revisions, options);
    this.#resultConverter = new MessageConverter(options.conversions, "fromPeer", "client", "results");
    this.#requestHandlers = new ClientRequestHandlers(options.capabilities ?? {}, options.conversions);
    this.#reconnector = new Reconnector(options);
    this.#roots = new ClientRoots(options.capabilities);
    // Some hosts have no random numbers until the first request.
    this.#cacheKey = options.cacheKey ?? (options.cache ? crypto.randomUUID() : "");
    this.#changes = new ChangeSubscriptions(options.cache, this.#cacheKey);
    this.#outputSchemas = new OutputSchemas(options.jsonSchemaValidator, (error) =>
      this.#pipeline?.connection.report(error),
    );
    this.#dispatchTable = new DispatchTable(
      ({ capability }) => !capability?.startsWith("client.") || this.#declares(capability),
    );
    this.#ownHandlers = {
      ...this.#changes.handlers,
      [NOTIFICATIONS_ELICITATION_COMPLETE]: (it: { elicitationId: string }) =>
        this.#urlElicitations.complete(it.elicitationId),
    };
    this.#dispatchTable.add({ ...this.#ownHandlers, [PING]: () => ({}) });
    if (options.capabilities?.roots) this.setRequestHandler(ROOTS_LIST, () => this.#roots.list());
  }

  /**
   * Opens a transport, finds out what the server speaks, and agrees on a revision with it.
   * @example
   * ```ts
   * await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
   * ```
   * @param options its `signal` calls that off; a server that goes away later is connected to again without it
   * @throws SdkError `NO_COMMON_REVISION`, `ALREADY_CONNECTED`, `REQUEST_TIMEOUT`; whatever the transport throws
   */
  async connect(transport: Transport, options: ConnectOptions = {}): Promise<void> {
    if (this.#pipeline || this.#connecting)
      throw new SdkError("ALREADY_CONNECTED", "this client is connected; close it first, or make another one");
    // A transport may close the client as soon as it is started.
    const { promise: over, resolve: end } = deferred();
    const calledOff = new AbortController();
    this.#connecting = { calledOff, over };
    const connection = await this.#openTransport(transport, options, calledOff.signal).finally(() => {
      this.#connecting = undefined;
      end();
    });
    this.#outputSchemas.clear();
    // Without a name of its own, the server may be another one than before.
    if (this.options.cacheKey === undefined) this.options.cache?.clear(this.#cacheKey);
    // A server that does not tell of changes is still of use.
    await this.#changes.attach(connection).catch((error: unknown) => connection.report(error));
    if (this.#logLevel && hasCapability(this.getServerCapabilities(), "server.logging"))
      await this.setLoggingLevel(this.#logLevel).catch((error: unknown) => connection.report(error));
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
          await this.connect(transport, { ...lasting, era: connection.side.profile.opening });
          this.#changes.onGap();
        });
      };
      const connection = new ClientConnection(transport, side, this.#dispatchTable, this.info, this.options, ended);
      await connection.open(signal);
      return connection;
    };
    const connection = await negotiateRevision(connect, this.#revisions, { ...lasting, signal });
    // What has been agreed on was not wanted any more.
    if (signal.aborted) await connection.close().catch((error: unknown) => connection.report(error));
    signal.throwIfAborted();
    if (!connection.isOpen) throw connectionClosedError(undefined);
    this.#pipeline = new RequestPipeline(connection, {
      maxRounds,
      cache,
      cacheKey: this.#cacheKey,
      principal,
      onInvalidItem,
      urlElicitations: this.#urlElicitations,
      renegotiate: () =>
        (this.#renegotiating ??= renegotiateRevision(connection, this.#revisions, () =>
          this.#changes.attach(connection),
        ).finally(() => (this.#renegotiating = undefined))),
      requestHandlers: this.#requestHandlers,
      refreshHeaders: (method) => refreshTools(method, this.#pipeline, () => this.listTools()),
      resultConverter: this.#resultConverter,
    });
    return connection;
  }

  /** Ends the connection, also one that is being opened. A server that went away is not started again. */
  async close(): Promise<void> {
    this.#reconnector.stop();
    const { calledOff, over } = this.#connecting ?? {};
    calledOff?.abort(new SdkError("REQUEST_CANCELLED", "the client was closed while it connected"));
    await over;
    await this.#pipeline?.connection.close();
  }

  /** The connection, for stubs and for what has no method here. @throws SdkError `NOT_CONNECTED` */
  get connection(): ClientConnection {
    return this.#open.connection;
  }

  /** The era of the server, to be handed to `connect` the next time. */
  get era(): Era | undefined {
    return this.#pipeline?.connection.side.profile.opening;
  }

  getNegotiatedProtocolVersion(): string | undefined {
    return this.#pipeline?.connection.side.revision;
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
   * Answers a kind of question that servers ask, in whatever way they ask it.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the options do not declare the capability
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
      [method]: (params: Record<string, unknown>, call: RequestContext) =>
        this.#requestHandlers.handle(call.sender.side, call.row, method, params, call),
    });
  }

  /** Hears notifications that belong to no subscription. `Known` has their params by method. */
  setNotificationHandler<
    Known extends object = ServerNotificationMap,
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

  /** Calls a tool, and hands on what it asks. @throws SdkError as without `allowInputRequired` */
  callTool(
    params: ParamsInput<mcp.CallToolRequestParams>,
    options: AllowInputRequiredOptions,
  ): Promise<mcp.CallToolOutcome>;
  /**
   * Calls a tool.
   * @throws SdkError `INVALID_RESULT` when its structured output breaks the schema that was listed
   * @example
   * ```ts
   * const { content } = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
   * ```
   */
  callTool(params: ParamsInput<mcp.CallToolRequestParams>, options?: SendOptions): Promise<mcp.CallToolResult>;
  callTool(params: ParamsInput<mcp.CallToolRequestParams>, options?: SendOptions): Promise<unknown> {
    const answered = this.#send(TOOLS_CALL, params, options) as Promise<mcp.CallToolOutcome>;
    // Most clients check nothing, and need no further promise.
    if (!this.options.jsonSchemaValidator) return answered;
    return answered.then((outcome) => this.#outputSchemas.checkOutcome(params.name, outcome));
  }

  /** All tools, or the page after `cursor`. */
  async listTools(params: PageParams = {}, options?: SendOptions): Promise<mcp.ListToolsResult> {
    const result = (await this.#pages(TOOLS_LIST, params, options)) as mcp.ListToolsResult;
    this.#outputSchemas.addTools(result.tools);
    const requests = this.#pipeline;
    return transportChecksTools(requests) ? { ...result, tools: callableTools(result.tools, requests) } : result;
  }

  getPrompt(
    params: ParamsInput<mcp.GetPromptRequestParams>,
    options: AllowInputRequiredOptions,
  ): Promise<mcp.GetPromptOutcome>;
  getPrompt(params: ParamsInput<mcp.GetPromptRequestParams>, options?: SendOptions): Promise<mcp.GetPromptResult>;
  getPrompt(params: ParamsInput<mcp.GetPromptRequestParams>, options?: SendOptions): Promise<unknown> {
    return this.#send(PROMPTS_GET, params, options);
  }

  /** All prompts, or the page after `cursor`. */
  listPrompts(params: PageParams = {}, options?: SendOptions): Promise<mcp.ListPromptsResult> {
    return this.#pages(PROMPTS_LIST, params, options) as Promise<mcp.ListPromptsResult>;
  }

  readResource(
    params: ParamsInput<mcp.ReadResourceRequestParams>,
    options: AllowInputRequiredOptions,
  ): Promise<mcp.ReadResourceOutcome>;
  readResource(
    params: ParamsInput<mcp.ReadResourceRequestParams>,
    options?: SendOptions,
  ): Promise<mcp.ReadResourceResult>;
  async readResource(params: ParamsInput<mcp.ReadResourceRequestParams>, options?: SendOptions): Promise<unknown> {
    const outcome = await this.#send(RESOURCES_READ, params, options);
    return isInputRequired(outcome) ? outcome : withCacheHints(outcome);
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
    return this.#send(COMPLETION_COMPLETE, params, options) as Promise<mcp.CompleteResult>;
  }

  /**
   * Calls back whenever a list has, or may have, changed.
   * @returns ends it
   */
  onChanged(kind: ListKind, listener: ChangeListener): () => void {
    return this.#changes.onChanged(kind, listener);
  }

  /**
   * Calls back whenever a resource, or one below it, has changed.
   * @returns whether the server grants it
   */
  subscribeResource({ uri }: { readonly uri: string }, listener: ResourceUpdateListener): Promise<boolean> {
    return this.#changes.subscribe(uri, listener);
  }

  unsubscribeResource({ uri }: { readonly uri: string }): Promise<void> {
    return this.#changes.unsubscribe(uri);
  }

  /**
   * Wants log messages of this level and above; where requests say so themselves, all later ones do.
   * @deprecated since 2026-07-28, with logging itself
   */
  async setLoggingLevel(level: mcp.LoggingLevel, options?: SendOptions): Promise<void> {
    const requests = this.#open;
    if (requests.connection.side.profile.logLevel === "request") requests.connection.logLevel = level;
    else await requests.send(LOGGING_SET_LEVEL, { level }, options);
    this.#logLevel = level;
  }

  /** @throws SdkError `NOT_IN_THIS_REVISION` where there is no ping; `isAlive` works everywhere */
  async ping(options?: SendOptions): Promise<void> {
    await this.#send(PING, undefined, options);
  }

  /** Whether the server answers. */
  async isAlive(options?: SendOptions): Promise<boolean> {
    return (await this.#pipeline?.connection.isAlive(options)) ?? false;
  }

  /**
   * Shows servers a folder; needs the capability `roots`.
   * @throws SdkError `INVALID_CONFIGURATION` for a URI that is not `file://`, or has steps up (`..`)
   * @deprecated since 2026-07-28, with roots themselves: servers take folders as tool parameters
   */
  addRoot(root: mcp.Root): void {
    this.#roots.add(root);
    this.sendRootsListChanged();
  }

  /** @deprecated since 2026-07-28, with roots themselves */
  removeRoot(uri: string): void {
    if (this.#roots.remove(uri)) this.sendRootsListChanged();
  }

  /** Tells the server that the roots are others, where it can be told. */
  sendRootsListChanged(): void {
    const connection = this.#pipeline?.connection;
    if (connection?.side.profile.serverRequests === "wire" && this.#declares("client.roots.listChanged"))
      connection.notifyInBackground(NOTIFICATIONS_ROOTS_LIST_CHANGED, undefined);
  }

  /** The user is done at a URL, though the server has not said so. */
  completeElicitation(elicitationId: string): void {
    this.#urlElicitations.complete(elicitationId);
  }

  get #open(): RequestPipeline {
    if (!this.#pipeline) throw new SdkError("NOT_CONNECTED", "this client is not connected; call connect() first");
    return this.#pipeline;
  }

  #declares(capability: string): boolean {
    return hasCapability(this.options.capabilities, capability);
  }

  async #pages(method: string, params: PageParams, options: SendOptions | undefined): Promise<unknown> {
    await this.#reconnector.whenReconnected(options?.signal);
    return fetchPages(this.#open, method, params, options);
  }

  #send(method: string, params: object | undefined, options: SendOptions | undefined): Promise<unknown> {
    const reopening = this.#reconnector.whenReconnected(options?.signal);
    if (this.#pipeline && !reopening) return this.#pipeline.send(method, params, options);
    // Whether there is a session is no concern of those who call.
    return Promise.resolve(reopening).then(() => this.#open.send(method, params, options));
  }
}
