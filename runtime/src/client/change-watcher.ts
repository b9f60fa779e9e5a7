import type { SubscriptionFilter } from "../authoring.js";

/** Watches a server for changes, with the means of its era. */
export interface ChangeWatcher {
  /**
   * Watches exactly these changes from now on.
   * @returns the part of the filter that the server grants
   */
  setFilter(filter: SubscriptionFilter): Promise<SubscriptionFilter>;
  close(): void;
}
