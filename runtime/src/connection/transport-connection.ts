import type { RequestId } from "@mcpwright/protocol/contract";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { raceAbort } from "../timing/race-abort.js";
import type { MessageExtra } from "../transport/message-extra.js";
import type { Transport, TransportSendOptions } from "../transport/transport.js";
import type { ConnectionOptions } from "./connection-options.js";
import { callHook, reportUserErrorTo, reportTo } from "./error-reporting.js";

/** Who has opened a transport. */
const openConnections = new WeakMap<Transport, TransportConnection>();

/** The side of a connection that faces the transport: opens and closes it, hands messages over, and reports what fails. */
export abstract class TransportConnection {
  #open = false;
  #closing: Promise<void> | undefined;

  constructor(
    readonly transport: Transport,
    protected readonly options: ConnectionOptions,
  ) {}

  protected abstract receive(message: unknown, extra: MessageExtra | undefined): void;
  /** The transport has failed at something, and goes on. */
  protected abstract onTransportError(error: Error, received: unknown): void;
  /** The peer will send nothing more. */
  protected abstract onInputEnd(): void;
  protected abstract onClose(error: Error | undefined): void;
  /** Shows a message to whoever traces. */
  protected abstract trace(direction: "in" | "out", message: unknown): void;

  /**
   * Opens the transport and begins to handle messages.
   * @param signal calls it off
   * @throws SdkError `ALREADY_CONNECTED` when it is that of another connection, which goes on
   * @internal
   */
  async open(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (openConnections.get(this.transport)?.isOpen)
      throw new SdkError("ALREADY_CONNECTED", "the transport is open, as that of another connection");
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

  /** Begins to handle the messages of a transport that needs no opening. @internal */
  attach(): void {
    if (this.#open) throw new SdkError("ALREADY_CONNECTED", "this connection is open");
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
    return (this.#closing ??= this.#close());
  }

  /** A transport that cannot be closed, or does not tell that it is, is of no further use either. */
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
  }

  report(error: unknown): void {
    reportTo(this.options, error);
  }

  /** Reports what the author's own code has thrown, or prints it. @internal */
  reportUserError(error: unknown): void {
    reportUserErrorTo(this.options, error);
  }

  /** Calls a hook of the author's, whose failure is a fault. @internal */
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
    this.trace("out", message);
    try {
      const options: TransportSendOptions | undefined =
        relatedRequestId === undefined ? undefined : { relatedRequestId };
      const written = this.transport.send(message, options);
      if (written) written.then(sent, failed);
      else sent?.();
    } catch (error) {
      failed(error);
    }
  }
}

/**
 * Sets what a transport calls. V8 allocates a function that is written in such an assignment among the old objects, where
 * it would keep all of a request over HTTP until those are collected.
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
