export { App } from "./app/app.js";
export type { AppOptions } from "./app/app-options.js";
export { applyHostStyles } from "./app/host-styles.js";
export type { FrameRequestOptions } from "./bridge/frame-connection.js";
export type { PeerWindow, ReceivingWindow, WindowMessage } from "./bridge/frame-window.js";
export {
  PostMessageTransport,
  type IgnoredMessages,
  type MessageLimits,
  type PostMessageOptions,
} from "./bridge/post-message-transport.js";
