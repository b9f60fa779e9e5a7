import type { SubscriptionFilter } from "../authoring.js";

/** What keeps a client informed of changes, in the way of its server's era. */
export interface Watch {
  /**
   * Wants to know of these changes from now on, and of no others.
   * @returns what the server grants
   */
  want(filter: SubscriptionFilter): Promise<SubscriptionFilter>;
  close(): void;
}
