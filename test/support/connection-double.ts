/**
 * Two connections of one revision, linked in memory: exactly the `Connection` of the contract, without a transport.
 * Every message passes as JSON text, so only values that can be sent arrive.
 */
import type {
  Connection,
  HandlerContext,
  HandlerMap,
  NotificationMessage,
  ParamsDescriptor,
  Progress,
  RequestId,
  RequestOptions,
  Side,
  Subscription,
} from "@mcpwright/protocol/contract";

/** The client's members of every request's `_meta`, in revisions that require them. */
export interface ClientIdentity {
  readonly clientInfo: object;
  readonly clientCapabilities: object;
}

export interface ConnectionPair {
  readonly client: Connection;
  readonly server: Connection;
  /** All messages so far, in the order of sending. */
  readonly traffic: readonly Traffic[];
  /** Notifications that were not handled: unknown, invalid or without a handler. */
  readonly unheard: readonly NotificationMessage[];
  /** Closes both connections: pending requests fail, running handlers are aborted. */
  readonly close: () => void;
}

export interface Traffic {
  readonly from: Side["role"];
  readonly message: Message;
}

/** An error response: callers get it from a request, and handlers throw it to respond with it. */
export class RpcError extends Error {
  override readonly name = "RpcError";

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export const methodNotFound = -32601;
export const invalidParams = -32602;
export const internalError = -32603;

export function connectionPair(
  { clientSide, serverSide }: { readonly clientSide: Side; readonly serverSide: Side },
  identity: ClientIdentity = { clientInfo: { name: "double", version: "1.0.0" }, clientCapabilities: {} },
): ConnectionPair {
  const traffic: Traffic[] = [];
  const unheard: NotificationMessage[] = [];
  const postTo =
    (from: Side, receiver: () => Endpoint): Post =>
    (message, relatedTo) => {
      const text = JSON.stringify(message, refuseWhatJsonLoses);
      traffic.push({ from: from.role, message: JSON.parse(text) as Message });
      queueMicrotask(() => receiver().receive(JSON.parse(text) as Message, relatedTo));
    };

  const client: Endpoint = endpoint({
    side: clientSide,
    meta: statelessMeta(clientSide, identity),
    idOf: (count) => count,
    post: postTo(clientSide, () => server),
    unheard,
  });
  // The ids of the two sides never look alike, so that a mix-up is visible.
  const server: Endpoint = endpoint({
    side: serverSide,
    meta: {},
    idOf: (count) => `s${count}`,
    post: postTo(serverSide, () => client),
    unheard,
  });
  return {
    client: client.connection,
    server: server.connection,
    traffic,
    unheard,
    close: () => {
      client.close();
      server.close();
    },
  };
}

function statelessMeta({ profile, revision }: Side, { clientInfo, clientCapabilities }: ClientIdentity): object {
  if (profile.opening !== "stateless") return {};
  return {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
  };
}

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

type Params = Readonly<Record<string, unknown>>;
/** `relatedTo` is what a transport knows about a message: the request on whose stream it is sent. */
type Post = (message: Message, relatedTo?: RequestId) => void;
type Handler = (params: unknown, context: HandlerContext) => unknown;

interface Endpoint {
  readonly connection: Connection;
  receive(message: Message, relatedTo?: RequestId): void;
  close(): void;
}

/** A pending request of this side. */
interface Pending {
  readonly options: RequestOptions;
  readonly onNotification: RequestOptions["onNotification"];
  readonly result: Deferred<unknown>;
  /** Restarts the time-out. */
  alive(): void;
  settle(): void;
}

interface EndpointOptions {
  readonly side: Side;
  /** Members that every request's `_meta` must have. */
  readonly meta: object;
  readonly idOf: (count: number) => RequestId;
  readonly post: Post;
  readonly unheard: NotificationMessage[];
}

function endpoint({ side, meta, idOf, post, unheard }: EndpointOptions): Endpoint {
  const handlers = new Map<string, Handler>();
  const pending = new Map<RequestId, Pending>();
  const running = new Map<RequestId, AbortController>();
  const ended = new AbortController();
  let count = 0;

  function open(
    method: string,
    params: object | undefined,
    options: RequestOptions,
    onNotification = options.onNotification,
  ): { readonly id: RequestId; readonly result: Promise<unknown> } {
    const id = idOf(++count);
    const result = deferred<unknown>();
    const { signal, timeoutMs, maxTotalMs } = options;
    if (ended.signal.aborted) result.reject(ended.signal.reason);
    else if (signal?.aborted) result.reject(signal.reason);
    else {
      const expire = (): void => cancel(id, new Error(`${method} timed out`));
      const onAbort = (): void => cancel(id, signal?.reason);
      const total = maxTotalMs === undefined ? undefined : setTimeout(expire, maxTotalMs);
      let idle = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
      signal?.addEventListener("abort", onAbort);
      const alive = (): void => {
        if (timeoutMs === undefined) return;
        clearTimeout(idle);
        idle = setTimeout(expire, timeoutMs);
      };
      const settle = (): void => {
        pending.delete(id);
        clearTimeout(total);
        clearTimeout(idle);
        signal?.removeEventListener("abort", onAbort);
      };
      pending.set(id, { options, onNotification, result, alive, settle });
      try {
        post({ jsonrpc: "2.0", id, method, ...complete(params, id, options) });
      } catch (error) {
        settle();
        result.reject(error);
      }
    }
    return { id, result: result.promise };
  }

  /** The params with the `_meta` that the revision and the options require; the caller's members stay. */
  function complete(params: object | undefined, id: RequestId, options: RequestOptions): { readonly params?: Params } {
    const own = (params as { readonly _meta?: object } | undefined)?._meta;
    const _meta = { ...meta, ...(options.onProgress && { progressToken: id }), ...options.meta, ...own };
    if (Object.keys(_meta).length === 0) return params ? { params: params as Params } : {};
    return { params: { ...params, _meta } };
  }

  function cancel(id: RequestId, reason: unknown): void {
    const found = pending.get(id);
    if (!found) return;
    found.settle();
    found.result.reject(reason);
    const text = reason instanceof Error ? { reason: reason.message } : {};
    post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, ...text } });
  }

  async function answer(id: RequestId, method: string, params: Params | undefined): Promise<void> {
    const row = own(side.receives.requests, method);
    const handler = handlers.get(method);
    const fail = (code: number, message: string, data?: unknown): void =>
      post({ jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } });
    if (!row || !handler) {
      fail(methodNotFound, `${method} is not known here`);
      return;
    }
    if (!fits(row, params)) {
      fail(invalidParams, `the params of ${method} are invalid`);
      return;
    }
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const result = await handler(params, context(abort.signal, id));
      if (!abort.signal.aborted) post({ jsonrpc: "2.0", id, result });
    } catch (error) {
      if (abort.signal.aborted) return;
      if (error instanceof RpcError) fail(error.code, error.message, error.data);
      else fail(internalError, error instanceof Error ? error.message : String(error));
    } finally {
      running.delete(id);
    }
  }

  function context(signal: AbortSignal, requestId?: RequestId): HandlerContext {
    return {
      ...(requestId !== undefined && { requestId }),
      signal,
      notify: (method, params) => connection.notify(method, params, requestId),
    };
  }

  function hear(method: string, params: Params | undefined, relatedTo: RequestId | undefined): void {
    const notification: NotificationMessage = { method, ...(params && { params }) };
    const row = own(side.receives.notifications, method);
    if (!row || !fits(row, params)) return void unheard.push(notification);
    if (method === "notifications/cancelled") withdrawn(params?.["requestId"] as RequestId);
    const related = relatedTo === undefined ? undefined : pending.get(relatedTo);
    const progressing =
      method === "notifications/progress" ? pending.get(params?.["progressToken"] as RequestId) : undefined;
    related?.alive();
    progressing?.alive();
    if (progressing?.options.onProgress) progressing.options.onProgress(progressOf(params));
    else if (related?.onNotification) related.onNotification(notification);
    else {
      const handler = handlers.get(method);
      if (handler) void Promise.resolve(handler(params, context(ended.signal))).catch(() => undefined);
      else unheard.push(notification);
    }
  }

  /** The peer cancels its own request, or ends a stream of ours. */
  function withdrawn(id: RequestId): void {
    running.get(id)?.abort(new Error("cancelled by the peer"));
    const stream = pending.get(id);
    stream?.settle();
    stream?.result.reject(new Error("ended by the peer"));
  }

  const connection: Connection = {
    request: (method, params, options = {}) => open(method, params, options).result,

    listen(method, params, options = {}): Subscription {
      const first = own(side.receives.results, method)?.stream?.acknowledged;
      const acknowledged = deferred<unknown>();
      const events = eventQueue<NotificationMessage>();
      let begun = false;
      const { id, result } = open(method, params, options, (notification) => {
        if (begun) events.push(notification);
        else if (notification.method === first) {
          begun = true;
          acknowledged.resolve(notification.params);
        } else cancel(id, new Error(`${notification.method} came before ${first}`));
      });
      const over = (error: unknown): void => {
        acknowledged.reject(error);
        events.end();
      };
      result.then(() => over(new Error(`${method} ended before it began`)), over);
      return {
        acknowledged: acknowledged.promise,
        result,
        close: () => {
          cancel(id, new Error("closed"));
          events.end();
          return Promise.resolve();
        },
        [Symbol.asyncIterator]: () => events.iterate(),
      };
    },

    notify(method, params, relatedTo) {
      if (ended.signal.aborted) return Promise.reject(ended.signal.reason as Error);
      return Promise.resolve().then(() => {
        post({ jsonrpc: "2.0", method, ...(params && { params: params as Params }) }, relatedTo);
      });
    },

    handle(map: HandlerMap) {
      for (const [method, handler] of Object.entries(map)) if (handler) handlers.set(method, handler as Handler);
    },
  };

  return {
    connection,
    receive({ id, method, params, result, error }, relatedTo) {
      if (ended.signal.aborted) return;
      if (method !== undefined) {
        if (id === undefined) hear(method, params, relatedTo);
        else void answer(id, method, params);
        return;
      }
      const found = id === undefined ? undefined : pending.get(id);
      if (!found) return; // the response to a cancelled request
      found.settle();
      if (error) found.result.reject(new RpcError(error.code, error.message, error.data));
      else found.result.resolve(result);
    },
    close() {
      const reason = new Error("the connection is closed");
      ended.abort(reason);
      for (const abort of running.values()) abort.abort(reason);
      for (const request of [...pending.values()]) {
        request.settle();
        request.result.reject(reason);
      }
    },
  };
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function fits({ params: accepts, paramsOptional }: ParamsDescriptor, params: Params | undefined): boolean {
  return params === undefined ? paramsOptional : accepts === null || accepts(params);
}

