import type { RequestId } from "@mcpwright/protocol/contract";
import { McpError, RemoteError, SdkError, type SdkErrorCode } from "./errors.js";
import type { JSONRPCMessage } from "./json-rpc.js";
import { asError } from "./messages.js";
import type { PeerOptions } from "./peer-options.js";
import type { MessageExtra, Transport, TransportSendOptions } from "./transport.js";

/** What handlers let through, but are not to blame for: the peer is gone, or does not answer as it should. */
const ofPeers: readonly SdkErrorCode[] = [
  "NOT_CONNECTED",
  "REQUEST_CANCELLED",
  "REQUEST_TIMEOUT",
  "CONNECTION_CLOSED",
  "SEND_FAILED",
  "INVALID_MESSAGE",
];

/** The side of a connection that faces the transport: opens and closes it, hands messages over, and reports what fails. */
export abstract class Channel {
  #open = false;
  #closing: Promise<void> | undefined;

  constructor(
    readonly transport: Transport,
    protected readonly options: PeerOptions,
  ) {}

  protected abstract receive(message: unknown, extra: MessageExtra | undefined): void;
  /** The transport has failed at something, and goes on. */
  protected abstract failed(error: Error, received: unknown): void;
  /** The peer will send nothing more. */
  protected abstract inputEnded(): void;
  protected abstract closed(error: Error | undefined): void;
  /** Shows a message to whoever traces. */
  protected abstract trace(direction: "in" | "out", message: unknown): void;

  /** Opens the transport and begins to handle messages. */
  async open(): Promise<void> {
    this.attach();
    try {
      await this.transport.start();
    } catch (error) {
      this.#open = false;
      throw error;
    }
  }

  /** Begins to handle the messages of a transport that needs no opening. */
  attach(): void {
    if (this.#open) throw new SdkError("ALREADY_CONNECTED", "this connection is open");
    listen(
      this.transport,
      (message, extra) => this.receive(message, extra),
      (error, received) => this.failed(error, received),
      () => this.inputEnded(),
      (error) => {
        if (!this.#open) return;
        this.#open = false;
        this.closed(error);
      },
    );
    this.#open = true;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Closes the transport. Waiting requests fail with `CONNECTION_CLOSED`, handlers are aborted. */
  close(): Promise<void> {
    return (this.#closing ??= this.transport.close());
  }

  report(error: unknown): void {
    try {
      this.options.onerror?.(asError(error));
    } catch {
      // There is nobody left to tell.
    }
  }

  /**
   * Reports what the author's own code has thrown. Where nobody listens it is printed: the peer is not told why.
   * @internal
   */
  fault(error: unknown): void {
    if (this.options.onerror) return this.report(error);
    if (error instanceof RemoteError || (error instanceof SdkError && ofPeers.includes(error.code))) return;
    printFault(error);
  }

  protected mustBeOpen(method: string): void {
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
function listen(
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

/** Prints an error of which nobody else would ever know; of our own ones not the `data`, which may be what somebody sent. */
export function printFault(error: unknown): void {
  // eslint-disable-next-line no-console -- see above
  console.error(error instanceof McpError ? error.stack : error);
}
