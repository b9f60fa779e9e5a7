import type { Side } from "@mcpwright/protocol/contract";
import { SdkError } from "../jsonrpc/errors.js";
import { ownMember } from "../jsonrpc/guards.js";

/**
 * Checks a notification before it is sent.
 * @param side this side of the revision in use; undefined before a revision is negotiated: then nothing is checked
 * @throws SdkError `NOT_IN_THIS_REVISION` when the revision has no such notification from this side
 * @throws TypeError when the params do not match the schema
 */
export function assertNotification(side: Side | undefined, method: string, params: object | undefined): void {
  if (!side) return;
  const row = ownMember(side.sends.notifications, method);
  if (!row)
    throw new SdkError(
      "NOT_IN_THIS_REVISION",
      `${method} was not sent: revision ${side.revision} has no such notification of a ${side.role}`,
    );
  if (params === undefined ? row.paramsOptional : (row.params?.(params) ?? true)) return;
  const why = params === undefined ? "are missing" : "do not match the schema";
  throw new TypeError(`${method} was not sent: its params ${why} (revision ${side.revision})`);
}

/** Whether an error of `notify` is a mistake of its caller, who may not await the promise. */
export function isMistake(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof SdkError && error.code === "NOT_IN_THIS_REVISION");
}
