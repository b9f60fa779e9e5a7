import {
  NOTIFICATIONS_PROMPTS_LIST_CHANGED,
  NOTIFICATIONS_RESOURCES_LIST_CHANGED,
  NOTIFICATIONS_RESOURCES_UPDATED,
  NOTIFICATIONS_TOOLS_LIST_CHANGED,
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCES_TEMPLATES_LIST,
  TOOLS_LIST,
} from "@mcpwright/protocol/names";
import type { SubscriptionFilter } from "../authoring.js";
import { hasCapability } from "../connection/capability.js";
import type { ListKind } from "../connection/change.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import { callHook } from "../connection/error-reporting.js";
import { SdkError } from "../jsonrpc/errors.js";
import { isSameOrBelow, normalUri } from "../rules/uris.js";
import type { ChangeWatcher } from "./change-watcher.js";
import type { ClientConnection } from "./client-connection.js";
import { HandshakeChangeWatcher } from "./handshake/change-watcher.js";
import type { ResponseCache } from "./response-cache.js";
import { StatelessChangeWatcher } from "./stateless/change-watcher.js";

/** Called when a list has changed, or may have changed. */
export type ChangeListener = () => void;

/** Called when the resource at `uri` has changed, or may have changed. */
export type ResourceUpdateListener = (uri: string) => void;

const noListener: ResourceUpdateListener = () => undefined;

const kinds = ["tools", "prompts", "resources"] as const satisfies readonly ListKind[];

