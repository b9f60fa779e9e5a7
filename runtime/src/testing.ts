export { checkContents } from "./testing/check-contents.js";
export type { CheckedCall } from "./testing/check-contents.js";
export { transportBehaviours } from "./testing/transport-suite.js";
export type { TransportBehaviour, TransportHarness } from "./testing/transport-suite.js";
export { backplaneBehaviours } from "./testing/backplane-suite.js";
export type { BackplaneBehaviour, BackplaneHarness, OpenedBackplane } from "./testing/backplane/backplane-behaviour.js";
export { taskStoreBehaviours } from "./testing/task-store-suite.js";
export type {
  OpenedTaskStore,
  TaskStoreBehaviour,
  TaskStoreHarness,
  TaskStoreLimits,
} from "./testing/task-store/task-store-behaviour.js";
export { runConversation } from "./testing/conversation.js";
export type { Conversation, Step } from "./testing/conversation.js";
export { absent, any, capture, exactly, mismatchOf, ref, unordered } from "./testing/pattern.js";
export type { Captured, Matcher, Mismatch } from "./testing/pattern.js";
export { Recorder } from "./testing/recorder.js";
export type { RecordedMessage } from "./testing/recorder.js";
export { ScriptedPeer } from "./testing/scripted-peer.js";
export type { ScriptedPeerOptions } from "./testing/scripted-peer.js";
