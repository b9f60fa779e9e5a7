import type { MessagePassed, RelayEvent } from "../../../../../generator/commands/dev/relay-events.js";

type WithoutTime<Event> = Event extends RelayEvent ? Omit<Event, "at"> : never;

/** An event of a relay. */
export function relayEvent(event: WithoutTime<RelayEvent>): RelayEvent {
  return { at: 0, ...event };
}

/** A message that passes the relay. @param direction `>` to the server, `<` to the host */
export function passed(
  direction: ">" | "<",
  message: unknown,
  others: Partial<Pick<MessagePassed, "connection" | "origin" | "isHidden" | "durationMs">> = {},
): MessagePassed {
  return {
    kind: "message",
    at: 0,
    connection: "1",
    direction: direction === ">" ? "to-server" : "to-host",
    origin: direction === ">" ? "host" : "server",
    message,
    ...others,
  };
}
