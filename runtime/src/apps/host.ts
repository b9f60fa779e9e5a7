export type { AppContainer, AppFrame } from "./host/app-frame.js";
export { type AppResource, readApp, type ResourceReader } from "./host/app-resource.js";
export { contentPolicy } from "./host/content-policy.js";
export type { FrameLimitOptions } from "./host/frame-limits.js";
export type { AppAction, AppClient, AppHostOptions, AppProgress } from "./host/host-options.js";
export { type CloseOptions, HostedApp } from "./host/hosted-app.js";
export { mountApp, type MountOptions } from "./host/mount-app.js";
export { type SandboxPage, sandboxPage, type SandboxPageOptions } from "./host/sandbox-proxy.js";
export type { FrameRequestOptions } from "./bridge/frame-connection.js";
export type { PeerWindow, ReceivingWindow, WindowMessage } from "./bridge/frame-window.js";
export {
  PostMessageTransport,
  type IgnoredMessages,
  type MessageLimits,
  type PostMessageOptions,
} from "./bridge/post-message-transport.js";
