import type { Predicate, RequestId, Side } from "@mcpwright/protocol/contract";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { assertMethods } from "../options/assert-methods.js";
import { raceAbort } from "../timing/race-abort.js";
import { markHandled } from "../timing/mark-handled.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Transport, TransportSendOptions } from "../transport/transport.js";
import type { ConnectionOptions } from "./connection-options.js";
import { explainIssues, type Explanation } from "./explain-issues.js";
import { callHook, reportUserErrorTo, reportTo } from "./error-reporting.js";
import type { ConnectionTelemetry } from "./telemetry.js";

/** The connection that opened each transport. */
const openConnections = new WeakMap<Transport, TransportConnection>();

/** The part of a connection that uses the transport: opens and closes it, sends messages, and reports failures. */
export abstract class TransportConnection {
  #open = false;
  #closing: Promise<void> | undefined;
  /** @internal */
  readonly telemetry: ConnectionTelemetry | undefined;

  constructor(
    readonly transport: Transport,
    protected readonly options: ConnectionOptions,
  ) {
    this.telemetry = options.telemetry?.observe(this);
  }

  protected abstract receive(message: unknown, extra: MessageExtra | undefined): void;
  /** Called when the transport reports an error after which it continues. */
  protected abstract onTransportError(error: Error, received: unknown): void;
  /** Called when the peer will send no more messages. */
  protected abstract onInputEnd(): void;
  protected abstract onClose(error: Error | undefined): void;
  /** Passes a message to the `trace` hook. */
  protected abstract trace(direction: "in" | "out", message: unknown): void;

  /**
   * Opens the transport and starts to handle messages.
   * @param signal aborts the opening
   * @throws SdkError `INVALID_CONFIGURATION` without a transport; `ALREADY_CONNECTED` when the transport belongs to another open connection, which stays open
   * @internal
   */
  async open(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    assertMethods(this.transport, ["start", "send", "close"], "pass a transport, such as a StdioClientTransport");
    if (openConnections.get(this.transport)?.isOpen)
      throw new SdkError("ALREADY_CONNECTED", "the transport is used by another open connection; pass a new transport");
    this.attach();
    openConnections.set(this.transport, this);
    try {
      await raceAbort(signal, this.transport.start());
    } catch (error) {
      this.#open = false;
      if (signal?.aborted) await this.close().catch((failure: unknown) => this.report(failure));
      throw error;
    }
  }

  /** Starts to handle the messages of a transport that needs no opening. @internal */
  attach(): void {
    if (this.#open) throw new SdkError("ALREADY_CONNECTED", "this connection is already open");
    setCallbacks(
      this.transport,
      (message, extra) => this.receive(message, extra),
      (error, received) => this.onTransportError(error, received),
      () => this.onInputEnd(),
      (error) => this.#end(error),
    );
    this.#open = true;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Closes the transport. Waiting requests fail with `CONNECTION_CLOSED`, handlers are aborted. */
  close(): Promise<void> {
    return (this.#closing ??= markHandled(this.#close()));
  }

  /** Closes the transport because of an error, which `onclose` gets. @internal */
  fail(error: Error): Promise<void> {
    this.#end(error);
    return this.close();
  }

  /** Ends the connection even if the transport fails to close or does not call `onclose`. */
  async #close(): Promise<void> {
    try {
      await this.transport.close();
    } finally {
      this.#end();
    }
  }

  #end(error?: Error): void {
    if (!this.#open) return;
    this.#open = false;
    this.onClose(error);
    this.telemetry?.end(error);
  }

  report(error: unknown): void {
    reportTo(this.options, error);
  }

  /** Returns why a predicate of a side has rejected a value, if the option `findIssues` is set. @internal */
  explain(side: Side, predicate: Predicate | null | undefined, value: unknown): Explanation | undefined {
    return explainIssues(this.options.findIssues, side, predicate, value);
  }

  /** Reports an error of the user's code, or prints it. @internal */
  reportUserError(error: unknown): void {
    reportUserErrorTo(this.options, error);
  }

  /** Calls a hook of the user and reports its failure. @internal */
  callHook(hook: () => unknown): void {
    callHook(hook, (error) => this.reportUserError(error));
  }

  protected assertOpen(method: string): void {
    if (!this.#open) throw new SdkError("NOT_CONNECTED", `${method} was not sent: the connection is not open`);
  }

  protected send(
    message: JSONRPCMessage | readonly JSONRPCMessage[],
    relatedRequestId?: RequestId,
    failed: (error: unknown) => void = (error) => this.report(error),
    sent?: () => void,
  ): void {
    const { telemetry } = this;
    try {
      const written = telemetry
        ? telemetry.send(message, relatedRequestId, (changed) => this.#write(changed, relatedRequestId))
        : this.#write(message, relatedRequestId);
      if (written) written.then(sent, failed);
      else sent?.();
    } catch (error) {
      failed(error);
    }
  }

  #write(
    message: JSONRPCMessage | readonly JSONRPCMessage[],
    relatedRequestId: RequestId | undefined,
  ): Promise<void> | void {
    this.trace("out", message);
    const options: TransportSendOptions | undefined = relatedRequestId === undefined ? undefined : { relatedRequestId };
    return this.transport.send(message, options);
  }
}

/**
 * Sets the callbacks of a transport. V8 allocates a function literal in such an assignment in the old generation, where it
 * would retain everything of an HTTP request until the next major garbage collection.
 */
function setCallbacks(
  transport: Transport,
  onmessage: Transport["onmessage"],
  onerror: Transport["onerror"],
  onend: Transport["onend"],
  onclose: Transport["onclose"],
): void {
  transport.onmessage = onmessage;
  transport.onerror = onerror;
  transport.onend = onend;
  transport.onclose = onclose;
}
