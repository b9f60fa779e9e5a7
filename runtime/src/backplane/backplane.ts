import type { ResumptionOptions } from "../http-server/resumption-options.js";
import type { ServerBackplane, ServerNode, SharedServer, StreamEvents } from "../http-server/server-backplane.js";
import type {
  AppendOptions,
  Channels,
  ChannelSubscriber,
  LogPage,
  LogStore,
  MaybePromise,
  ReadOptions,
  SetOptions,
  StoredValue,
  ValueStore,
} from "./backplane-store.js";
import { ConnectedServer } from "./connected-server.js";
import { LoggedStreams } from "./logged-streams.js";

/**
 * What the nodes of a server share: values with expiry, bounded logs, and messages between nodes. A node is a process that serves the
 * requests of any client. All nodes see the changes of all others, in the same order for each key and each log. Extend this class for
 * another kind of store.
 *
 * - **Values** are compared and set in one step. Of two changes from the same version, one is rejected.
 * - **Logs** only grow at their end. Each append also publishes the id of the entry on the channel with the name of the log, so that
 *   `followLog` can deliver each entry once and in order, also after an interruption.
 * - **Channels** deliver a message to every subscriber at the moment, in order, or not at all: messages that must not be lost belong
 *   into a log. Publishers receive their own messages if they subscribe.
 * - **Bounds.** Everything expires, measured by the clock of the backplane. Keys, logs and channels have separate names.
 *
 * The methods throw or reject with a `BackplaneError`. `backplaneBehaviours` of `@mcpwright/runtime/testing` checks an implementation.
 */
export abstract class Backplane implements ValueStore, LogStore, Channels, ServerBackplane {
  /** Milliseconds by which the clock of the backplane is ahead of that of this process. @internal */
  clockOffsetMs = 0;

  abstract get(key: string): MaybePromise<StoredValue | undefined>;
  abstract set(key: string, text: string, options: SetOptions): MaybePromise<string | undefined>;
  abstract extend(key: string, ttlMs: number): MaybePromise<boolean>;
  abstract delete(key: string, ifVersion?: string): MaybePromise<boolean>;

  abstract append(log: string, text: string, options: AppendOptions): MaybePromise<string>;
  abstract read(log: string, options: ReadOptions): MaybePromise<LogPage>;
  abstract drop(log: string): MaybePromise<boolean>;

  abstract publish(channel: string, text: string): MaybePromise<void>;
  abstract subscribe(channel: string, subscriber: ChannelSubscriber): MaybePromise<() => void>;

  /**
   * Remembers the ids of used DPoP proofs for all nodes, so that a proof is accepted once (RFC 9449, section 11.1).
   * @example
   * ```ts
   * const authorization = requireBearerAuth({ resource, verifier, dpop: { replayStore: backplane.replayStore } });
   * ```
   */
  get replayStore(): { add(id: string, expiresAt: number): Promise<boolean> } {
    return { add: (id, expiresAt) => this.useOnce(`dpop.${id}`, expiresAt - Date.now()) };
  }

  /** @internal */
  streamEvents(options: ResumptionOptions): StreamEvents {
    return new LoggedStreams(this, options);
  }

  /** @internal */
  connectServer(server: SharedServer): ServerNode {
    return new ConnectedServer(this, server);
  }

  /** @internal */
  async useOnce(id: string, ttlMs: number): Promise<boolean> {
    return (await this.set(`used:${id}`, "", { ttlMs, ifVersion: null })) !== undefined;
  }
}
