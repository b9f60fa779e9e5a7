import {
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_MESSAGE,
  NOTIFICATIONS_PROGRESS,
  NOTIFICATIONS_RESOURCES_UPDATED,
  NOTIFICATIONS_TOOLS_LIST_CHANGED,
} from "@mcpwright/protocol/names";
import type { ChangeKind } from "../cluster.js";
import type { Call, StepKind } from "./call.js";
import type { SimulatedClient } from "./client.js";
import type { Message } from "./messages.js";
import type { Session } from "./session.js";

/** What a stream of a session carries. */
export interface Carried {
  /** The calls whose messages belong on it. */
  readonly calls: readonly Call[];
  /** Whether the messages that belong to no request belong on it. */
  readonly isOfSession: boolean;
}

/** Compares a message of a session with what its client expects on a stream. */
export function receiveForSession(
  client: SimulatedClient,
  session: Session,
  message: Message,
  { calls, isOfSession }: Carried,
): void {
  const { method, params = {} } = message;
  const violate = (text: string): void =>
    client.simulation.violate(`${client.name} gets ${text}: ${JSON.stringify(message)}`);
  if (method === undefined) {
    const call = session.calls.get(message.id as number);
    if (!call) return violate("the response to another request");
    if (!calls.includes(call)) return violate("a response on another stream than that of its request");
    return call.onResponse(message);
  }
  const receiveStep = (token: unknown, kind: StepKind, step: unknown): void => {
    const call = calls.find((one) => one.token === token);
    if (call) call.onStep(kind, step);
    else violate(`${kind} of another call`);
  };
  if (method === NOTIFICATIONS_MESSAGE) {
    const { token, step } = params["data"] as { readonly token: string; readonly step: number };
    if (params["logger"] !== "announce") return receiveStep(token, params["level"] as StepKind, step);
    if (!isOfSession) return violate("an announcement on the stream of a request");
    return session.onAnnouncement(token, step);
  }
  if (method === NOTIFICATIONS_PROGRESS) return receiveStep(params["progressToken"], "progress", params["progress"]);
  // The server cancels questions that it no longer needs answers to.
  if (method === NOTIFICATIONS_CANCELLED) return;
  if (!isOfSession) return violate("a change on the stream of a request");
  if (method === NOTIFICATIONS_RESOURCES_UPDATED) return session.changes.onChange(params["uri"] as ChangeKind);
  if (method === NOTIFICATIONS_TOOLS_LIST_CHANGED) return session.changes.onChange("tools");
  violate("an unknown message");
}
