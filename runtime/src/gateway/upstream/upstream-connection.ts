import {
  ELICITATION_CREATE,
  NOTIFICATIONS_ELICITATION_COMPLETE,
  NOTIFICATIONS_MESSAGE,
  ROOTS_LIST,
  SAMPLING_CREATE_MESSAGE,
} from "@mcpwright/protocol/names";
import type { CreateMessageRequestParams, Implementation, LoggingLevel } from "../../authoring.js";
import { Client } from "../../client.js";
import type { Era } from "../../client/connect-options.js";
import { SwapRemoveSet } from "../../collections/swap-remove-set.js";
import type { Change, ListKind } from "../../connection/change.js";
import { hasCapability } from "../../connection/capability.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import { isSameOrBelow, normalUri } from "../../rules/uris.js";
import type { ServerContext } from "../../server/contracts.js";
import type { Transport } from "../../transport/transport.js";
import { mapSamplingParams } from "../composition/result-uris.js";
import { type GatewayExtension, isDeclared } from "../extensions/gateway-extension.js";
import { ForwardedCall, type LogMessage } from "../forward/forwarded-call.js";
import { askSession, logToSession } from "../forward/session-messages.js";
import type { GatewayServer } from "../gateway-options.js";
import type { GatewayPinning, PinnedConnection } from "../pinning/gateway-pinning.js";
import type { ServerSurface } from "../pinning/server-surface.js";
import type { GatewayReview } from "../review/gateway-review.js";
import { Catalog, type ListItems, type ListName } from "./catalog.js";
import type { LossRecorder, OtherLoss } from "../losses/loss-recorder.js";
import type { Place } from "./place.js";

/** What a connection to a server needs of the gateway. */
export interface ConnectionEvents {
  /** How servers see the gateway. */
  readonly info: Implementation;
  /** The extensions whose messages pass through. */
  readonly extensions: readonly GatewayExtension[];
  readonly pinning: GatewayPinning | undefined;
  readonly review: GatewayReview | undefined;
  readonly losses: LossRecorder | undefined;
  report(error: Error): void;
  /** The URI that the client of a request has for one of the server. */
  clientUri(uri: string, context: ServerContext | undefined): string;
  /** A list has changed, or a resource by its URI at the server. */
  changed(connection: UpstreamConnection, change: Change): void;
  /** The connection has ended; with an error unless the gateway closed it. */
  ended(connection: UpstreamConnection, error: Error | undefined): void;
}

/** Commands can take seconds until they respond, such as those that a package manager installs first. */
const probeTimeoutMs = 5_000;

const kinds = ["tools", "prompts", "resources"] as const satisfies readonly ListKind[];

