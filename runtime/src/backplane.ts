export { Backplane } from "./backplane/backplane.js";
export type {
  AppendOptions,
  Channels,
  ChannelSubscriber,
  LogEntry,
  LogPage,
  LogStore,
  ReadOptions,
  SetOptions,
  StoredValue,
  ValueStore,
} from "./backplane/backplane-store.js";
export { BackplaneError, type BackplaneFailure } from "./backplane/backplane-error.js";
export { followLog, type LogFollower } from "./backplane/follow-log.js";
export { MemoryBackplane, type MemoryBackplaneOptions } from "./backplane/memory/memory-backplane.js";
