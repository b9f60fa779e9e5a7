import type { Receives, ResultDescriptor } from "@mcpwright/protocol/contract";
import { isObject, ownMember } from "../jsonrpc/guards.js";

type Result = Record<string, unknown>;

/**
 * Applies the tolerances of a revision to a copy of a rejected result. Removes members that are null where null has no
 * meaning. Sets the fallback of a required member that is missing, has the wrong type or is too small. Other members
 * stay unchanged.
 */
export function applyTolerances(
  answer: unknown,
  { fallbacks = [] }: ResultDescriptor,
  { open = {}, resultTag }: Receives,
): unknown {
  // With a null tag, the result may be one of the method's alternatives.
  if (!isObject(answer) || (resultTag && answer[resultTag.member] === null)) return answer;
  const result = withoutNulls(answer, open, 32) as Result;
  for (const { member, value, ifMissing, ifPresent, ifMistyped } of fallbacks) {
    const mayLack = ifMissing ?? (ifPresent !== undefined && result[ifPresent] !== undefined);
    const isMeant = mayLack || answer[member] === null;
    const found = result[member] as number | undefined;
    const isMistyped = ifMistyped && (typeof found !== typeof value || (found ?? 0) < (value as number));
    if (found === undefined ? isMeant : isMistyped) result[member] = structuredClone(value);
  }
  return result;
}

function withoutNulls(value: unknown, open: NonNullable<Receives["open"]>, depth: number): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, open, depth - 1));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, held]) => {
    const nullable = ownMember(open, name);
    if (held === null && !nullable) return [];
    return [[name, nullable === undefined ? withoutNulls(held, open, depth - 1) : held] as const];
  });
  return Object.fromEntries(kept);
}
