/** The members of a session that decide when it ends. */
export interface ManagedSession {
  readonly sessionId: string;
  /** `performance.now()` of the last request. */
  lastUsedAt: number;
  /** Whether a stream is open or a request is being handled. */
  readonly isBusy: boolean;
  close(): Promise<void>;
}
