import { type Context, context as contexts, ROOT_CONTEXT, type SpanContext, trace } from "@opentelemetry/api";
import type { RequestId } from "@mcpwright/protocol/contract";
import {
  INITIALIZE,
  META_SUBSCRIPTION_ID,
  NOTIFICATIONS_CANCELLED,
  SUBSCRIPTIONS_LISTEN,
} from "@mcpwright/protocol/names";
import type { ConnectionTelemetry, ObservedConnection } from "../connection/telemetry.js";
import { connectionClosedError } from "../jsonrpc/error-conversion.js";
import { SdkError } from "../jsonrpc/errors.js";
import { envelopeProblem, isObject } from "../jsonrpc/guards.js";
import type { JSONRPCMessage, JSONRPCRequest, JSONRPCResponse, Params } from "../jsonrpc/message-types.js";
import type { MessageExtra } from "../transport/message-extra.js";
import { attempt } from "./attempt.js";
import { versionAttributes } from "./message-attributes.js";
import { type NetworkAttributes, networkOfRequest, networkOfTransport } from "./network-attributes.js";
import type { ObservedMessage, Outcome } from "./observed-message.js";
import { OpenOperations } from "./open-operations.js";
import type { Operation } from "./operation.js";
import type { Recorder, Role } from "./recorder.js";
import { spanOf } from "./trace-context.js";

type Written = Promise<void> | void;

/** Observes the messages of one connection. */
export class ConnectionObserver implements ConnectionTelemetry {
  readonly #sent = new OpenOperations();
  readonly #received = new OpenOperations();
  #network: NetworkAttributes | undefined;
  #endSession: ReturnType<Recorder["startSession"]> | undefined;

  constructor(
    readonly connection: ObservedConnection,
    readonly recorder: Recorder,
  ) {}

  send(
    message: JSONRPCMessage | readonly JSONRPCMessage[],
    relatedTo: RequestId | undefined,
    write: (message: JSONRPCMessage | readonly JSONRPCMessage[]) => Written,
  ): Written {
    if (!isSingle(message) || !("method" in message))
      return this.#sendResponses([message].flat() as readonly JSONRPCResponse[], () => write(message));
    const operation = this.#startSending(message, relatedTo);
    const { params } = operation.parts;
    const whole = params === message.params ? message : ({ ...message, params } as JSONRPCMessage);
    if (!("id" in message)) return operation.during(() => write(whole));
    this.#sent.add(message.id, operation);
    return operation.run(() => write(whole));
  }

  receive(message: unknown, extra: MessageExtra | undefined, handle: () => void): void {
    if (!isObject(message) || envelopeProblem(message) !== undefined) return handle();
    if (message["method"] === undefined) {
      this.#onResponseReceived(message);
      return handle();
    }
    if (extra?.http) this.#network = networkOfRequest(extra.http);
    // Another node may have opened the session.
    if (this.connection.session) this.#startSession("server");
    const request = message as unknown as JSONRPCRequest | (ObservedMessage & { readonly id: undefined });
    const operation = this.#startHandling(request, extra, undefined);
    if (request.id === undefined) {
      operation.during(handle);
      if (request.method === NOTIFICATIONS_CANCELLED)
        this.#onCancelled((request.params as Params | undefined)?.["requestId"]);
      return;
    }
    this.#received.add(request.id, operation);
    operation.run(handle);
    // Clients of these revisions do not respond.
    if (this.connection.side?.profile.opening !== "stateless") return;
    const refusal = new SdkError("INVALID_MESSAGE", "the server sent a request, which its revision forbids");
    this.#received.take(request.id)?.end({ error: refusal });
  }

  fail(id: unknown, error: unknown): void {
    this.#sent.take(id)?.end({ error });
  }

  handleInput<Response>(
    request: { readonly method: string; readonly params?: object },
    requestState: string | undefined,
    handle: () => Promise<Response>,
  ): Promise<Response> {
    return this.#startHandling(request, undefined, requestState).during(handle);
  }

  awaitInput<Response>(
    request: { readonly method: string; readonly params?: object | undefined },
    relatedTo: RequestId,
    wait: () => Promise<Response>,
  ): Promise<Response> {
    // Params of input requests in results have no `_meta`, so the client does not get the context.
    return this.#startSending(request, relatedTo).during(wait);
  }

