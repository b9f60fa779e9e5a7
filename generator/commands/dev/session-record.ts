import {
  INITIALIZE,
  LOGGING_SET_LEVEL,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_INITIALIZED,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
  SERVER_DISCOVER,
  SUBSCRIPTIONS_LISTEN,
} from "@mcpwright/protocol/names";
import {
  isRawNotification,
  isRawRequest,
  type JsonObject,
  objectAt,
  type RawNotification,
  type RawRequest,
} from "./json-messages.js";
import { capabilitiesOf } from "./list-changes.js";

/** A subscription stream of the stateless era that the host keeps open. */
export interface OpenStream {
  readonly request: RawRequest;
  /** What the host was granted; undefined before the acknowledgement. */
  filter: JsonObject | undefined;
  /** Whether the server has acknowledged the stream in the current process; if not, its acknowledgement is still to come. */
  isAcknowledged: boolean;
}

/** What a host has set up in a session, as far as a new server process must know it. It is learned from the messages that pass. */
export class SessionRecord {
  /** The host's `initialize`, after the server has accepted it; undefined for stateless hosts. */
  initialize: RawRequest | undefined;
  /** The revision that was agreed on. */
  protocolVersion: unknown;
  /** The host's `notifications/initialized`. */
  initialized: RawNotification | undefined;
  /** The last `logging/setLevel` that the server has accepted. */
  level: RawRequest | undefined;
  /** The last `server/discover` that the server has answered. */
  discover: RawRequest | undefined;
  /** The capabilities that the host knows; undefined before it has asked for them. */
  known: JsonObject | undefined;
  /** The capabilities of the current process, after a restart. */
  current: JsonObject | undefined;
  /** The accepted `resources/subscribe` requests by URI. */
  readonly resources = new Map<string, RawRequest>();
  /** The streams by the id of their request. */
  readonly streams = new Map<string | number, OpenStream>();

  /** Learns from a message of the host. */
  onSent(message: unknown): void {
    if (isRawRequest(message)) {
      if (message.method === SUBSCRIPTIONS_LISTEN)
        this.streams.set(message.id, { request: message, filter: undefined, isAcknowledged: false });
    } else if (isRawNotification(message)) {
      if (message.method === NOTIFICATIONS_INITIALIZED) this.initialized = message;
      else if (message.method === NOTIFICATIONS_CANCELLED)
        this.streams.delete(objectAt(message, "params")["requestId"] as string);
    }
  }

  /** Learns from the result of a request of the host. */
  onResult(request: RawRequest, result: JsonObject): void {
    const { method } = request;
    const { uri } = objectAt(request, "params");
    if (method === INITIALIZE) {
      this.initialize = request;
      this.protocolVersion = result["protocolVersion"];
      this.known = capabilitiesOf(result);
    } else if (method === SERVER_DISCOVER) {
      this.discover = request;
      this.known = capabilitiesOf(result);
    } else if (method === LOGGING_SET_LEVEL) this.level = request;
    else if (method === RESOURCES_SUBSCRIBE && typeof uri === "string") this.resources.set(uri, request);
    else if (method === RESOURCES_UNSUBSCRIBE && typeof uri === "string") this.resources.delete(uri);
  }
}
