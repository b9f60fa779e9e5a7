import { RESOURCES_SUBSCRIBE } from "@mcpwright/protocol/names";
import { coversUri } from "../connection/change.js";
import { hasCapability } from "../connection/capability.js";
import type { ServerConnection, ServerContext } from "../server/contracts.js";
import { principalKey } from "../http-server/principal-key.js";
import type { Principal } from "../transport/principal.js";
import { toClientError } from "./forward/client-error.js";
import { LogInRequiredError } from "./log-in/log-in-required.js";
import type { Place } from "./upstream/place.js";
import type { Upstream } from "./upstream/upstream.js";
import type { UpstreamConnection } from "./upstream/upstream-connection.js";

/**
 * Subscribes to a resource on behalf of a client.
 * @returns whether the server notifies of its changes
 * @throws ProtocolError the error of the server, or one that says why there is none
 */
export async function subscribeTo(
  upstream: Upstream,
  context: ServerContext,
  uri: string,
  clientUri: string,
): Promise<boolean> {
  try {
    return await subscribe(upstream, context, uri, clientUri);
  } catch (error) {
    if (upstream.logIn?.isMissing(error)) throw new LogInRequiredError(upstream.name);
    throw toClientError(error, upstream.name, clientUri);
  }
}

async function subscribe(upstream: Upstream, context: ServerContext, uri: string, clientUri: string): Promise<boolean> {
  const connection = await upstream.connect(context, false);
  // Until the answer, the server of the gateway does not know that the client wants it.
  dropAnswered(connection);
  connection.asking.add({ uri: clientUri, context });
  if (!hasCapability(connection.client.getServerCapabilities(), "server.resources.subscribe")) {
    connection.lost("subscription", RESOURCES_SUBSCRIBE);
    return false;
  }
  return connection.subscribe(uri, clientUri);
}

/** Ends the subscriptions of a connection that no client wants any more. */
export function endUnwanted(connection: UpstreamConnection, clients: Iterable<ServerConnection>): void {
  const { owner } = connection.place;
  dropAnswered(connection);
  const asked = new Set([...connection.asking].map(({ uri }) => uri));
  for (const [uri, clientUri] of connection.subscribed) {
    if (asked.has(clientUri) || isWantedBy(owner ? [owner] : clients, clientUri)) continue;
    connection.unsubscribe(uri).catch((error: unknown) => connection.client.options.onerror?.(error as Error));
  }
}

function dropAnswered({ asking }: UpstreamConnection): void {
  for (const one of asking) if (one.context.done) asking.delete(one);
}

/** The clients that use a connection: all, unless it belongs to a session or to a user. */
export function clientsOf(
  { owner, user }: Pick<Place, "owner" | "user">,
  clients: Iterable<ServerConnection>,
): Iterable<ServerConnection> {
  if (owner) return [owner];
  return user === undefined ? clients : [...clients].filter((client) => userOf(client) === user);
}

/** The transports for sessions have an owner, those for single requests a principal. */
function userOf({ transport }: ServerConnection): string | undefined {
  const { owner, principal } = transport as { readonly owner?: string; readonly principal?: Principal };
  return owner ?? principalKey(principal);
}

/** Whether one of the clients is subscribed to a resource. */
export function isWantedBy(clients: Iterable<ServerConnection>, uri: string): boolean {
  for (const client of clients) {
    const { session } = client;
    if (!client.isOpen) continue;
    if (session && coversUri(session.subscriptions, uri)) return true;
    if (client.subscriptionCount === 0) continue;
    for (const stream of client.subscriptionStreams) if (stream.includes({ kind: "resources", uri })) return true;
  }
  return false;
}
