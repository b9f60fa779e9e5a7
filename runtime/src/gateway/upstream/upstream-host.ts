import type { ServerContext } from "../../server/contracts.js";
import type { ForwardedCall } from "../forward/forwarded-call.js";
import type { LogInTarget } from "../log-in/server-log-in.js";
import type { Place } from "./place.js";
import type { ConnectionEvents, UpstreamConnection } from "./upstream-connection.js";

/** What a server needs of the gateway. */
export interface UpstreamHost extends Pick<
  ConnectionEvents,
  "info" | "extensions" | "pinning" | "review" | "losses" | "report" | "changed"
> {
  /** The `_meta` of requests for lists. @param context of the request that needs them */
  listMeta(context: ServerContext | undefined): object;
  /** Seals what only this gateway may read again. */
  readonly sealer: LogInTarget["sealer"];
  /** The lists of a user have changed. */
  changedFor(user: string): void;
  /** Whether a client that uses a connection is subscribed to a resource. @param uri the one that clients have */
  isWanted(place: Place, uri: string): boolean;
  /** Ends the subscriptions of a connection that no client wants any more. */
  endUnwanted(connection: UpstreamConnection): void;
  /** The URI that the client of a request has for one of a server. */
  clientUri(server: string, uri: string, context: ServerContext | undefined): string;
}

/** A request that a server works on, and the connection that it uses. */
export interface BegunCall {
  readonly connection: UpstreamConnection;
  readonly call: ForwardedCall;
}

/** What a gateway knows about a server. */
export interface UpstreamState {
  /** `idle`: no connection is needed now. `failed`: the last attempt to open one failed; it is tried again when a client needs it. */
  readonly state: "idle" | "connecting" | "connected" | "failed";
  readonly connections: number;
  readonly error: Error | undefined;
  /** The last failure of a connection, also after a later success. `at`: when, in milliseconds since 1970. */
  readonly lastError: { readonly error: Error; readonly at: number } | undefined;
}
