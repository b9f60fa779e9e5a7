import { NOTIFICATIONS_CANCELLED } from "@mcpwright/protocol/names";
import type { ForwardedCall, SharedServer } from "../http-server/server-backplane.js";
import { toError } from "../jsonrpc/error-conversion.js";
import { ErrorCode, ProtocolError } from "../jsonrpc/errors.js";
import type { JSONRPCErrorObject, JSONRPCMessage, Params } from "../jsonrpc/message-types.js";
import { withJsonText } from "../jsonrpc/serialize.js";
import { markHandled } from "../timing/mark-handled.js";
import { unref } from "../timing/timer-delay.js";
import type { Principal } from "../transport/principal.js";
import type { Transport } from "../transport/transport.js";
import type { InboxMessage, NodeInbox } from "./node-inbox.js";
import type { NodeMessage } from "./node-log.js";

/** How often a node says that it still handles a call. */
const aliveMs = 5_000;
/** After so many milliseconds without a message, the other node is dead. */
const silenceMs = 15_000;

/** A call that another node handles for this one. */
interface Waiting {
  readonly call: ForwardedCall;
  readonly settle: { resolve(result: object): void; reject(error: unknown): void };
  timer: ReturnType<typeof setTimeout>;
}

/** Passes calls on to the nodes where their handlers wait, and handles those of other nodes. */
export class ForwardedCalls {
  readonly #waiting = new Map<string, Waiting>();
  /** The calls of other nodes, by id. */
  readonly #handled = new Map<string, HandledCall>();

  constructor(
    readonly inbox: NodeInbox,
    readonly server: SharedServer,
  ) {
    inbox.on("call", (message) => this.#handle(String(message["id"]), message));
    inbox.on("call-cancelled", ({ id }) => this.#handled.get(String(id))?.cancel());
    for (const type of ["call-alive", "call-notification", "call-response"])
      inbox.on(type, (message) => this.#continue(String(message["id"]), message));
  }

  async forward(node: string, call: ForwardedCall, state: object): Promise<object> {
    const id = crypto.randomUUID();
    const { method, params, principal, signal } = call;
    signal.throwIfAborted();
    const cancel = (): void => {
      this.#settle(id)?.settle.reject(signal.reason);
      this.#send(node, { type: "call-cancelled", id });
    };
    // It may be settled before the message is sent.
    const outcome = markHandled(
      new Promise<object>((resolve, reject) => {
        this.#waiting.set(id, { call, settle: { resolve, reject }, timer: this.#silenceTimer(id) });
      }),
    );
    signal.addEventListener("abort", cancel, { once: true });
    try {
      await this.inbox.send(node, { type: "call", id, from: this.inbox.node, method, params, principal, state });
      return await outcome;
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#settle(id);
    }
  }

  end(): void {
    for (const id of [...this.#waiting.keys()])
      this.#settle(id)?.settle.reject(new ProtocolError(ErrorCode.InternalError, "The server is shutting down"));
    for (const call of this.#handled.values()) call.end();
    this.#handled.clear();
  }

  /** Takes a message about a call that another node handles. */
  #continue(id: string, { type, method, params, result, error }: NodeMessage): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    waiting.timer = this.#silenceTimer(id);
    const { requestId, connection } = waiting.call;
    if (type === "call-notification")
      return connection.notifyInBackground(String(method), params as Params | undefined, requestId);
    if (type !== "call-response") return;
    const { settle } = this.#settle(id) ?? waiting;
    if (error === undefined) return settle.resolve(withJsonText(result as object));
    const { code, message, data } = error as JSONRPCErrorObject;
    settle.reject(new ProtocolError(code, message, data));
  }

  /** Handles a call of another node as if its client had sent it to this one. */
  #handle(id: string, { from, method, params, principal, state }: NodeMessage): void {
    const send = (message: InboxMessage): void => this.#send(String(from), { ...message, id });
    const call = new HandledCall(send, () => this.#handled.delete(id));
    this.#handled.set(id, call);
    try {
      this.server.accept(call);
      const request = {
        jsonrpc: "2.0",
        id: 1,
        method: String(method),
        ...(params !== undefined && { params }),
      } as const;
      call.onmessage?.(request, {
        principal: principal as Principal | undefined,
        openedState: state,
      });
    } catch (error) {
      call.end();
      this.server.onerror(error);
    }
  }

  /** Removes a call that is over. */
  #settle(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    return waiting;
  }

  #silenceTimer(id: string): ReturnType<typeof setTimeout> {
    const error = new ProtocolError(ErrorCode.InternalError, "The process that runs the call no longer responds");
    return unref(setTimeout(() => this.#settle(id)?.settle.reject(error), silenceMs));
  }

  #send(node: string, message: InboxMessage): void {
    this.inbox.send(node, message).catch((error: unknown) => this.server.onerror(toError(error)));
  }
}

/** A call of another node: a transport that delivers one request, and passes on what the server sends. */
class HandledCall implements Transport {
  // Handlers that wait for input outlive the connection.
  readonly isStateless = true;
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  readonly #timer: ReturnType<typeof setInterval>;
  #isOver = false;

  /** @param onEnd called when the call is over */
  constructor(
    readonly pass: (message: InboxMessage) => void,
    readonly onEnd: () => void,
  ) {
    this.#timer = unref(setInterval(() => pass({ type: "call-alive" }), aliveMs));
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (Array.isArray(message) || this.#isOver) return;
    const one = message as JSONRPCMessage;
    if ("method" in one) return this.pass({ type: "call-notification", method: one.method, params: one.params });
    this.pass({ type: "call-response", ...("error" in one ? { error: one.error } : { result: one.result }) });
    this.end();
  }

  /** The client has left. */
  cancel(): void {
    this.onmessage?.({ jsonrpc: "2.0", method: NOTIFICATIONS_CANCELLED, params: { requestId: 1 } }, {});
    this.end();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.onEnd();
    this.onclose?.();
  }

  close(): Promise<void> {
    this.end();
    return Promise.resolve();
  }
}
