import type { TypeExpression } from "./source.js";

/** The alternatives of a union, with those of the unions inside it. */
export function flattenUnion(members: readonly TypeExpression[]): readonly TypeExpression[] {
  return members.flatMap((member) =>
    member.kind === "union" && !member.exclusive ? flattenUnion(member.members) : [member],
  );
}
