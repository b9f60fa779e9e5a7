import { UnreadableReply } from "./replies.js";

/** Why Redis failed. */
export type RedisFailure =
  /** It cannot be reached, or did not respond in time. Whether a change happened is not known. */
  | "unavailable"
  /** It has reached `maxmemory`. */
  | "full"
  /** Another application, or another version of this package, has written the keys. */
  | "unreadable";

/** What happened, and what to do. */
export interface ExplainedRedisFailure {
  readonly reason: RedisFailure;
  readonly message: string;
}

/** What error replies of Redis begin with, and their reason and remedy. */
const replies: readonly (readonly [prefix: string, reason: RedisFailure, remedy: string])[] = [
  ["OOM", "full", "Redis has reached maxmemory; raise it, or choose another maxmemory-policy"],
  ["WRONGTYPE", "unreadable", "another application uses the keys; choose another prefix"],
  ["UNREADABLE", "unreadable", "choose another prefix, or delete the keys; set maxmemory-policy to noeviction"],
  ["NOPERM", "unavailable", "the user of Redis may not do this; change its ACL"],
  ["ERR The user executing the script", "unavailable", "the user of Redis may not do this; change its ACL"],
  ["NOAUTH", "unavailable", "Redis wants a password; pass it to the client"],
  ["WRONGPASS", "unavailable", "the password or user of the client is wrong"],
  ["READONLY", "unavailable", "the client is connected to a replica; connect it to the master"],
  ["MISCONF", "unavailable", "Redis cannot write to its disk"],
  ["LOADING", "unavailable", "Redis has just started, and reads its disk; try again later"],
  ["MASTERDOWN", "unavailable", "the client is connected to a replica without a master; connect it to the master"],
  ["NOREPLICAS", "unavailable", "Redis has fewer replicas than min-replicas-to-write demands; check the replicas"],
  ["BUSY", "unavailable", "another program runs a long script in Redis"],
  ["CLUSTERDOWN", "unavailable", "no server of the cluster has the slot; check the cluster"],
  [
    "MOVED",
    "unavailable",
    "Redis is a cluster; pass a client for clusters: createCluster of redis, or Cluster of ioredis",
  ],
];

/**
 * Explains why a command failed.
 * @param what could not be done, as in `cannot <what> in Redis`
 * @param address where Redis is; undefined when that is not known
 */
export function explainRedisFailure(what: string, cause: Error, address: string | undefined): ExplainedRedisFailure {
  if (cause instanceof UnreadableReply)
    return { reason: "unreadable", message: `cannot ${what} in Redis: ${cause.message}` };
  const known = replies.find(([prefix]) => cause.message.startsWith(prefix));
  const at = address === undefined ? "" : ` at ${address}`;
  const remedyOfOthers = `check that Redis runs${at}, and the client is connected to it`;
  const [, reason, remedy] = known ?? ["", "unavailable", remedyOfOthers];
  // Clients reject what they could not send in time with an error that has no message.
  return { reason, message: `cannot ${what} in Redis: ${cause.message || "there is no connection"}; ${remedy}` };
}
