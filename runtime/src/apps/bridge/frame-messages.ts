import type { ParamsDescriptor, Predicate } from "@mcpwright/protocol/contract";
import { resultTag } from "@mcpwright/protocol/extensions/apps";
import { isObject } from "../../jsonrpc/guards.js";

/** The part of a row that decides whether params are valid. */
export type FrameParams = Pick<ParamsDescriptor, "params" | "paramsOptional">;

/** The messages that one end of a frame receives, by method. */
export interface FrameMessages {
  /** A method without a row has params that are an object, or absent. */
  readonly params: Readonly<Record<string, FrameParams>>;
  /** Results of the requests that this end sends. A method without a row has results that are not checked. */
  readonly results: Readonly<Record<string, { readonly result: Predicate }>>;
}

/** Adds the tag that a result of an older revision lacks: it is a complete one. */
export function withResultTag(result: unknown): unknown {
  const { member, own } = resultTag;
  return isObject(result) && result[member] === undefined ? { ...result, [member]: own } : result;
}