/** The change listeners of a client, over all its connections. */
export class ChangeSubscriptions {
  readonly #listeners: Readonly<Record<ListKind, Set<ChangeListener>>> = {
    tools: new Set(),
    prompts: new Set(),
    resources: new Set(),
  };
  /** The methods whose cached results are out of date when a list changes. Extensions add theirs. */
  readonly outdated: Readonly<Record<ListKind, string[]>> = {
    tools: [TOOLS_LIST],
    prompts: [PROMPTS_LIST],
    resources: [RESOURCES_LIST, RESOURCES_TEMPLATES_LIST],
  };
  /** Handlers of change notifications, on streams and outside of them. */
  readonly handlers: MethodHandlers = {
    [NOTIFICATIONS_TOOLS_LIST_CHANGED]: () => this.#changed("tools"),
    [NOTIFICATIONS_PROMPTS_LIST_CHANGED]: () => this.#changed("prompts"),
    [NOTIFICATIONS_RESOURCES_LIST_CHANGED]: () => this.#changed("resources"),
    [NOTIFICATIONS_RESOURCES_UPDATED]: ({ uri }: { uri: string }) => this.#updated(uri),
  };
  readonly #updates = new Map<string, Set<ResourceUpdateListener>>();
  #watcher: ChangeWatcher | undefined;
  #updating: Promise<unknown> = Promise.resolve();
  #connection: ClientConnection | undefined;
  /** The lists that this connection's server does not grant, which have been reported. */
  readonly #refused = new Set<ListKind>();

  constructor(
    readonly cache: ResponseCache | undefined,
    readonly cacheKey: string,
    /** The option `onStreamEnd`. */
    readonly onStreamEnd?: (error: Error | undefined) => void,
  ) {}

  /** Watches the same changes over a new connection. Waits for the server only if there are listeners, not for the cache alone. */
  async attach(connection: ClientConnection): Promise<void> {
    this.#watcher?.close();
    this.#connection = connection;
    this.#refused.clear();
    const missed = (): void => this.onGap();
    this.#watcher =
      connection.side.profile.subscriptions === "listen"
        ? new StatelessChangeWatcher(
            connection,
            (event) => connection.runNotificationHandler(event),
            missed,
            (error) => this.#notifyListener(() => this.onStreamEnd?.(error)),
          )
        : new HandshakeChangeWatcher(connection, missed);
    if (this.#updates.size > 0 || kinds.some((kind) => this.#listeners[kind].size > 0)) await this.#updateWatcher();
    else this.#updateWatcherInBackground();
  }

  detach(): void {
    this.#watcher?.close();
    this.#watcher = this.#connection = undefined;
  }

  /** @returns a function that removes the listener */
  onChanged(kind: ListKind, listener: ChangeListener): () => void {
    this.#listeners[kind].add(listener);
    this.#updateWatcherInBackground();
    return () => {
      this.#listeners[kind].delete(listener);
      this.#updateWatcherInBackground();
    };
  }

  /** @returns whether the server grants the subscription */
  async subscribe(uri: string, listener: ResourceUpdateListener = noListener): Promise<boolean> {
    const listeners = this.#updates.get(uri);
    if (listeners) listeners.add(listener);
    else this.#updates.set(uri, new Set([listener]));
    try {
      const { resourceSubscriptions = [] } = (await this.#updateWatcher()) ?? {};
      return resourceSubscriptions.some((one) => normalUri(one) === normalUri(uri));
    } catch (error) {
      if (listeners) listeners.delete(listener);
      else {
        this.#updates.delete(uri);
        this.#updateWatcherInBackground();
      }
      throw error;
    }
  }

  /** @param listener the only listener to remove; undefined: all of them */
  async unsubscribe(uri: string, listener: ResourceUpdateListener | undefined): Promise<void> {
    const listeners = this.#updates.get(uri);
    if (listener) listeners?.delete(listener);
    if ((listener && listeners?.size !== 0) || !this.#updates.delete(uri)) return;
    await this.#updateWatcher();
  }

  #updateWatcherInBackground(): void {
    this.#updateWatcher()?.catch((error: unknown) => this.#connection?.report(error));
  }

  #updateWatcher(): Promise<SubscriptionFilter> | undefined {
    const watch = this.#watcher;
    if (!watch) return undefined;
    // Filters are set one after the other, so that the newest one holds in the end.
    const wanted = this.#updating.then(async () => {
      const filter = this.#filter();
      const granted = await watch.setFilter(filter);
      if (watch === this.#watcher) this.#reportRefused(filter, granted);
      return granted;
    });
    this.#updating = wanted.catch(() => undefined);
    return wanted;
  }

  /** Listeners of lists, unlike those of resources, do not learn from a promise that the server does not grant them. */
  #reportRefused(wanted: SubscriptionFilter, granted: SubscriptionFilter): void {
    for (const kind of kinds) {
      const member = `${kind}ListChanged` as const;
      if (!wanted[member] || granted[member] || this.#refused.has(kind)) continue;
      this.#refused.add(kind);
      const message = `the server does not notify this client of changes of the list of ${kind}`;
      this.#connection?.report(new SdkError("CAPABILITY_NOT_SUPPORTED", message));
    }
  }

  #filter(): SubscriptionFilter {
    const declared = this.#connection?.negotiated?.serverCapabilities;
    const filter: SubscriptionFilter = {};
    for (const kind of kinds) {
      const wanted = this.cache ?? this.#listeners[kind].size > 0;
      if (wanted && hasCapability(declared, `server.${kind}.listChanged`)) filter[`${kind}ListChanged`] = true;
    }
    if (this.#updates.size > 0) filter.resourceSubscriptions = [...this.#updates.keys()];
    return filter;
  }

  /** Changes may have been missed: treats everything as changed. */
  onGap(): void {
    for (const kind of kinds) this.#changed(kind);
    for (const uri of this.#updates.keys()) this.#updated(uri);
  }

  #changed(kind: ListKind): void {
    for (const method of this.outdated[kind]) this.cache?.invalidateMethod(this.cacheKey, method);
    for (const listener of this.#listeners[kind]) this.#notifyListener(listener);
  }

  #updated(uri: string): void {
    this.cache?.invalidateResource(this.cacheKey, uri);
    const changed = normalUri(uri);
    for (const [watched, listeners] of this.#updates)
      if (isSameOrBelow(changed, normalUri(watched)))
        for (const listener of listeners) this.#notifyListener(() => listener(uri));
  }

  #notifyListener(listener: () => void): void {
    callHook(listener, (error) => this.#connection?.reportUserError(error));
  }
}
