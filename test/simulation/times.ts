/** Milliseconds after which a session ends unless it is used. */
export const idleMs = 60_000;
/** Milliseconds that handlers wait for the answer to a question. */
export const waitMs = 40_000;
/** Milliseconds after which the other nodes know that a node is dead, and everything that waits for it has ended. */
export const settleMs = 45_000;
/** The resources of each node. */
export const uris = ["test://a", "test://b", "test://c"] as const;
