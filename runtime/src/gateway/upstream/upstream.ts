import type { Implementation } from "../../authoring.js";
import type { Era } from "../../client/connect-options.js";
import type { Change } from "../../connection/change.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import { SdkError } from "../../jsonrpc/errors.js";
import type { ServerConnection, ServerContext } from "../../server/contracts.js";
import { markHandled } from "../../timing/mark-handled.js";
import { unref } from "../../timing/timer-delay.js";
import { type GatewayExtension, isDeclared } from "../extensions/gateway-extension.js";
import { wantsLogs } from "../forward/log-wishes.js";
import type { GatewayServer } from "../gateway-options.js";
import type { AttachedLogIn } from "../log-in/server-log-in.js";
import type { UpstreamLimits } from "../limits/upstream-limits.js";
import type { GatewayPinning, PinnedConnection } from "../pinning/gateway-pinning.js";
import type { GatewayReview } from "../review/gateway-review.js";
import type { LossRecorder } from "../losses/loss-recorder.js";
import { BackOff } from "./back-off.js";
import { ConnectionPool } from "./connection-pool.js";
import { openTransport } from "./open-transport.js";
import { type Place, placeOf, sharedPlace } from "./place.js";
import { unlessCancelled } from "./unless-cancelled.js";
import { type ConnectionEvents, UpstreamConnection } from "./upstream-connection.js";
import type { BegunCall, UpstreamHost, UpstreamState } from "./upstream-host.js";

/** A server behind a gateway: opens connections when clients need them, and closes those that are idle. */
export class Upstream implements ConnectionEvents {
  readonly info: Implementation;
  readonly extensions: readonly GatewayExtension[];
  readonly pinning: GatewayPinning | undefined;
  readonly review: GatewayReview | undefined;
  readonly limits: UpstreamLimits | undefined;
  readonly losses: LossRecorder | undefined;
  /** Of a server at which each user logs in. */
  readonly logIn: AttachedLogIn | undefined;
  /** The ids of those that clients declare. */
  readonly #declared: readonly string[];
  readonly #pool = new ConnectionPool();
  readonly #backOff = new BackOff();
  #era: Era | undefined;
  /** The first connection, from which the era is known that decides about all others. */
  #first: Promise<unknown> | undefined;
  #error: Error | undefined;
  #lastError: UpstreamState["lastError"];
  /** Counts requests, and those that failed. */
  calls = 0;
  failedCalls = 0;
  #opening = 0;
  #isClosed = false;
  #idleTimer: ReturnType<typeof setInterval> | undefined;

  constructor(
    readonly name: string,
    readonly options: GatewayServer,
    readonly host: UpstreamHost,
  ) {
    this.info = host.info;
    this.extensions = host.extensions;
    this.pinning = host.pinning;
    this.review = host.review;
    this.limits = options.limits?.(name);
    this.losses = host.losses;
    this.logIn = options.logIn?.attachServer({
      name,
      url: new URL(String(options.url)),
      sealer: host.sealer,
      report: (error) => this.report(error),
      loggedIn: (user) => this.#loggedIn(user),
    });
    this.#declared = host.extensions.filter(isDeclared).map(({ client }) => client.id);
  }

