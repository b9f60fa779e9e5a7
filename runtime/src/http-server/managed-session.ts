import type { ClientKey } from "./shared-limit.js";

/** The members of a session that decide when it ends. */
export interface ManagedSession {
  readonly sessionId: string;
  /** `performance.now()` of the last request. */
  lastUsedAt: number;
  /** Called regularly while the session is busy. @param now `performance.now()` */
  stayOpen(now: number): void;
  /** Whether a stream is open or a request is being handled. */
  readonly isBusy: boolean;
  /** The client that opened the session. */
  readonly client: ClientKey;
  /** Whether the client has sent a request after `initialize`, or has opened a stream. */
  readonly isUsed: boolean;
  /** Ends the session, but not at other nodes, which may have it, too. */
  release(): Promise<void>;
}
