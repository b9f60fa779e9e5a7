import type { RequestId } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_CANCELLED, PING } from "@mcpwright/protocol/names";
import { connectionClosedError, toError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, ProtocolError, RemoteError, SdkError } from "../../jsonrpc/errors.js";
import { envelopeProblem, isObject, isRequestId, ownMember } from "../../jsonrpc/guards.js";
import type { JSONRPCErrorObject, JSONRPCMessage } from "../../jsonrpc/message-types.js";
import { requestIds } from "../../jsonrpc/request-ids.js";
import { markHandled } from "../../timing/mark-handled.js";
import { timerDelay } from "../../timing/timer-delay.js";
import type { Transport } from "../../transport/transport.js";
import { type FrameMessages, withResultTag } from "./frame-messages.js";

/** Options of a request between an app and its host. */
export interface FrameRequestOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the response. Default: `60_000`. */
  readonly timeoutMs?: number | undefined;
}

/** Handles a request or notification. What it throws is the response of a request, if it is a `ProtocolError`. */
export type FrameHandler = (params: never, signal: AbortSignal) => unknown;

export interface FrameConnectionOptions {
  readonly messages: FrameMessages;
  readonly handlers: Readonly<Record<string, FrameHandler>>;
  readonly onerror?: ((error: Error) => void) | undefined;
  /** Called once when the connection has ended. */
  readonly onclose?: ((error?: Error) => void) | undefined;
  /** Requests of the peer that may run at a time; more are refused. */
  readonly maxConcurrentRequests?: number | undefined;
}

interface Waiting {
  readonly method: string;
  readonly settle: (outcome: unknown, error?: Error) => void;
}

/** One JSON-RPC connection between an app and its host. */
export class FrameConnection {
  readonly #transport: Transport;
  readonly #options: FrameConnectionOptions;
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #running = new Map<RequestId, AbortController>();
  #ids = 0;
  #isOpen = false;

