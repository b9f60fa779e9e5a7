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
import type {
  CallToolOutcome,
  CallToolRequestParams,
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptOutcome,
  GetPromptRequestParams,
  GetPromptResult,
  Implementation,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  LoggingLevel,
  ReadResourceOutcome,
  ReadResourceRequestParams,
  ReadResourceResult,
  Root,
  ServerCapabilities,
} from "../authoring.js";
import type { Call } from "../engine/call.js";
import { isInputRequired } from "../ask/question.js";
import { hasCapability } from "../engine/capability.js";
import { checkParty } from "../engine/check-options.js";
import { Converted } from "../engine/converted.js";
import { SdkError } from "../engine/errors.js";
import { latch } from "../engine/latch.js";
import { closedError } from "../engine/messages.js";
import { type Handlers, Routes, type Without } from "../engine/routes.js";
import type { Transport } from "../engine/transport.js";
import { UrlVisits } from "../handshake/url-elicitation.js";
import { isRootUri } from "../rules/roots.js";
import type { ListKind } from "../server/change.js";
import { Revisions, warnUnconverted } from "../server/revisions.js";
import { callable, checksTools } from "./callable-tools.js";
import { type ChangeListener, Changes, type UpdateListener } from "./changes.js";
import type { CoreClientOptions, Notices, Questions } from "./client-options.js";
import { ClientConnection } from "./connection.js";
import { type Era, openConnection, type OpenOptions, renegotiate } from "./open.js";
import { OutputSchemas } from "./output-schemas.js";
import { fetchPages, hinted, type Page } from "./pages.js";
import { HostAnswers, type QuestionContext } from "./questions.js";
import { type OpenEndedOptions, Requests, type SendOptions } from "./requests.js";
import { Restart } from "./restart.js";

/**
 * A client of one server at a time. It finds out which revision the server speaks and keeps to it; results look the same
 * whatever that is.
 */