function progressOf(params: Params | undefined): Progress {
  const { progress, total, message } = params as unknown as Progress;
  return { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
}

/** Values that `JSON.stringify` would drop or replace silently. @throws TypeError */
function refuseWhatJsonLoses(key: string, value: unknown): unknown {
  const lost =
    typeof value === "function" || typeof value === "symbol" || (typeof value === "number" && !Number.isFinite(value));
  if (lost) throw new TypeError(`"${key}" cannot be sent as JSON: ${String(value)}`);
  return value;
}

interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/** Callers may await the promise, but do not have to. */
function deferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, "promise"> | undefined;
  const promise = new Promise<Value>((resolve, reject: (error: unknown) => void) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  return { promise, ...(settle as unknown as Omit<Deferred<Value>, "promise">) };
}

/** Queues events until they are iterated; events from before the end are still delivered after it. */
function eventQueue<Event>(): { push(event: Event): void; end(): void; iterate(): AsyncGenerator<Event> } {
  const events: Event[] = [];
  let over = false;
  let wake = deferred<undefined>();
  const change = (): void => {
    wake.resolve(undefined);
    wake = deferred();
  };
  return {
    push: (event) => {
      events.push(event);
      change();
    },
    end: () => {
      over = true;
      change();
    },
    async *iterate() {
      for (;;) {
        const event = events.shift();
        if (event !== undefined) yield event;
        else if (over) return;
        else await wake.promise;
      }
    },
  };
}
