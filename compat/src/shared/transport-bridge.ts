import type { MessageExtra, Principal, Transport as NativeTransport, TransportSendOptions } from "@mcpwright/runtime";
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from "../types/index.js";
import type { Transport } from "./transport.js";

/** Carries what a transport of the official SDK knows about a message to the context of its handler. */
export class CarriedExtra implements Principal {
  readonly issuer: string;
  readonly subject: string;

  constructor(readonly extra: MessageExtraInfo) {
    const { authInfo } = extra;
    this.issuer = authInfo ? "authenticated" : "anonymous";
    this.subject = authInfo?.clientId ?? "anonymous";
  }
}

/** What the owner of a bridge does with it. */
export interface BridgeHooks {
  /** Called with each received message. Returns the one that the connection gets; undefined when the message is handled. */
  readonly intercept?: (message: JSONRPCMessage, extra: MessageExtraInfo | undefined) => JSONRPCMessage | undefined;
  readonly closed?: () => void;
  readonly failed?: (error: Error) => void;
}

/** A transport with the interface of the official SDK, as the runtime needs it. Callbacks that a program has set are kept. */
export class TransportBridge implements NativeTransport {
  onmessage?: NativeTransport["onmessage"];
  onerror?: NativeTransport["onerror"];
  onclose?: NativeTransport["onclose"];
  #isClosed = false;

  constructor(
    readonly official: Transport,
    readonly hooks: BridgeHooks = {},
  ) {}

  get sessionId(): string | undefined {
    return this.official.sessionId;
  }

  start(): Promise<void> {
    const { official, hooks } = this;
    const { onmessage, onclose, onerror } = official;
    official.onmessage = (message, extra) => {
      onmessage?.call(official, message, extra);
      const passed = hooks.intercept ? hooks.intercept(message, extra) : message;
      if (passed) this.onmessage?.(passed, extra && toNativeExtra(extra));
    };
    official.onerror = (error) => {
      onerror?.call(official, error);
      if (this.onerror) this.onerror(error);
      else hooks.failed?.(error);
    };
    official.onclose = () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      Object.assign(official, { onmessage, onclose, onerror });
      onclose?.call(official);
      this.onclose?.();
      hooks.closed?.();
    };
    return official.start();
  }

  send(message: Parameters<NativeTransport["send"]>[0], options?: TransportSendOptions): Promise<void> | void {
    if (Array.isArray(message)) {
      const sent = (message as JSONRPCMessage[]).map((one) => this.official.send(one, options));
      return Promise.all(sent).then(() => undefined);
    }
    return this.official.send(message as JSONRPCMessage, options);
  }

  /** Answers a request that has no handler. */
  refuse(id: RequestId): void {
    const error = { code: -32601, message: "Method not found" };
    const failed = (problem: unknown): void =>
      this.hooks.failed?.(problem instanceof Error ? problem : new Error(String(problem)));
    new Promise<void>((resolve) => resolve(this.send({ jsonrpc: "2.0", id, error }))).catch(failed);
  }

  close(): Promise<void> {
    return this.official.close();
  }

  /** Transports of this package end the HTTP response of a request that was cancelled. */
  requestDropped(id: RequestId): void {
    (this.official as Pick<NativeTransport, "requestDropped">).requestDropped?.(id);
  }

  setProtocolVersion(version: string): void {
    this.official.setProtocolVersion?.(version);
  }
}

function toNativeExtra(extra: MessageExtraInfo): MessageExtra {
  return { principal: new CarriedExtra(extra) };
}
