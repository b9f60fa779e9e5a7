import { toError } from "../../jsonrpc/error-conversion.js";
import { ProtocolError, SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { JSONRPCMessage } from "../../jsonrpc/message-types.js";
import type { Transport } from "../../transport/transport.js";
import type { PeerWindow, ReceivingWindow, WindowMessage } from "./frame-window.js";

export interface PostMessageOptions {
  /** The window at the other end: it gets the messages, and only its messages are accepted. */
  readonly peer: PeerWindow;
  /**
   * The origin of that window, `"null"` for an opaque one. Messages of other origins are ignored. Default: the origin of its
   * first message.
   */
  readonly origin?: string | undefined;
  /** The window that receives the messages. Default: `window`. */
  readonly receiver?: ReceivingWindow | undefined;
  /** Bounds what the peer sends. Default: no bounds. */
  readonly limits?: MessageLimits | undefined;
}

/** Bounds the messages of a peer. */
export interface MessageLimits {
  /**
   * Called with the length of each message of the peer, in characters of JSON; with 0 for what is not a JSON-RPC message.
   * @returns undefined to deliver the message; a ProtocolError to refuse it, as the response to the requests in it; another error to
   *   close the transport
   */
  check(length: number): Error | undefined;
}

/** How many messages were ignored, by reason. */
export interface IgnoredMessages {
  /** JSON-RPC messages of windows that no transport of the page is connected to. */
  readonly window: number;
  /** Messages of the right window, from another origin. */
  readonly origin: number;
  /** Messages of the peer that are not JSON-RPC 2.0, or cannot be serialized as JSON. */
  readonly format: number;
}

const ignoredBecause = {
  window: "it came from another window",
  origin: "its origin is not that of the peer",
  format: "it is not a JSON-RPC 2.0 message",
} as const;

/** The windows that a transport of this page is or was connected to: their messages are for that transport. */
const peers = /* @__PURE__ */ new WeakSet<object>();

/**
 * Carries messages between a page and a window in another frame. Messages of other windows and of other origins are never
 * answered: they are counted, and the first of each kind is reported to `onerror`.
 */
export class PostMessageTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];

  readonly #options: PostMessageOptions;
  readonly #receiver: ReceivingWindow;
  readonly #ignored = { window: 0, origin: 0, format: 0 };
  #origin: string | undefined;
  #state: "new" | "open" | "closed" = "new";

  constructor(options: PostMessageOptions) {
    this.#options = options;
    this.#receiver = options.receiver ?? globalThis;
    this.#origin = options.origin;
  }

  /** The messages that were ignored so far. */
  get ignored(): IgnoredMessages {
    return { ...this.#ignored };
  }

  /** @throws SdkError `ALREADY_CONNECTED` when it was started before */
  // eslint-disable-next-line @typescript-eslint/require-await -- errors are rejections
  async start(): Promise<void> {
    if (this.#state !== "new") throw new SdkError("ALREADY_CONNECTED", "the transport was started before");
    this.#state = "open";
    peers.add(this.#options.peer);
    this.#receiver.addEventListener("message", this.#receive);
  }

  /** @throws SdkError `NOT_CONNECTED` when it is not open; TypeError for a message that cannot be serialized as JSON */
  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (this.#state !== "open") throw new SdkError("NOT_CONNECTED", "the transport is not open");
    const origin = this.#origin;
    // Windows of opaque origins cannot be named as the target.
    const target = origin === undefined || origin === "null" ? "*" : origin;
    // The peer gets what any other transport would carry.
    this.#options.peer.postMessage(JSON.parse(JSON.stringify(message)), target);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- part of the interface
  async close(): Promise<void> {
    this.end();
  }

  readonly #receive = ({ data, origin, source }: WindowMessage): void => {
    if (source !== this.#options.peer) {
      if (isJsonRpc(data) && !(source !== null && peers.has(source))) this.#ignore("window");
      return;
    }
    if (this.#origin !== undefined && origin !== this.#origin) return this.#ignore("origin");
    // Undefined for data that is not a message: it counts nevertheless, so that a peer cannot keep this end busy with it.
    const text = isJsonRpc(data) ? serialized(data) : undefined;
    const refusal = this.#options.limits?.check(text?.length ?? 0);
    if (refusal && !(refusal instanceof ProtocolError)) return this.end(refusal);
    if (text === undefined) return this.#ignore("format");
    this.#origin = origin;
    try {
      if (refusal) this.onerror?.(refusal, data);
      else this.onmessage?.(JSON.parse(text));
    } catch (error) {
      this.onerror?.(toError(error));
    }
  };

  #ignore(reason: keyof IgnoredMessages): void {
    if (++this.#ignored[reason] > 1) return;
    const message = `a message was ignored, because ${ignoredBecause[reason]}; further ones are only counted`;
    this.onerror?.(new SdkError("INVALID_MESSAGE", message));
  }

  /** Closes the transport because of an error. @internal */
  end(error?: Error): void {
    const wasOpen = this.#state === "open";
    this.#state = "closed";
    this.#receiver.removeEventListener("message", this.#receive);
    if (wasOpen) this.onclose?.(error);
  }
}

function isJsonRpc(data: unknown): boolean {
  return isObject(data) && data["jsonrpc"] === "2.0";
}

/** The JSON of a message; what is not JSON, such as a map, becomes what JSON has for it. Undefined if it cannot be serialized. */
function serialized(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}