/** One connection to a server, and the requests of clients that use it. */
export class UpstreamConnection {
  readonly client: Client;
  readonly catalog: Catalog;
  /** What clients may use of the server, if that is pinned. */
  readonly pinned: PinnedConnection | undefined;
  /** The requests that the server is working on. */
  readonly calls = new SwapRemoveSet<ForwardedCall>();
  #begun = 0;
  /** The URIs of resources that clients have subscribed to, and those that clients have for them. */
  readonly subscribed = new Map<string, string>();
  /** The requests of clients to subscribe, by the URIs that they have, until they are answered. */
  readonly asking = new Set<{ readonly uri: string; readonly context: ServerContext }>();
  /** When it was opened, and last used, by `performance.now()`. */
  openedAt = performance.now();
  usedAt = this.openedAt;
  isOpen = false;
  /** Whether the server has asked for the roots of the client. */
  hasRoots = false;
  #logLevel: LoggingLevel | undefined;
  readonly #updates = (uri: string): void => {
    for (const [subscribed, clientUri] of this.subscribed)
      if (isSameOrBelow(normalUri(uri), normalUri(subscribed)))
        this.events.changed(this, {
          kind: "resources",
          uri: clientUri + normalUri(uri).slice(normalUri(subscribed).length),
        });
  };

  constructor(
    readonly server: string,
    public place: Place,
    readonly options: GatewayServer,
    readonly events: ConnectionEvents,
  ) {
    const report = (error: Error): void => events.report(error);
    this.client = new Client(events.info, {
      capabilities: place.capabilities.declared,
      extensions: events.extensions
        .filter((one) => !isDeclared(one) || place.capabilities.extensions.includes(one.client.id))
        .map(({ client }) => client),
      completeUrlElicitations: false,
      ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
      // The time in which users answer questions does not count.
      maxTotalMs: options.maxTotalMs ?? (place.capabilities.canAsk ? Infinity : 600_000),
      onerror: report,
      onclose: (error) => {
        this.isOpen = false;
        events.ended(this, error);
      },
    });
    const { pinning, review } = events;
    const isScreened = pinning !== undefined || review !== undefined;
    this.catalog = new Catalog(
      this.client,
      report,
      isScreened ? (name, items) => this.#screen(name, items) : undefined,
    );
    this.pinned = pinning?.attachConnection({ server, client: this.client, catalog: this.catalog, report });
    this.#handleQuestions();
    this.client.setNotificationHandler(NOTIFICATIONS_MESSAGE, (message) => this.#log(message));
    this.client.setNotificationHandler(NOTIFICATIONS_ELICITATION_COMPLETE, ({ elicitationId }) => {
      const { side } = place.owner?.session ?? this.#latestCall?.context.client ?? {};
      if (side) events.losses?.notified(this, side.revision, NOTIFICATIONS_ELICITATION_COMPLETE);
      return this.#clientConnection?.completeElicitation(elicitationId);
    });
  }

  /** Whether requests name their client, so that all can use one connection. */
  get isStateless(): boolean {
    return this.client.era === "stateless";
  }

  /** @param era that of the server, if it is known */
  async open(transport: Transport, era?: Era): Promise<void> {
    const { connectTimeoutMs = 30_000 } = this.options;
    await this.client.connect(transport, { timeoutMs: connectTimeoutMs, probeTimeoutMs, ...(era && { era }) });
    this.openedAt = this.usedAt = performance.now();
    this.isOpen = true;
    this.#review({ instructions: this.client.getInstructions() ?? "" });
    const declared = this.client.getServerCapabilities();
    for (const kind of kinds)
      if (hasCapability(declared, `server.${kind}.listChanged`))
        this.client.onChanged(kind, () => {
          this.catalog.invalidate(kind);
          this.events.changed(this, { kind });
        });
  }

  /** The instructions of the server that clients may get. */
  get instructions(): string | undefined {
    return this.pinned ? this.pinned.instructions : this.client.getInstructions();
  }

  #screen<Name extends ListName>(name: Name, items: readonly ListItems[Name][]): readonly ListItems[Name][] {
    this.#review({ [name === "resourceTemplates" ? "templates" : name]: items });
    return this.pinned ? this.pinned.approve(name, items) : items;
  }

  #review(surface: ServerSurface): void {
    this.events.review?.reviewSurface(this.server, surface, (error) => this.events.report(error));
  }

  /** Whether the server has log messages. */
  get canLog(): boolean {
    return hasCapability(this.client.getServerCapabilities(), "server.logging");
  }

  /** Called before a request is sent on behalf of a client. */
  begin(context: ServerContext, isCall: boolean): ForwardedCall {
    const call = new ForwardedCall(context, isCall, this.#begun++);
    this.calls.add(call);
    return call;
  }

  end(call: ForwardedCall): void {
    this.calls.delete(call);
    this.usedAt = performance.now();
  }

  /**
   * Asks the server for the log messages that the client wants, where the level belongs to the session.
   * @returns undefined if the server knows the level
   */
  adoptLogLevel(level: LoggingLevel | undefined): Promise<void> | undefined {
    if (level === undefined || level === this.#logLevel || this.isStateless || this.place.kind === "shared")
      return undefined;
    if (!this.canLog) return undefined;
    this.#logLevel = level;
    return this.client.setLoggingLevel(level);
  }

  /**
   * @param clientUri the URI that clients have for the resource
   * @returns whether the server grants the subscription
   */
  async subscribe(uri: string, clientUri: string): Promise<boolean> {
    if (this.subscribed.has(uri)) return true;
    const isGranted = await this.client.subscribeResource({ uri }, this.#updates);
    if (isGranted) this.subscribed.set(uri, clientUri);
    return isGranted;
  }

  unsubscribe(uri: string): Promise<void> {
    this.subscribed.delete(uri);
    return this.client.unsubscribeResource({ uri }, this.#updates);
  }

  /** Records something that is not passed on. */
  lost(loss: OtherLoss, method: string): undefined {
    this.events.losses?.lost(loss, this, method);
  }

  close(): Promise<void> {
    this.isOpen = false;
    return this.client.close();
  }

  get #clientConnection(): ServerContext["connection"] | undefined {
    return this.place.owner ?? this.#latestCall?.context.connection;
  }

  get #latestCall(): ForwardedCall | undefined {
    return this.#latest(() => true);
  }

  #latest(isMeant: (call: ForwardedCall) => boolean): ForwardedCall | undefined {
    let latest: ForwardedCall | undefined;
    for (const call of this.calls) if (isMeant(call) && !(latest && latest.order > call.order)) latest = call;
    return latest;
  }

  #handleQuestions(): void {
    const { elicitation, sampling, roots } = this.place.capabilities.declared;
    if (elicitation)
      this.client.setRequestHandler(ELICITATION_CREATE, (params, { signal }) =>
        this.#ask(ELICITATION_CREATE, params, signal),
      );
    if (sampling)
      this.client.setRequestHandler(SAMPLING_CREATE_MESSAGE, (params, { signal }) =>
        this.#ask(SAMPLING_CREATE_MESSAGE, params, signal),
      );
    if (roots) this.client.setRequestHandler(ROOTS_LIST, (params, { signal }) => this.#ask(ROOTS_LIST, params, signal));
  }

  /** Questions of the handshake era name no request. They belong to the client of this connection. */
  async #ask<Result>(method: string, params: object, signal: AbortSignal): Promise<Result> {
    const { owner, kind } = this.place;
    // Over a shared connection, nothing shows which client is meant.
    const call = kind === "shared" ? undefined : this.#latest(({ canAsk }) => canAsk);
    const asked =
      method === SAMPLING_CREATE_MESSAGE
        ? mapSamplingParams(params as CreateMessageRequestParams, (uri) => this.events.clientUri(uri, call?.context))
        : params;
    if (method === ROOTS_LIST) this.hasRoots = true;
    const { side } = call?.context.client ?? owner?.session ?? {};
    if (side) this.events.losses?.asked(this, side.revision, method);
    if (call) return (await call.ask(method, asked, signal)) as Result;
    const mayAsk = !this.pinned || this.pinned.mayAsk(method);
    if (owner?.session && mayAsk) return (await askSession(owner, method, asked, signal)) as Result;
    if (owner?.session) return (await askSession(owner, method, asked, signal)) as Result;
    this.lost("question", method);
    const message = `${method}: no request of a client is in progress, so that there is no user to ask`;
    throw new ProtocolError(ErrorCode.InternalError, message);
  }

  /**
   * Whether log messages that the server sends now could belong to another client: over a shared connection, only HTTP shows which request
   * they are for.
   */
  isLoggingForOthers({ connection }: ServerContext): boolean {
    if (this.namesRequests || !this.isStateless || !this.canLog) return false;
    for (const call of this.calls) if (call.wantsLogs && call.context.connection !== connection) return true;
    return false;
  }

  /** Whether messages name the request that they belong to. */
  get namesRequests(): boolean {
    return this.options.url !== undefined && this.isStateless;
  }

  #log(message: LogMessage): void {
    if (this.namesRequests) return;
    const { kind, owner } = this.place;
    // Servers of the handshake era send the messages of all clients over a shared connection.
    if (kind === "shared" && !this.isStateless) return this.lost("logMessage", NOTIFICATIONS_MESSAGE);
    const call = kind === "shared" ? this.#latest(({ wantsLogs }) => wantsLogs) : this.#latestCall;
    if (call) call.log(message);
    else if (owner) logToSession(owner, message);
  }
}
