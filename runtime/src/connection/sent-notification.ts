import { SdkError } from "../jsonrpc/errors.js";
import { ownMember } from "../jsonrpc/guards.js";
import type { RequestSender } from "./request-context.js";

/**
 * Checks a notification before it is sent.
 * @param peer the receiver; undefined before a revision is negotiated: then nothing is checked
 * @throws SdkError `NOT_IN_THIS_REVISION` when the revision has no such notification from this side
 * @throws TypeError when the params do not match the schema, or the peer has not declared the extension of the notification
 */
export function assertNotification(peer: RequestSender | undefined, method: string, params: object | undefined): void {
  if (!peer) return;
  const { side, capabilities } = peer;
  const row = ownMember(side.sends.notifications, method);
  if (!row)
    throw new SdkError(
      "NOT_IN_THIS_REVISION",
      `${method} was not sent: revision ${side.revision} has no such notification of a ${side.role}`,
    );
  const refusal = row.refuse?.(capabilities, params);
  if (refusal) throw new TypeError(refusal.problem);
  if (params === undefined ? row.paramsOptional : (row.params?.(params) ?? true)) return;
  const why = params === undefined ? "are missing" : "do not match the schema";
  throw new TypeError(`${method} was not sent: its params ${why} (revision ${side.revision})`);
}

/** Whether an error of `notify` is a mistake of its caller, who may not await the promise. */
export function isMistake(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof SdkError && error.code === "NOT_IN_THIS_REVISION");
}
