import type { MemberModel } from "../../../shared/model/protocol.js";
import { isBindingName } from "../../../shared/names/identifier.js";
import { binding, code, inherits, join, key, member, nothing, type Code } from "../../../shared/code/code.js";

/** The exports of the shared module `checks.ts`; no predicate can have such a name. */
export const sharedChecks = ["jsonStrings", "maxDepth", "ownMember"] as const;

/** Reads members into their locals. */
export function readMembers(names: readonly string[], locals: ReadonlyMap<string, Code>, from: Code): Code {
  const reads = names.map((name) => ({ name, local: locals.get(name) ?? binding(name) }));
  const pattern = reads
    .filter(({ name }) => !inherits(name))
    .map(({ name, local }) => (local === name ? local : code`${key(name)}: ${local}`));
  const inherited = reads
    .filter(({ name }) => inherits(name))
    .map(({ name, local }) => code`const ${local} = ${member(from, name)};\n`);
  const destructured = pattern.length === 0 ? nothing : code`const { ${join(pattern, ", ")} } = ${from};\n`;
  return code`${destructured}${join(inherited, "")}`;
}

export function requiredFirst(members: readonly MemberModel[]): readonly MemberModel[] {
  return [...members.filter(({ optional }) => !optional), ...members.filter(({ optional }) => optional)];
}

/** Local names for members: the member's name unless the module uses that name for something else. */
export function localNames(members: readonly string[]): ReadonlyMap<string, Code> {
  const taken = new Set(members);
  const others = new Set([
    "value",
    "depth",
    "types",
    "tag",
    "item",
    "index",
    "key",
    "Array",
    "Number",
    ...sharedChecks,
  ]);
  return new Map(
    members.map((name) => {
      if (isBindingName(name) && !others.has(name) && !/^(is|fits)[A-Z_$]/.test(name)) return [name, binding(name)];
      let local = `${name.replace(/[^A-Za-z0-9]+/g, "_").replace(/^(?![A-Za-z])/, "m")}_`;
      while (taken.has(local)) local += "_";
      taken.add(local);
      return [name, binding(local)];
    }),
  );
}