  end(error: Error | undefined): void {
    const closed = { error: connectionClosedError(error) };
    for (const operation of [...this.#sent.takeAll(), ...this.#received.takeAll()]) operation.end(closed);
    this.#endSession?.(this.#knownNetwork, error);
  }

  #startSending(message: ObservedMessage, relatedTo: RequestId | undefined): Operation {
    const { params } = message;
    const ambient = activeContext();
    const context = attempt(() => this.recorder.traces.complete(ambient, params)) ?? ambient;
    const asked = this.recorder.states.client.take(params);
    const related = relatedTo === undefined ? undefined : this.#received.find(relatedTo);
    const span = related && spanOf(related.parts.context);
    const parent = spanOf(context) ? undefined : (asked ?? span);
    return this.recorder.start("client", message, {
      connection: this.connection,
      network: this.#knownNetwork,
      // A server learns the version of a stateless client with each request.
      version: { ...related?.parts.version, ...versionAttributes(message, this.connection) },
      parent: parent ? trace.setSpanContext(context, parent) : context,
      related: [asked, ofOtherTrace(context, span)],
    });
  }

  /** @param requestState that of the result that contained the message */
  #startHandling(
    message: ObservedMessage,
    extra: MessageExtra | undefined,
    requestState: string | undefined,
  ): Operation {
    const { params } = message;
    const { states, traces } = this.recorder;
    const ambient = activeContext();
    const context = attempt(() => traces.extract(ambient, params)) ?? ambient;
    const current = spanOf(ambient);
    const isExtracted = spanOf(context)?.spanId !== current?.spanId;
    const asking = isExtracted ? undefined : states.client.find(requestState);
    const parent = asking ? trace.setSpanContext(context, asking) : context;
    const stream = this.#sent.find(extra?.relatedRequestId ?? subscriptionOf(params));
    return this.recorder.start("server", message, {
      connection: this.connection,
      network: this.#knownNetwork,
      version: versionAttributes(message, this.connection),
      parent,
      related: [
        isExtracted ? current : undefined,
        states.server.take(params),
        stream && ofOtherTrace(parent, spanOf(stream.parts.context)),
      ],
    });
  }

  #sendResponses(responses: readonly JSONRPCResponse[], write: () => Written): Written {
    // The connection of a single exchange ends while the response is written.
    const answered = responses.flatMap((response) => {
      const { id } = response;
      const operation = id === undefined ? undefined : this.#received.take(id);
      return operation ? [{ id, operation, response }] : [];
    });
    let written: Written;
    try {
      written = write();
    } catch (error) {
      // Another response follows.
      for (const { id, operation } of answered) this.#received.add(id, operation);
      throw error;
    }
    for (const { operation, response } of answered) this.#onResponse("server", operation, response);
    return written;
  }

  #onResponseReceived(response: Readonly<Record<string, unknown>>): void {
    this.#onResponse("client", this.#sent.take(response["id"]), response);
  }

  #onResponse(
    role: Role,
    operation: Operation | undefined,
    { result, error }: { readonly result?: unknown; readonly error?: unknown },
  ): void {
    if (operation?.parts.message.method === INITIALIZE && isObject(result)) this.#startSession(role);
    operation?.end(outcomeOf(result, error));
  }

  /** Starts to measure the session, if that is not the case yet. A transport for one request has none. */
  #startSession(role: Role): void {
    const { isSingleRequest, isStateless } = this.connection.transport;
    if (isSingleRequest || isStateless) return;
    this.#endSession ??= this.recorder.startSession(role, this.connection);
  }

  /** A request that was cancelled gets no response. A server can also end a stream with this notification. */
  #onCancelled(id: unknown): void {
    const reason = new SdkError("REQUEST_CANCELLED", "the peer cancelled the request");
    this.#received.take(id)?.end({ error: reason });
    if (this.#sent.find(id)?.parts.message.method === SUBSCRIPTIONS_LISTEN) this.#sent.take(id)?.end({});
  }

  get #knownNetwork(): NetworkAttributes {
    return (this.#network ??= networkOfTransport(this.connection.transport));
  }
}

function isSingle(message: JSONRPCMessage | readonly JSONRPCMessage[]): message is JSONRPCMessage {
  return !Array.isArray(message);
}

function outcomeOf(result: unknown, error: unknown): Outcome {
  if (isObject(result)) return { result };
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === "number" && typeof message === "string") return { errorResponse: { code, message } };
  return { error: new SdkError("INVALID_MESSAGE", "the response is malformed") };
}

function activeContext(): Context {
  return attempt(() => contexts.active()) ?? ROOT_CONTEXT;
}

function ofOtherTrace(context: Context, span: SpanContext | undefined): SpanContext | undefined {
  return span?.traceId === spanOf(context)?.traceId ? undefined : span;
}

/** The id of the request whose stream a notification belongs to. */
function subscriptionOf(params: object | undefined): unknown {
  return (params as Params | undefined)?._meta?.[META_SUBSCRIPTION_ID];
}
