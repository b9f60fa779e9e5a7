import type { Era } from "../../client/connect-options.js";
import type { ServerConnection, ServerContext } from "../../server/contracts.js";
import { wantsLogs } from "../forward/log-wishes.js";
import type { Isolation } from "../gateway-options.js";
import { noCapabilities, type PassedCapabilities, passedCapabilities } from "./passed-capabilities.js";

/** Which connection to a server a request uses. */
export interface Place {
  /**
   * `shared`: one for all requests with the same capabilities. `session`: that of the client's session. `lent`: one that no other request
   * uses at the same time.
   */
  readonly kind: "shared" | "session" | "lent";
  readonly capabilities: PassedCapabilities;
  /** The client's connection, of a `session`. */
  readonly owner: ServerConnection | undefined;
  /** The user whose requests use it, of a server at which each user logs in. */
  readonly user?: string | undefined;
}

/** Identifies the connections that can stand in for each other. */
export function placeKey({ capabilities: { key }, user }: Place): string {
  return user === undefined ? key : `${key} ${user}`;
}

const sharedPlaces = new Map<PassedCapabilities, Place>();

/**
 * Decides which connection a request uses.
 *
 * Servers of the stateless era keep nothing of a client, and ask in the result of a request, so that requests share a connection. A server
 * of the handshake era sends its questions beside the requests, without naming one. So it may only ask over a connection that belongs to
 * one client: that of the session, or one that is lent to a single request of a client without a session.
 * @param era that of the server
 * @param isCall whether the server may ask during this request, or send log messages that belong to it
 * @param extensions the ids of the extensions that pass through, if clients declare them
 * @param user whose requests alone use the connection, of a server at which each user logs in
 */
export function placeOf(
  context: ServerContext,
  era: Era | undefined,
  isolation: Isolation,
  isCall: boolean,
  extensions: readonly string[] = [],
  user?: string,
): Place {
  const { client, connection, session, http } = context;
  if (isolation === "shared" && era !== "stateless") return sharedPlace(noCapabilities, user);
  const capabilities = passedCapabilities(client.capabilities, extensions);
  if (isolation === "session" || era !== "stateless") {
    // A connection that is not HTTP has one client, also without a session.
    if (session || !http) return { kind: "session", capabilities, owner: connection, user };
    if (era === "stateless") return sharedPlace(capabilities, user);
    // What a server lists can depend on the capabilities.
    if (!isCall) return sharedPlace(capabilities, user);
    if (capabilities === noCapabilities && !wantsLogs(context)) return sharedPlace(noCapabilities, user);
    return { kind: "lent", capabilities, owner: undefined, user };
  }
  return sharedPlace(capabilities, user);
}

/** The place of a connection to a server of the stateless era. */
export function sharedPlace(capabilities: PassedCapabilities, user?: string): Place {
  if (user !== undefined) return { kind: "shared", capabilities, owner: undefined, user };
  let place = sharedPlaces.get(capabilities);
  if (!place) {
    place = { kind: "shared", capabilities, owner: undefined };
    sharedPlaces.set(capabilities, place);
  }
  return place;
}