  get state(): UpstreamState {
    const connections = this.#pool.size;
    const state = this.#opening > 0 ? "connecting" : connections > 0 ? "connected" : this.#error ? "failed" : "idle";
    return { state, connections, error: this.#error, lastError: this.#lastError };
  }

  get transport(): "url" | "memory" | "custom" {
    const { url, server } = this.options;
    return url !== undefined ? "url" : server ? "memory" : "custom";
  }

  /** The open connections. */
  get connections(): Iterable<UpstreamConnection> {
    return this.#pool.connections;
  }

  /** An open connection whose texts the client may see. */
  shownTo(context: Pick<ServerContext, "extra">): UpstreamConnection | undefined {
    const user = this.logIn?.userOf(context);
    return this.#pool.connections.find(({ place }) => place.user === user);
  }

  /** The connection that lists and reads of a client use, if it is open. */
  current(context: ServerContext): UpstreamConnection | undefined {
    const open = this.#pool.open(this.#place(context, false));
    return open?.pinned?.isCompared === false ? undefined : open;
  }

  /**
   * Returns the connection for a request of a client, and opens it if necessary. A lent one is for one request; `begin` gives it back.
   * @param isCall whether the server may ask for input during the request
   * @throws SdkError when the server cannot be reached; `NOT_CONNECTED` during the pause before the next attempt; `NOT_APPROVED` when the
   * pinning refuses it
   */
  async connect(context: ServerContext, isCall: boolean): Promise<UpstreamConnection> {
    return this.#compared(await this.#connect(context, isCall), context);
  }

  async #connect(context: ServerContext, isCall: boolean): Promise<UpstreamConnection> {
    for (;;) {
      if (this.#isClosed) throw new SdkError("NOT_CONNECTED", "the gateway no longer has this server");
      const place = this.#place(context, isCall);
      const open = this.#pool.take(place);
      if (open instanceof UpstreamConnection) return open;
      if (open) return unlessCancelled(context, open);
      if (!this.#first || this.#era) break;
      const first = this.#first.catch(() => undefined);
      await unlessCancelled(context, first);
    }
    const place = this.#place(context, isCall);
    if (this.#era) return this.#openFor(context, place);
    const opening = this.#pool.add(place, this.#open(place));
    const over = (): void => {
      this.#first = undefined;
    };
    this.#first = markHandled(opening.finally(over));
    return unlessCancelled(context, opening);
  }

  /**
   * Begins a request of a client, over the connection for it. `end` must be called with it.
   * @returns a promise unless that connection is open
   * @throws SdkError as `connect`
   */
  begin(context: ServerContext, isCall: boolean): BegunCall | Promise<BegunCall> {
    const place = this.#place(context, isCall);
    const open = this.#isClosed ? undefined : this.#pool.take(place);
    if (open instanceof UpstreamConnection) {
      const compared = this.#compared(open, context);
      if (!(compared instanceof Promise)) return this.#beginOver(open, context, isCall);
      return compared.then(() => this.#beginOver(open, context, isCall));
    }
    return this.connect(context, isCall).then((connection) => this.#beginOver(connection, context, isCall));
  }

  #beginOver(connection: UpstreamConnection, context: ServerContext, isCall: boolean): BegunCall | Promise<BegunCall> {
    if (!isCall || !wantsLogs(context) || !connection.isLoggingForOthers(context))
      return { connection, call: connection.begin(context, isCall) };
    return this.#lend(connection.place, context).then(async (lent) => ({
      connection: await this.#compared(lent, context),
      call: lent.begin(context, true),
    }));
  }

  /**
   * Compares what the server shows with what was approved, where it is pinned.
   * @returns a promise only if it must be compared
   */
  #compared(
    connection: UpstreamConnection,
    context: ServerContext | undefined,
  ): UpstreamConnection | Promise<UpstreamConnection> {
    const { pinned } = connection;
    return pinned?.isCompared === false ? this.#compare(connection, pinned, context) : connection;
  }

