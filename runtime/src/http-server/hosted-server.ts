import type { Side } from "@mcpwright/protocol/contract";
import type { Change } from "../connection/change.js";
import type { ConnectionOptions } from "../connection/connection-options.js";
import type { Logger } from "../connection/logger.js";
import type { Revisions } from "../connection/revisions.js";
import type { StateKey } from "../request-state/state-sealer.js";
import { assertMethods } from "../options/assert-methods.js";
import type { Transport } from "../transport/transport.js";
import type { HttpRequest } from "./host-adapter.js";
import type { ScopedFeatures } from "./scoped-features.js";
import type { ServerBackplane, ServerNode } from "./server-backplane.js";
import type { RecordedSession, SessionChange, SessionRecord } from "./session-record.js";

/** A server that can be served over HTTP: `Server` implements it. */
export interface HostedServer {
  /** @internal */
  readonly options: Pick<ConnectionOptions, "limits" | "onerror"> & {
    readonly stateKeys?: readonly StateKey[];
    readonly suspension?: { readonly max?: number } | false;
    readonly backplane?: ServerBackplane | undefined;
    readonly logger?: Logger | undefined;
  };
  /** @internal */
  readonly revisions: Revisions;
  /** Of which `scopes` are checked. @internal */
  readonly features?: ScopedFeatures;
  /** @internal */
  readonly connections: Iterable<HostedConnection>;
  /** The server as other nodes see it; undefined if there is no backplane. @internal */
  readonly node?: ServerNode | undefined;
  /** Called before a request that belongs to no known session is served. @param message the body of a POST @internal */
  prepare?(request: HttpRequest, message: unknown): Promise<void> | undefined;
  /** Immediately serves the client of a transport that needs no opening. @param request the one that opens the transport @internal */
  accept(transport: Transport, request?: HttpRequest): HostedConnection;
}

/** A handshake-era session of a connection. */
export interface HostedSession extends RecordedSession {
  /** Makes changes known to other nodes, if there are any. */
  sharing: { change(change: SessionChange): Promise<void> } | undefined;
  /** Takes over what another node has changed. */
  update(record: SessionRecord): void;
}

/** A connection of a hosted server. */
export interface HostedConnection {
  readonly transport: Transport;
  /** The handshake-era session, once a client has opened one. */
  readonly session: HostedSession | undefined;
  /** Serves a handshake-era client that opens no session: only its revision is known. */
  openAssumedSession(side: Side): void;
  /** Serves a client that has opened its session at another node. Returns whether the server supports its revision. */
  restoreSession(record: SessionRecord): boolean;
  /** Notifies the client of a change, if it wants to know about it. */
  notifyChanged(change: Change): void;
  close(): Promise<void>;
  shutdown(graceMs?: number): Promise<void>;
}

/** A server to serve over HTTP, an object with it such as an `McpServer`, or a function that returns one of them. */
export type HostedServerSource =
  HostedServer | { readonly server: HostedServer } | (() => HostedServer | { readonly server: HostedServer });

/** @throws SdkError `INVALID_CONFIGURATION` when it is something else */
export function toHostedServer(source: HostedServerSource): HostedServer {
  const served = typeof source === "function" ? source() : source;
  const { server = served } = Object(served) as { readonly server?: unknown };
  const remedy = "pass an McpServer, a Server, or a function that returns one (await promises first)";
  assertMethods(server, ["accept"], remedy);
  return server as HostedServer;
}
