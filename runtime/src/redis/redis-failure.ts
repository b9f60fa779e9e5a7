import { type BackplaneFailure, BackplaneError } from "../backplane/backplane-error.js";
import { toError } from "../jsonrpc/error-conversion.js";

/** What error replies of Redis begin with, and their reason and remedy. */
const replies: readonly (readonly [prefix: string, reason: BackplaneFailure, remedy: string])[] = [
  ["OOM", "full", "Redis has reached maxmemory; raise it, or choose another maxmemory-policy"],
  ["WRONGTYPE", "unreadable", "another application uses the keys; choose another prefix"],
  ["NOPERM", "unavailable", "the user of Redis may not do this; change its ACL"],
  ["NOAUTH", "unavailable", "Redis wants a password; pass it to the client"],
  ["WRONGPASS", "unavailable", "the password or user of the client is wrong"],
  ["READONLY", "unavailable", "the client is connected to a replica; connect it to the master"],
  ["MISCONF", "unavailable", "Redis cannot write to its disk"],
];

/** Explains why a command failed. */
export function toBackplaneError(what: string, thrown: unknown): BackplaneError {
  if (thrown instanceof BackplaneError) return thrown;
  const cause = toError(thrown);
  const known = replies.find(([prefix]) => cause.message.startsWith(prefix));
  const [, reason, remedy] = known ?? ["", "unavailable", "check that Redis runs, and the client is connected to it"];
  return new BackplaneError(reason, `cannot ${what} in Redis: ${cause.message || cause.name}; ${remedy}`, { cause });
}