export class Client {
  readonly #revisions: Revisions;
  readonly #results: Converted;
  readonly #routes: Routes;
  /** What the client itself has to hear of. */
  readonly #own: Handlers;
  readonly #answers: HostAnswers;
  readonly #visits = new UrlVisits();
  readonly #changes: Changes;
  readonly #outputs: OutputSchemas;
  readonly #cacheKey: string;
  readonly #roots = new Map<string, Root>();
  #requests: Requests | undefined;
  readonly #restart: Restart;
  #renegotiating: Promise<boolean> | undefined;
  #logLevel: LoggingLevel | undefined;
  /** The connection that is being opened: `close` calls it off, and waits until it is over. */
  #connecting: { readonly calledOff: AbortController; readonly over: Promise<void> } | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` when `info`, revisions or numbers cannot be used */
  constructor(
    readonly info: Implementation,
    readonly options: CoreClientOptions,
  ) {
    checkParty(info, options, options.limits, options.keepAlive, options.restart);
    this.#revisions = new Revisions(options.revisions, "client");
    warnUnconverted(this.#revisions, options);
    this.#results = new Converted(options.conversions, "fromPeer", "client", "results");
    this.#answers = new HostAnswers(options.capabilities ?? {}, options.conversions);
    this.#restart = new Restart(options);
    // Some hosts have no random numbers until the first request.
    this.#cacheKey = options.cacheKey ?? (options.cache ? crypto.randomUUID() : "");
    this.#changes = new Changes(options.cache, this.#cacheKey);
    this.#outputs = new OutputSchemas(options.jsonSchemaValidator, (error) => this.#requests?.connection.report(error));
    this.#routes = new Routes(({ capability }) => !capability?.startsWith("client.") || this.#declares(capability));
    this.#own = {
      ...this.#changes.handlers,
      [NOTIFICATIONS_ELICITATION_COMPLETE]: (it: { elicitationId: string }) => this.#visits.complete(it.elicitationId),
    };
    this.#routes.add({ ...this.#own, [PING]: () => ({}) });
    if (options.capabilities?.roots) this.setRequestHandler(ROOTS_LIST, () => ({ roots: [...this.#roots.values()] }));
  }

  /**
   * Opens a transport, finds out what the server speaks, and agrees on a revision with it.
   * @param options its `signal` calls that off; a server that goes away later is connected to again without it
   * @throws SdkError `NO_COMMON_REVISION`, `ALREADY_CONNECTED`, `REQUEST_TIMEOUT`; whatever the transport throws
   */
  async connect(transport: Transport, options: OpenOptions = {}): Promise<void> {
    if (this.#requests || this.#connecting)
      throw new SdkError("ALREADY_CONNECTED", "this client is connected; close it first, or make another one");
    // A transport may close the client as soon as it is started.
    const { opened: over, open: end } = latch();
    const calledOff = new AbortController();
    this.#connecting = { calledOff, over };
    const connection = await this.#openTransport(transport, options, calledOff.signal).finally(() => {
      this.#connecting = undefined;
      end();
    });
    this.#outputs.forget();
    // Without a name of its own, the server may be another one than before.
    if (this.options.cacheKey === undefined) this.options.cache?.clear(this.#cacheKey);
    // A server that does not tell of changes is still of use.
    await this.#changes.attach(connection).catch((error: unknown) => connection.report(error));
    if (this.#logLevel && hasCapability(this.getServerCapabilities(), "server.logging"))
      await this.setLoggingLevel(this.#logLevel).catch((error: unknown) => connection.report(error));
    if (!connection.isOpen && !this.#restart.isUnderWay) throw closedError(undefined);
  }

  async #openTransport(transport: Transport, options: OpenOptions, closed: AbortSignal): Promise<ClientConnection> {
    const { onInvalidItem, cache, principal = cache && crypto.randomUUID(), maxRounds = 10 } = this.options;
    const [side] = this.#revisions.all as readonly [Side];
    const { signal: given, ...lasting } = options;
    const signal = given ? AbortSignal.any([given, closed]) : closed;
    const connect = async (): Promise<ClientConnection> => {
      const ended = (error: Error | undefined): void => {
        if (this.#requests?.connection !== connection) return;
        this.#requests = undefined;
        this.#changes.detach();
        this.#restart.ended(error, async () => {
          await this.connect(transport, { ...lasting, era: connection.side.profile.opening });
          this.#changes.missed();
        });
      };
      const connection = new ClientConnection(transport, side, this.#routes, this.info, this.options, ended);
      await connection.open(signal);
      return connection;
    };
    const connection = await openConnection(connect, this.#revisions, { ...lasting, signal });
    // What has been agreed on was not wanted any more.
    if (signal.aborted) await connection.close().catch((error: unknown) => connection.report(error));
    signal.throwIfAborted();
    if (!connection.isOpen) throw closedError(undefined);
    this.#requests = new Requests(connection, {
      maxRounds,
      cache,
      cacheKey: this.#cacheKey,
      principal,
      onInvalidItem,
      visits: this.#visits,
      renegotiate: () =>
        (this.#renegotiating ??= renegotiate(connection, this.#revisions, () =>
          this.#changes.attach(connection),
        ).finally(() => (this.#renegotiating = undefined))),
      answers: this.#answers,
      relearn: async (method) => {
        if (method !== TOOLS_CALL || !checksTools(this.#requests)) return false;
        cache?.invalidateMethod(this.#cacheKey, TOOLS_LIST);
        await this.listTools();
        return true;
      },
      results: this.#results,
    });
    return connection;
  }

  /** Ends the connection, also one that is being opened. A server that went away is not started again. */
  async close(): Promise<void> {
    this.#restart.stop();
    const { calledOff, over } = this.#connecting ?? {};
    calledOff?.abort(new SdkError("REQUEST_CANCELLED", "the client was closed while it connected"));
    await over;
    await this.#requests?.connection.close();
  }

  /** The connection, for stubs and for what has no method here. @throws SdkError `NOT_CONNECTED` */
  get connection(): ClientConnection {
    return this.#open.connection;
  }

  /** The era of the server, to be handed to `connect` the next time. */
  get era(): Era | undefined {
    return this.#requests?.connection.side.profile.opening;
  }

  getNegotiatedProtocolVersion(): string | undefined {
    return this.#requests?.connection.side.revision;
  }

  getServerCapabilities(): ServerCapabilities | undefined {
    return this.#requests?.connection.agreement?.serverCapabilities;
  }

  getServerVersion(): Implementation | undefined {
    return this.#requests?.connection.agreement?.serverInfo;
  }

  getInstructions(): string | undefined {
    return this.#requests?.connection.agreement?.instructions;
  }

  /**
   * Answers a kind of question that servers ask, in whatever way they ask it.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the options do not declare the capability
   */
  setRequestHandler<Method extends keyof Questions>(
    method: Method,
    handler: (
      params: Questions[Method]["params"],
      context: QuestionContext,
    ) => Questions[Method]["result"] | Promise<Questions[Method]["result"]>,
  ): void {
    const capability = `client.${method.split("/", 1)[0] ?? ""}`;
    if (!this.#declares(capability))
      throw new SdkError(
        "CAPABILITY_NOT_SUPPORTED",
        `a handler of ${method} needs capabilities: { ${capability.slice(7)}: {} }`,
      );
    this.#answers.handlers.set(method, handler);
    this.#routes.add({
      [method]: (params: Record<string, unknown>, call: Call) =>
        this.#answers.answer(call.caller.side, call.row, method, params, call),
    });
  }

  /** Hears notifications that belong to no subscription. `Known` has their params by method. */
  setNotificationHandler<Known extends object = Notices, Method extends keyof Known & string = keyof Known & string>(
    method: Method,
    handler: (params: Known[Method]) => unknown,
  ): void {
    const own = this.#own[method] as ((params: never) => void) | undefined;
    this.#routes.add({
      [method]: (params: never) => {
        own?.(params);
        return handler(params);
      },
    });
  }

  /** Calls a tool, and hands on what it asks. @throws SdkError as without `allowInputRequired` */
  callTool(params: Without<CallToolRequestParams>, options: OpenEndedOptions): Promise<CallToolOutcome>;
  /** Calls a tool. @throws SdkError `INVALID_RESULT` when its structured output breaks the schema that was listed */
  callTool(params: Without<CallToolRequestParams>, options?: SendOptions): Promise<CallToolResult>;
  callTool(params: Without<CallToolRequestParams>, options?: SendOptions): Promise<unknown> {
    const answered = this.#send(TOOLS_CALL, params, options) as Promise<CallToolOutcome>;
    // Most clients check nothing, and need no further promise.
    if (!this.options.jsonSchemaValidator) return answered;
    return answered.then((outcome) => this.#outputs.checked(params.name, outcome));
  }

  /** All tools, or the page after `cursor`. */
  async listTools(params: Page = {}, options?: SendOptions): Promise<ListToolsResult> {
    const result = (await this.#pages(TOOLS_LIST, params, options)) as ListToolsResult;
    this.#outputs.learn(result.tools);
    const requests = this.#requests;
    return checksTools(requests) ? { ...result, tools: callable(result.tools, requests) } : result;
  }

  getPrompt(params: Without<GetPromptRequestParams>, options: OpenEndedOptions): Promise<GetPromptOutcome>;
  getPrompt(params: Without<GetPromptRequestParams>, options?: SendOptions): Promise<GetPromptResult>;
  getPrompt(params: Without<GetPromptRequestParams>, options?: SendOptions): Promise<unknown> {
    return this.#send(PROMPTS_GET, params, options);
  }

  /** All prompts, or the page after `cursor`. */
  listPrompts(params: Page = {}, options?: SendOptions): Promise<ListPromptsResult> {
    return this.#pages(PROMPTS_LIST, params, options) as Promise<ListPromptsResult>;
  }

  readResource(params: Without<ReadResourceRequestParams>, options: OpenEndedOptions): Promise<ReadResourceOutcome>;
  readResource(params: Without<ReadResourceRequestParams>, options?: SendOptions): Promise<ReadResourceResult>;
  async readResource(params: Without<ReadResourceRequestParams>, options?: SendOptions): Promise<unknown> {
    const outcome = await this.#send(RESOURCES_READ, params, options);
    return isInputRequired(outcome) ? outcome : hinted(outcome);
  }

  /** All resources, or the page after `cursor`. */
  listResources(params: Page = {}, options?: SendOptions): Promise<ListResourcesResult> {
    return this.#pages(RESOURCES_LIST, params, options) as Promise<ListResourcesResult>;
  }

  /** All resource templates, or the page after `cursor`. */
  listResourceTemplates(params: Page = {}, options?: SendOptions): Promise<ListResourceTemplatesResult> {
    return this.#pages(RESOURCES_TEMPLATES_LIST, params, options) as Promise<ListResourceTemplatesResult>;
  }

  /** Suggestions for an argument of a prompt or a variable of a resource template. */
  complete(params: Without<CompleteRequestParams>, options?: SendOptions): Promise<CompleteResult> {
    return this.#send(COMPLETION_COMPLETE, params, options) as Promise<CompleteResult>;
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
  subscribeResource({ uri }: { readonly uri: string }, listener: UpdateListener): Promise<boolean> {
    return this.#changes.subscribe(uri, listener);
  }

  unsubscribeResource({ uri }: { readonly uri: string }): Promise<void> {
    return this.#changes.unsubscribe(uri);
  }

  /**
   * Wants log messages of this level and above; where requests say so themselves, all later ones do.
   * @deprecated since 2026-07-28, with logging itself
   */
  async setLoggingLevel(level: LoggingLevel, options?: SendOptions): Promise<void> {
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
    return (await this.#requests?.connection.isAlive(options)) ?? false;
  }

  /**
   * Shows servers a folder; needs the capability `roots`.
   * @throws SdkError `INVALID_CONFIGURATION` for a URI that is not `file://`, or has steps up (`..`)
   * @deprecated since 2026-07-28, with roots themselves: servers take folders as tool parameters
   */
  addRoot(root: Root): void {
    if (!this.#declares("client.roots"))
      throw new SdkError("CAPABILITY_NOT_SUPPORTED", "roots need capabilities: { roots: {} }");
    if (!isRootUri(root.uri))
      throw new SdkError("INVALID_CONFIGURATION", `root ${root.uri} is no file:// URI without steps up`);
    this.#roots.set(root.uri, root);
    this.sendRootsListChanged();
  }

  /** @deprecated since 2026-07-28, with roots themselves */
  removeRoot(uri: string): void {
    if (this.#roots.delete(uri)) this.sendRootsListChanged();
  }

  /** Tells the server that the roots are others, where it can be told. */
  sendRootsListChanged(): void {
    const connection = this.#requests?.connection;
    if (connection?.side.profile.serverRequests === "wire" && this.#declares("client.roots.listChanged"))
      connection.tell(NOTIFICATIONS_ROOTS_LIST_CHANGED, undefined);
  }

  /** The user is done at a URL, though the server has not said so. */
  completeElicitation(elicitationId: string): void {
    this.#visits.complete(elicitationId);
  }

  get #open(): Requests {
    if (!this.#requests) throw new SdkError("NOT_CONNECTED", "this client is not connected; call connect() first");
    return this.#requests;
  }

  #declares(capability: string): boolean {
    return hasCapability(this.options.capabilities, capability);
  }

  async #pages(method: string, params: Page, options: SendOptions | undefined): Promise<unknown> {
    await this.#restart.reopened(options?.signal);
    return fetchPages(this.#open, method, params, options);
  }

  #send(method: string, params: object | undefined, options: SendOptions | undefined): Promise<unknown> {
    const reopening = this.#restart.reopened(options?.signal);
    if (this.#requests && !reopening) return this.#requests.send(method, params, options);
    // Whether there is a session is no concern of those who call.
    return Promise.resolve(reopening).then(() => this.#open.send(method, params, options));
  }
}
