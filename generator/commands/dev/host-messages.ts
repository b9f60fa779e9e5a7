import { ErrorCode } from "@mcpwright/runtime/errors";
import {
  INITIALIZE,
  META_SUBSCRIPTION_ID,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED,
  SERVER_DISCOVER,
} from "@mcpwright/protocol/names";
import { isObject } from "../../shared/is-object.js";
import {
  isRawNotification,
  isRawRequest,
  isRawResponse,
  type JsonObject,
  messagesOf,
  objectAt,
  type RawNotification,
  type RawRequest,
  type RawResponse,
  withMessages,
} from "./json-messages.js";
import { claimListChanges, grantListChanges } from "./list-changes.js";
import { PendingRequests } from "./pending-requests.js";
import { errorText } from "./reopen-session.js";
import type { OpenStream, SessionRecord } from "./session-record.js";

export interface HostMessageHooks {
  readonly note: (text: string) => void;
  readonly sendToHost: (unit: unknown) => void;
}

export interface PassedUnit {
  /** What to pass on; undefined for nothing. The same value as before, unless something in it had to change. */
  readonly unit: unknown;
  /** For responses: when the first of their requests passed. */
  readonly at?: number | undefined;
  /** Whether the server has answered the handshake of the host. */
  readonly hasOpened?: boolean;
}

/**
 * Knows which requests of a connection are in flight, and changes the few messages that must not pass as they are: capabilities and streams of
 * which the relay notifies the host, and ids of requests of the server that an earlier process has used.
 */
export class HostMessages {
  /** The requests of the host, by their ids. */
  readonly toServer = new PendingRequests();
  /** The requests of the server, by their ids at the host. */
  readonly #toHost = new PendingRequests();
  /** The ids at the server of requests that have another id at the host. */
  readonly #serverIds = new Map<string | number, string | number>();
  /** Requests of ended processes that the host may still answer. */
  readonly #abandoned = new Set<string | number>();
  #count = 0;

  constructor(
    private readonly record: SessionRecord,
    private readonly hooks: HostMessageHooks,
  ) {}

  /** Removes the requests of an ended process. Returns the ids that the host must cancel. */
  abandon(): readonly (string | number)[] {
    const ids = this.#toHost.removeAll().map(({ request }) => request.id);
    for (const id of ids) this.#abandoned.add(id);
    this.#serverIds.clear();
    return ids;
  }

  fromHost(unit: unknown): PassedUnit {
    let at: number | undefined;
    return this.#mapped(
      unit,
      (message) => {
        if (!isRawResponse(message)) return message;
        if (this.#abandoned.delete(message.id)) return undefined;
        at = earliest(at, this.#toHost.remove(message.id)?.at);
        const id = this.#serverIds.get(message.id);
        this.#serverIds.delete(message.id);
        return id === undefined ? message : { ...message, id };
      },
      () => ({ at }),
    );
  }

  fromServer(unit: unknown): PassedUnit {
    let at: number | undefined;
    let hasOpened = false;
    return this.#mapped(
      unit,
      (message) => {
        if (isRawRequest(message)) return this.#request(message, unit);
        if (isRawNotification(message)) return this.#notification(message);
        if (!isRawResponse(message)) return message;
        const pending = this.toServer.remove(message.id);
        at = earliest(at, pending?.at);
        const stream = this.record.streams.get(message.id);
        if (stream) return this.#streamResponse(message, stream);
        if (!pending) return message;
        hasOpened ||= pending.request.method === INITIALIZE;
        return this.#response(message, pending.request);
      },
      () => ({ at, hasOpened }),
    );
  }

  #mapped(unit: unknown, map: (message: unknown) => unknown, facts: () => Omit<PassedUnit, "unit">): PassedUnit {
    const messages = messagesOf(unit);
    const passed = messages.map(map);
    const isSame = passed.every((one, at) => one === messages[at]);
    const kept = passed.filter((one) => one !== undefined);
    return { unit: isSame ? unit : withMessages(unit, kept), ...facts() };
  }

  #response(message: RawResponse, request: RawRequest): unknown {
    const { result } = message;
    if (!isObject(result)) return message;
    this.record.onResult(request, result);
    if (request.method !== INITIALIZE && request.method !== SERVER_DISCOVER) return message;
    return { ...message, result: claimListChanges(result) };
  }

  #request(message: RawRequest, unit: unknown): unknown {
    const isTaken = this.#abandoned.has(message.id) || this.#toHost.has(message.id);
    const id = isTaken ? `mcpwright-dev-${++this.#count}` : message.id;
    const passed = isTaken ? { ...message, id } : message;
    if (isTaken) this.#serverIds.set(id, message.id);
    this.#toHost.add(passed, performance.now(), unit);
    return passed;
  }

  #notification(message: RawNotification): unknown {
    const { method } = message;
    const params = objectAt(message, "params");
    if (method === NOTIFICATIONS_CANCELLED) {
      const { requestId } = params;
      const [id = requestId] = [...this.#serverIds].find(([, serverId]) => serverId === requestId) ?? [];
      this.#toHost.remove(id);
      return id === requestId ? message : { ...message, params: { ...params, requestId: id } };
    }
    if (method !== NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED) return message;
    const stream = this.record.streams.get(objectAt(params, "_meta")[META_SUBSCRIPTION_ID] as string);
    if (!stream) return message;
    const isRepeated = stream.filter !== undefined && !stream.isAcknowledged;
    stream.isAcknowledged = true;
    if (isRepeated) return undefined;
    stream.filter = this.#grant(stream, objectAt(params, "notifications"));
    return { ...message, params: { ...params, notifications: stream.filter } };
  }

  #streamResponse(message: RawResponse, stream: OpenStream): unknown {
    const { id } = message;
    if (!("error" in message)) {
      this.record.streams.delete(id);
      return message;
    }
    // The host still has the stream from before the restart, and gets the notifications of the relay.
    if (stream.filter) {
      this.hooks.note(`The server refused to open a subscription stream again: ${errorText(message)}`);
      return undefined;
    }
    const filter = this.#grant(stream, {});
    if (objectAt(message, "error")["code"] !== ErrorCode.MethodNotFound || Object.keys(filter).length === 0) {
      this.record.streams.delete(id);
      return message;
    }
    stream.filter = filter;
    const params = { notifications: filter, _meta: { [META_SUBSCRIPTION_ID]: id } };
    this.hooks.sendToHost({ jsonrpc: "2.0", method: NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED, params });
    return undefined;
  }

  #grant({ request }: OpenStream, granted: JsonObject): JsonObject {
    return grantListChanges(granted, objectAt(request, "params", "notifications"), this.record.known);
  }
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
