import type { Test } from "../../shared/model/conversion.js";
import type { MemberModel, TypeModel } from "../../shared/model/protocol.js";
import { resolveAliases, type Definitions } from "../../shared/model/definitions.js";
import { literalValues } from "../passes/possible-values.js";

/** The alternatives of a type. Those of nested unions replace the union. */
export function flatAlternatives(type: TypeModel, names: Definitions): readonly TypeModel[] {
  const target = resolveAliases(type, names);
  return target.kind === "union" ? target.members.flatMap((member) => flatAlternatives(member, names)) : [type];
}

/** Tests that distinguish values of one alternative from those of the others; undefined when there are none. */
export function testsFor(own: TypeModel, all: readonly TypeModel[], names: Definitions): readonly Test[] | undefined {
  const kind = jsonKind(own, names);
  const others = all.filter((type) => type !== own && jsonKind(type, names) === kind);
  if (kind === "array") return others.length === 0 ? [{ kind: "array" }] : undefined;
  if (kind !== "object") return undefined;
  const tests: Test[] = [{ kind: "object" }];
  let left: readonly TypeModel[] = others;
  for (const { name, optional, type } of membersOf(own, names)) {
    if (left.length === 0) break;
    const values = optional ? [] : literalValues(type, names);
    const still = left.filter((other) => mayHave(other, name, values, names));
    if (values.length === 0 || still.length === left.length) continue;
    tests.push({ kind: "equals", member: name, values });
    left = still;
  }
  if (left.length === 0) return tests;
  const mark = membersOf(own, names).find(
    ({ name, optional }) =>
      !optional && left.every((other) => membersOf(other, names).every((found) => found.name !== name)),
  );
  return mark ? [...tests, { kind: "present", member: mark.name }] : undefined;
}

/** The alternative that values of `source` convert to when no alternative accepts them unchanged. */
export function counterpart(
  source: TypeModel,
  sources: Definitions,
  alternatives: readonly TypeModel[],
  targets: Definitions,
): TypeModel | undefined {
  const named = source.kind === "reference" ? source.name : undefined;
  const same = alternatives.find((type) => type.kind === "reference" && type.name === named);
  if (same) return same;
  const kind = jsonKind(source, sources);
  const candidates = alternatives.filter((type) => jsonKind(type, targets) === kind);
  const tags = membersOf(source, sources).filter(
    ({ optional, type }) => !optional && literalValues(type, sources).length > 0,
  );
  const tagged = candidates.filter((type) =>
    tags.some((tag) => literalValues(tag.type, sources).some((value) => mustHave(type, tag.name, value, targets))),
  );
  const [only, ...more] = tags.length > 0 ? tagged : candidates;
  return more.length === 0 ? only : undefined;
}

function mayHave(type: TypeModel, name: string, values: readonly unknown[], names: Definitions): boolean {
  const member = membersOf(type, names).find((found) => found.name === name);
  const literals = literalValues(member?.type, names);
  return literals.length === 0 || literals.some((value) => values.includes(value));
}

function mustHave(type: TypeModel, name: string, value: unknown, names: Definitions): boolean {
  const member = membersOf(type, names).find((found) => found.name === name);
  return member !== undefined && !member.optional && literalValues(member.type, names).some((one) => one === value);
}

function membersOf(type: TypeModel, names: Definitions): readonly MemberModel[] {
  const target = resolveAliases(type, names);
  return target.kind === "struct" ? target.members : [];
}

function jsonKind(type: TypeModel, names: Definitions): string {
  const target = resolveAliases(type, names);
  switch (target.kind) {
    case "struct":
    case "map":
    case "object":
      return "object";
    case "literal":
      return typeof target.value;
    case "enum":
      return "string";
    case "integer":
      return "number";
    default:
      return target.kind;
  }
}
