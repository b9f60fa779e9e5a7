import type { ClientKey } from "./shared-limit.js";

/** The members of a session that decide when it ends. */
export interface ManagedSession {
  readonly sessionId: string;
  /** `performance.now()` of the last request. */
  lastUsedAt: number;
  /** Whether a stream is open or a request is being handled. */
  readonly isBusy: boolean;
  /** The client that opened the session. */
  readonly client: ClientKey;
  /** Whether the client has sent a request after `initialize`, or has opened a stream. */
  readonly isUsed: boolean;
  close(): Promise<void>;
}
