import type { SubscriptionFilter } from "../authoring.js";

/** What keeps a client informed of changes, in the way of its server's era. */
export interface ChangeWatcher {
  /**
   * Wants to know of these changes from now on, and of no others.
   * @returns what the server grants
   */
  setFilter(filter: SubscriptionFilter): Promise<SubscriptionFilter>;
  close(): void;
}