  async #compare(
    connection: UpstreamConnection,
    pinned: PinnedConnection,
    context: ServerContext | undefined,
  ): Promise<UpstreamConnection> {
    try {
      const comparing = pinned.compare(this.host.listMeta(context));
      await (context ? unlessCancelled(context, comparing) : comparing);
      return connection;
    } catch (error) {
      if (pinned.isRefused) this.#refuse(connection, toError(error));
      else if (connection.place.kind === "lent") this.#pool.giveBack(connection);
      throw error;
    }
  }

  /** Requests that the server is working on may finish. */
  #refuse(connection: UpstreamConnection, error: Error): void {
    this.#pool.withdraw(connection);
    if (this.#error !== error) {
      this.#fail(error);
      this.#backOff.failed();
      // Clients may still have the other lists of the server.
      for (const kind of ["tools", "prompts", "resources"] as const) this.host.changed(connection, { kind });
    }
    if (connection.calls.size === 0) void this.#close(connection);
  }

  end({ connection, call }: BegunCall): void {
    connection.end(call);
    if (connection.pinned?.isRefused && connection.calls.size === 0) return void this.#close(connection);
    if (connection.place.kind !== "lent") return;
    // The next request can be that of another client, whose roots are others.
    if (connection.hasRoots) void this.#close(connection);
    else this.#pool.giveBack(connection);
  }

  /** A connection that no other request uses at the same time. */
  #lend({ capabilities, user }: Place, context: ServerContext): Promise<UpstreamConnection> {
    const place: Place = { kind: "lent", capabilities, owner: undefined, user };
    const free = this.#pool.take(place);
    return free ? Promise.resolve(free) : this.#openFor(context, place);
  }

  /** Opens a connection for a request. It is kept for the next one if the request is cancelled in the meantime. */
  #openFor(context: ServerContext, place: Place): Promise<UpstreamConnection> {
    const opening = this.#pool.add(place, this.#open(place));
    const wanted = unlessCancelled(context, opening);
    if (place.kind === "lent")
      void markHandled(wanted, () => void markHandled(opening.then((connection) => this.#pool.giveBack(connection))));
    return wanted;
  }

  /** Ends the pause before the next attempt to open a connection. */
  tryAgain(): void {
    this.#backOff.reset();
  }

  /** Closes the connections of a client that has gone. */
  clientGone(owner: ServerConnection): void {
    for (const connection of this.#pool.ofOwner(owner)) void this.#close(connection);
  }

  /** Closes the connections that no request uses. They are opened again when they are needed. */
  closeUnused(): void {
    for (const connection of this.#pool.connections) if (connection.calls.size === 0) void this.#close(connection);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.logIn?.detach();
    clearInterval(this.#idleTimer);
    await Promise.all([...this.#pool.connections].map((connection) => this.#close(connection)));
  }

  /** Closes the connections when their requests are over, or after `graceMs`. New requests are refused. */
  async retire(graceMs: number): Promise<void> {
    this.#isClosed = true;
    const until = performance.now() + graceMs;
    const isBusy = (): boolean => this.#pool.connections.some(({ calls }) => calls.size > 0);
    while (isBusy() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    await this.close();
  }

  report(error: Error): void {
    this.host.report(withServerName(error, this.name));
  }

  clientUri(uri: string, context: ServerContext | undefined): string {
    return this.host.clientUri(this.name, uri, context);
  }

  changed(connection: UpstreamConnection, change: Change): void {
    this.host.changed(connection, change);
  }

  ended(connection: UpstreamConnection, error: Error | undefined): void {
    // Those that the gateway closes are removed before.
    if (!this.#pool.remove(connection)) return;
    const failure = error ?? new SdkError("CONNECTION_CLOSED", "the server has ended the connection");
    if (!this.logIn?.isOfUser(failure)) {
      this.#fail(failure);
      this.#backOff.ended(connection.openedAt);
      this.report(failure);
    }
    // Clients may still have the lists of the connection that was lost.
    for (const kind of ["tools", "prompts", "resources"] as const) this.host.changed(connection, { kind });
    if (connection.subscribed.size > 0) void this.#restore(connection);
  }

  /** Subscribes again over the next connection, because clients count on notifications. */
  async #restore({ place, subscribed }: UpstreamConnection): Promise<void> {
    for (;;) {
      await new Promise((resolve) => {
        unref(setTimeout(resolve, this.#backOff.waitMs + 1));
      });
      const isWanted = [...subscribed.values()].some((uri) => this.host.isWanted(place, uri));
      if (this.#isClosed || !isWanted) return;
      try {
        const taken = await (this.#pool.take(place) ?? this.#pool.add(place, this.#open(place)));
        const connection = await this.#compared(taken, undefined);
        for (const [uri, clientUri] of subscribed)
          if (await connection.subscribe(uri, clientUri))
            this.host.changed(connection, { kind: "resources", uri: clientUri });
        return;
      } catch (error) {
        this.report(toError(error));
        // Without a pause of the back-off, the server refuses the subscription, or has as many connections as it may.
        if (this.#backOff.waitMs === 0) return;
      }
    }
  }

  #place(context: ServerContext, isCall: boolean): Place {
    const user = this.logIn?.userOf(context);
    return placeOf(context, this.#era, this.options.isolation ?? "auto", isCall, this.#declared, user);
  }

  async #open(place: Place): Promise<UpstreamConnection> {
    const { waitMs } = this.#backOff;
    if (waitMs > 0) {
      const why = this.#error ? `: ${this.#error.message}` : "";
      throw new SdkError("NOT_CONNECTED", `it failed, and is tried again in ${waitMs} ms${why}`);
    }
    const authProvider = this.logIn && (await this.logIn.providerFor(place.user));
    const { maxConnections = 100 } = this.options;
    if (this.#pool.size + this.#opening >= maxConnections)
      throw new SdkError(
        "LIMIT_EXCEEDED",
        `it has ${maxConnections} connections already; try again later, or set maxConnections of the server`,
      );
    const connection = new UpstreamConnection(this.name, place, this.options, this);
    this.#opening++;
    try {
      await connection.open(await openTransport(this.options, authProvider), this.#era);
    } catch (thrown) {
      const error = toError(thrown);
      // The others may reach the server.
      if (this.logIn?.isOfUser(error)) throw error;
      this.#fail(error);
      this.#backOff.failed();
      throw error;
    } finally {
      this.#opening--;
    }
    if (this.#isClosed) {
      await this.#close(connection);
      throw new SdkError("NOT_CONNECTED", "the gateway no longer has this server");
    }
    this.#error = undefined;
    this.#adopt(connection);
    // A client that left in the meantime cannot close it.
    if (place.owner?.isOpen === false) void this.#close(connection);
    return connection;
  }

  /** Takes over a connection that is open: from the first one, the era is known. */
  #adopt(connection: UpstreamConnection): void {
    const { place } = connection;
    const isFirst = this.#era === undefined;
    this.#era = connection.client.era;
    this.losses?.opened(connection);
    if (isFirst && this.#era === "stateless" && this.options.isolation !== "session")
      connection.place = sharedPlace(place.capabilities, place.user);
    if (connection.place !== place) this.#pool.move(connection, place);
    const { idleMs = 300_000 } = this.options;
    if (idleMs === Infinity || this.#idleTimer) return;
    this.#idleTimer = setInterval(() => this.#closeIdle(idleMs), Math.max(1_000, Math.min(idleMs / 2, 30_000)));
    unref(this.#idleTimer);
  }

  #closeIdle(idleMs: number): void {
    const since = performance.now() - idleMs;
    for (const connection of this.#pool.connections)
      // Clients can leave without ending their subscriptions.
      if (connection.subscribed.size > 0) this.host.endUnwanted(connection);
      else if (connection.calls.size === 0 && connection.usedAt < since) void this.#close(connection);
    if (this.#pool.size > 0) return;
    clearInterval(this.#idleTimer);
    this.#idleTimer = undefined;
  }

  /** The user may have another account now: no further request uses a connection of before. */
  #loggedIn(user: string): void {
    for (const connection of this.#pool.connections) {
      if (connection.place.user !== user) continue;
      this.#pool.withdraw(connection);
      if (connection.calls.size === 0) void this.#close(connection);
    }
    this.host.changedFor(user);
  }

  #fail(error: Error): void {
    this.#error = error;
    this.#lastError = { error, at: Date.now() };
  }

  #close(connection: UpstreamConnection): Promise<void> {
    this.#pool.remove(connection);
    return connection.close().catch((error: unknown) => this.report(toError(error)));
  }
}

function withServerName(error: Error, server: string): Error {
  if (!(error instanceof SdkError)) return error;
  return new SdkError(error.code, `server "${server}": ${error.message}`, error.data, { cause: error });
}
