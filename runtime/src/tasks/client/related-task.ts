import { META_RELATED_TASK } from "@mcpwright/protocol/names";
import type { Meta } from "../../jsonrpc/message-types.js";

/** Adds to a result the task that its request belongs to (MCP 2025-11-25, tasks: associating task-related messages). */
export function withRelatedTask(result: object, meta: Meta | undefined): object {
  const related = meta?.[META_RELATED_TASK];
  if (related === undefined) return result;
  return { ...result, _meta: { ...(result as { readonly _meta?: Meta })._meta, [META_RELATED_TASK]: related } };
}
