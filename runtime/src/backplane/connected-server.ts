import type { Change } from "../connection/change.js";
import type { ForwardedCall, ServerNode, SharedServer } from "../http-server/server-backplane.js";
import type { SessionData } from "../http-server/session-data.js";
import type { Channels, LogStore, ValueStore } from "./backplane-store.js";
import { ForwardedCalls } from "./forwarded-calls.js";
import { NodeInbox } from "./node-inbox.js";
import { SharedSseStreams } from "./shared-sse-streams.js";
import { NodeLog, type NodeMessage } from "./node-log.js";
import { SharedSessionData } from "./session-data.js";

/**
 * Changes are kept so long for nodes whose connection to the backplane is interrupted. The first one after that time looks like a gap.
 */
const bounds = { ttlMs: 86_400_000, maxEntries: 10_000 };

/** A server that shares its changes, and the calls that wait, with the servers of its name at other nodes. */
export class ConnectedServer implements ServerNode {
  readonly id = crypto.randomUUID();
  readonly #changes: NodeLog;
  readonly #inbox: NodeInbox;
  readonly #calls: ForwardedCalls;
  readonly sseStreams: SharedSseStreams;

  constructor(
    readonly store: ValueStore & LogStore & Channels,
    readonly server: SharedServer,
  ) {
    this.#changes = new NodeLog(store, `changes:${server.name}`, bounds, {
      onMessage: (message) => {
        if (message["node"] !== this.id) server.deliver(toChange(message));
      },
      // Each list may have changed.
      onGap: () => {
        for (const kind of ["tools", "prompts", "resources"] as const) server.deliver({ kind });
      },
      onerror: server.onerror,
    });
    this.#inbox = new NodeInbox(store, this.id, server.onerror);
    this.#calls = new ForwardedCalls(this.#inbox, server);
    this.sseStreams = new SharedSseStreams(this.#inbox, server);
  }

  publish(change: Change): void {
    this.#changes.send({ ...change, node: this.id }).catch(this.server.onerror);
  }

  forward(node: string, call: ForwardedCall, state: object): Promise<object> {
    return this.#calls.forward(node, call, state);
  }

  sessionData(sessionId: string, ttlMs: number): SessionData {
    return new SharedSessionData(this.store, sessionId, ttlMs);
  }

  end(): void {
    this.#changes.end();
    this.#inbox.end();
    this.#calls.end();
    this.sseStreams.end();
  }
}

/** Nodes of another version may write other members. */
function toChange({ kind, uri }: NodeMessage): Change {
  return { kind: kind as Change["kind"], ...(typeof uri === "string" && { uri }) };
}
