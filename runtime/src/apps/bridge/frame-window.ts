// The parts of windows that the bridge needs. They are declared here, so that the package needs no types of a browser, and tests
// can pass windows of their own.

/** A window that messages can be sent to, such as `window.parent` or `iframe.contentWindow`. */
export interface PeerWindow {
  postMessage(message: unknown, targetOrigin: string): void;
}

/** A message as a window receives it: the part of `MessageEvent` that is read. */
export interface WindowMessage {
  readonly data: unknown;
  readonly origin: string;
  /** The window that sent the message. */
  readonly source: object | null;
}

/** A window that receives messages, such as `window`. */
export interface ReceivingWindow {
  addEventListener(type: "message", listener: (event: WindowMessage) => void): void;
  removeEventListener(type: "message", listener: (event: WindowMessage) => void): void;
}
