import { NOTIFICATIONS_CANCELLED, NOTIFICATIONS_INITIALIZED, PING, TOOLS_CALL } from "@mcpwright/protocol/names";
import type { SimulatedClient } from "./client.js";
import { jsonHeaders, type Message, notification, request } from "./messages.js";

/** Refusals that reveal nothing: the session does not exist, or the node does not serve at the moment. */
const refusals = [403, 404, 503];

/** A client uses the session of another principal, which must look as if it did not exist. */
export function intrude(client: SimulatedClient, victim: SimulatedClient): void {
  const { address, principal } = victim;
  if (!address || principal.subject === client.principal.subject) return;
  const { simulation, cluster, name } = client;
  const { url, headers, requestIds } = address;
  const { random } = simulation;
  const method = url === undefined ? random.pick(["POST", "POST", "GET", "DELETE"] as const) : "POST";
  const message = random.pick<() => Message>([
    () => request(0, PING),
    () => request(0, TOOLS_CALL, { name: "store", arguments: { token: client.newToken() } }),
    () => notification(NOTIFICATIONS_INITIALIZED),
    () => notification(NOTIFICATIONS_CANCELLED, { requestId: requestIds.at(-1) ?? 0 }),
  ])();
  const violate = (what: string): void =>
    simulation.violate(`${name} gets ${what} with ${method} in the session of ${victim.name}`);
  const exchange = client.exchange(
    cluster.pick(),
    {
      method,
      ...(url !== undefined && { url }),
      headers: { ...jsonHeaders, ...headers },
      ...(method === "POST" && { body: JSON.stringify(message) }),
    },
    {
      onHead: (status) => {
        if (!refusals.includes(status)) violate(`status ${status}`);
      },
      onText: (text) => {
        if (text.includes(`"${victim.name}.`)) violate(`data (${text})`);
      },
      onEnd: () => undefined,
      onLost: () => undefined,
    },
  );
  // A stream would stay open.
  client.later(20_000, () => exchange.leave());
}