  constructor(transport: Transport, options: FrameConnectionOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  /** @throws errors of the transport */
  async open(): Promise<void> {
    const transport = this.#transport;
    Object.assign(transport, { onmessage: this.#receive, onerror: this.#failed, onclose: this.#ended });
    this.#isOpen = true;
    await transport.start();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /**
   * Sends a request and waits for its result.
   * @throws RemoteError with which the peer responds; SdkError `NOT_CONNECTED`, `CONNECTION_CLOSED`, `REQUEST_TIMEOUT`, `INVALID_RESULT`;
   *   the reason of `signal`
   */
  request(method: string, params: object | undefined, options: FrameRequestOptions = {}): Promise<unknown> {
    const { signal, timeoutMs = 60_000 } = options;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = ++this.#ids;
      const settle: Waiting["settle"] = (outcome, error) => {
        if (!this.#waiting.delete(id)) return;
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
        if (error === undefined) resolve(outcome);
        else reject(error);
      };
      const giveUp = (error: Error): void => {
        settle(undefined, error);
        void this.notify(NOTIFICATIONS_CANCELLED, { requestId: id, reason: toError(error).message }).catch(
          this.#failed,
        );
      };
      const cancel = (): void => giveUp(signal?.reason as Error);
      this.#send({ jsonrpc: "2.0", id, method, params } as JSONRPCMessage);
      const late = (): void =>
        giveUp(new SdkError("REQUEST_TIMEOUT", `${method} got no response in ${timeoutMs} ms (option timeoutMs)`));
      const timer = setTimeout(late, timerDelay(timeoutMs));
      this.#waiting.set(id, { method, settle });
      signal?.addEventListener("abort", cancel);
    });
  }

  /** @throws SdkError `NOT_CONNECTED` */
  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async notify(method: string, params?: object): Promise<void> {
    this.#send({ jsonrpc: "2.0", method, params } as JSONRPCMessage);
  }

  #send(message: JSONRPCMessage): void {
    if (!this.#isOpen) throw new SdkError("NOT_CONNECTED", "the connection between app and host is not open");
    void markHandled(this.#transport.send(message), (error) => this.#failed(toError(error)));
  }

  readonly #receive = (message: unknown): void => {
    const problem = envelopeProblem(message);
    if (problem !== undefined || !isObject(message)) {
      this.#failed(new ProtocolError(ErrorCode.InvalidRequest, `Invalid Request: ${problem}`), message);
      return;
    }
    const { id, method, params } = message;
    if (typeof method !== "string") this.#settle(message);
    else if (isRequestId(id)) void this.#respond(id, method, params);
    else this.#notified(method, params);
  };

  #settle({ id, result, error }: Readonly<Record<string, unknown>>): void {
    // A response can arrive after this end has stopped to wait for it.
    const waiting = isRequestId(id) ? this.#waiting.get(id) : undefined;
    if (!waiting) return;
    const { method, settle } = waiting;
    if (isObject(error)) {
      const { code, message, data } = error;
      return settle(undefined, new RemoteError(Number(code), String(message), data));
    }
    const row = ownMember(this.#options.messages.results, method);
    const own = withResultTag(result);
    if (!row || row.result(own)) return settle(row ? own : result);
    const problem = `invalid result of ${method}: it does not match the schema`;
    settle(undefined, new SdkError("INVALID_RESULT", problem, { result }));
  }

  async #respond(id: RequestId, method: string, params: unknown): Promise<void> {
    const running = this.#running;
    const stop = new AbortController();
    const { maxConcurrentRequests: most = Infinity } = this.#options;
    let answer: object;
    try {
      if (running.size >= most)
        throw new ProtocolError(ErrorCode.TooManyRequests, `More than ${most} requests are running`);
      if (running.has(id)) throw new ProtocolError(ErrorCode.InvalidRequest, "A request with this id is running");
      running.set(id, stop);
      const handler = method === PING ? () => ({}) : ownMember(this.#options.handlers, method);
      if (!handler) throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`);
      if (!this.#fits(method, params)) throw new ProtocolError(ErrorCode.InvalidParams, `Invalid params of ${method}`);
      answer = { result: (await handler(params as never, stop.signal)) ?? {} };
    } catch (error) {
      answer = { error: this.#errorOf(error) };
    }
    if (running.get(id) === stop) running.delete(id);
    // A cancelled request gets no response.
    if (stop.signal.aborted) return;
    try {
      this.#send({ jsonrpc: "2.0", id, ...answer } as JSONRPCMessage);
    } catch (error) {
      this.#failed(toError(error));
      if (this.#isOpen) this.#send({ jsonrpc: "2.0", id, error: this.#errorOf(undefined) });
    }
  }

  #errorOf(error: unknown): JSONRPCErrorObject {
    // The error of another request is not that of this one.
    if (error instanceof ProtocolError && !(error instanceof RemoteError)) {
      const { code, message, data } = error;
      return { code, message, data };
    }
    if (error !== undefined) this.#failed(toError(error));
    return { code: ErrorCode.InternalError, message: "Internal error" };
  }

  #notified(method: string, params: unknown): void {
    if (method === NOTIFICATIONS_CANCELLED && isObject(params)) {
      const id = params["requestId"] as RequestId;
      this.#running.get(id)?.abort(new SdkError("REQUEST_CANCELLED", "the peer cancelled the request"));
      return;
    }
    const handler = ownMember(this.#options.handlers, method);
    // Notifications that are not known are ignored (JSON-RPC 2.0, section 4.1).
    if (!handler) return;
    if (!this.#fits(method, params)) {
      this.#failed(new SdkError("INVALID_MESSAGE", `the params of ${method} are invalid; it was ignored`));
      return;
    }
    const handled = new Promise((resolve) => resolve(handler(params as never, new AbortController().signal)));
    handled.catch((error: unknown) => this.#failed(toError(error)));
  }

  #fits(method: string, params: unknown): boolean {
    const row = ownMember(this.#options.messages.params, method);
    if (params === undefined && (row?.paramsOptional ?? true)) return true;
    return row?.params ? row.params(params) : isObject(params);
  }

  /** Reports an error. A `ProtocolError` of the transport is the response to the requests in the rejected message. */
  readonly #failed = (error: Error, received?: unknown): void => {
    if (error instanceof ProtocolError && this.#isOpen)
      for (const id of requestIds(received)) this.#send({ jsonrpc: "2.0", id, error: this.#errorOf(error) });
    this.#options.onerror?.(error);
  };

  readonly #ended = (cause?: Error): void => {
    this.#isOpen = false;
    const error = connectionClosedError(cause);
    for (const { settle } of [...this.#waiting.values()]) settle(undefined, error);
    for (const stop of this.#running.values()) stop.abort(error);
    this.#running.clear();
    this.#options.onclose?.(cause);
  };
}
