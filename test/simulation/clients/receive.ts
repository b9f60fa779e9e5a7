import {
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_MESSAGE,
  NOTIFICATIONS_PROGRESS,
  NOTIFICATIONS_RESOURCES_UPDATED,
  NOTIFICATIONS_TOOLS_LIST_CHANGED,
} from "@mcpwright/protocol/names";
import type { ChangeKind } from "../cluster.js";
import type { Call } from "./call.js";
import type { SimulatedClient } from "./client.js";
import type { Message } from "./messages.js";
import type { Session } from "./session.js";

/**
 * Compares a message of a session with what its client expects.
 * @param own the call on whose stream it arrived; undefined: the stream of messages that belong to no request
 */
export function receiveForSession(
  client: SimulatedClient,
  session: Session,
  message: Message,
  own: Call | undefined,
): void {
  const { method, params = {} } = message;
  const violate = (text: string): void =>
    client.simulation.violate(`${client.name} gets ${text}: ${JSON.stringify(message)}`);
  if (method === undefined) {
    const call = session.calls.get(message.id as number);
    if (!call) return violate("the response to another request");
    if (call !== own) return violate("a response on another stream than that of its request");
    return call.onResponse(message);
  }
  if (method === NOTIFICATIONS_MESSAGE) {
    const { token, step } = params["data"] as { readonly token: string; readonly step: number };
    if (params["logger"] === "announce") {
      if (own) return violate("an announcement on the stream of a request");
      return session.onAnnouncement(token, step);
    }
    return own?.token === token ? own.onStep("log", step) : violate("a log message of another call");
  }
  if (method === NOTIFICATIONS_PROGRESS) {
    const { progressToken, progress } = params;
    return own?.token === progressToken ? own?.onStep("progress", progress) : violate("progress of another call");
  }
  if (own && method !== NOTIFICATIONS_CANCELLED) return violate("a change on the stream of a request");
  if (method === NOTIFICATIONS_RESOURCES_UPDATED) return session.changes.onChange(params["uri"] as ChangeKind);
  if (method === NOTIFICATIONS_TOOLS_LIST_CHANGED) return session.changes.onChange("tools");
  // The server cancels questions that it no longer needs answers to.
  if (method !== NOTIFICATIONS_CANCELLED) violate("an unknown message");
}
