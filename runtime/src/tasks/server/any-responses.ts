import type { Side } from "@mcpwright/protocol/contract";
import { TASKS_UPDATE } from "@mcpwright/protocol/names";
import { isObject, ownMember } from "../../jsonrpc/guards.js";

/**
 * Accepts responses of any form: servers should ignore those to questions that are not outstanding (tasks extension, task update
 * requests). The handler checks the others.
 */
export function withAnyResponses(side: Side): Side {
  const { requests } = side.receives;
  const row = ownMember(requests, TASKS_UPDATE);
  if (!row) return side;
  const params = (value: unknown): boolean =>
    isObject(value) && isObject(value["inputResponses"]) && row.params?.({ ...value, inputResponses: {} }) === true;
  return { ...side, receives: { ...side.receives, requests: { ...requests, [TASKS_UPDATE]: { ...row, params } } } };
}
