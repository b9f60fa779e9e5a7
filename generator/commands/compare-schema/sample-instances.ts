import { assertNever } from "../../shared/assert-never.js";
import { isObject } from "../../shared/is-object.js";
import { accepts } from "../../shared/model/accepts.js";
import type { MemberModel, TypeModel } from "../../shared/model/protocol.js";
import { resolveAliases, type Definitions } from "../../shared/model/definitions.js";

const maxDepth = 12;
const maxSamples = 32;

/**
 * Small instances of a type: first without optional members, then with one of them each.
 * Empty if the type has no finite instance.
 */
export function sampleInstances(type: TypeModel, names: Definitions, depth = 0): readonly unknown[] {
  if (depth > maxDepth) return [];
  switch (type.kind) {
    case "string":
      return [""];
    case "number":
    case "integer": {
      const least = type.kind === "integer" ? Math.ceil(type.minimum ?? 0) : (type.minimum ?? 0);
      return [Math.min(least, type.maximum ?? least)];
    }
    case "boolean":
      return [false];
    case "null":
    case "unknown":
      return [null];
    case "never":
      return [];
    case "object":
    case "map":
      return [{}];
    case "literal":
      return [type.value];
    case "enum":
      return type.values.slice(0, 1);
    case "reference": {
      const target = resolveAliases(type, names);
      return target.kind === "reference" ? [] : sampleInstances(target, names, depth + 1);
    }
    case "array": {
      const [item] = sampleInstances(type.items, names, depth + 1);
      const count = type.minItems ?? 0;
      return count > 0 && item === undefined ? [] : [Array.from({ length: count }, () => item)];
    }
    case "struct":
      return structs(type.members, names, depth);
    case "union":
      return type.members.flatMap((member) => sampleInstances(member, names, depth + 1)).slice(0, maxSamples);
    case "all":
    case "not":
    case "entries":
      return candidates(type, names, depth).filter((value) => accepts(type, value, names));
    default:
      return assertNever(type);
  }
}

/** Values that may fit a type whose parts depend on each other. */
function candidates(
  type: Extract<TypeModel, { kind: "all" | "not" | "entries" }>,
  names: Definitions,
  depth: number,
): readonly unknown[] {
  if (type.kind === "entries") return [{}];
  if (type.kind === "not") return ["", 0, false, null, [], {}];
  const own = type.members.map((member) => sampleInstances(member, names, depth + 1));
  const objects = own.map((values) => values.find(isObject));
  return [...own.flat(), Object.assign({}, ...objects) as unknown].slice(0, maxSamples);
}

function structs(members: readonly MemberModel[], names: Definitions, depth: number): readonly unknown[] {
  let least: readonly (readonly [string, unknown])[] = [];
  for (const { name, type } of members.filter(({ optional }) => !optional)) {
    const [value] = sampleInstances(type, names, depth + 1);
    if (value === undefined) return [];
    least = [...least, [name, value]];
  }
  if (depth > 3) return [Object.fromEntries(least)];
  const more = members
    .filter(({ optional }) => optional)
    .flatMap(({ name, type }) =>
      sampleInstances(type, names, depth + 1)
        .slice(0, 1)
        .map((value) => [name, value] as const),
    );
  return [least, ...more.map((entry) => [...least, entry])]
    .slice(0, maxSamples)
    .map((entries) => Object.fromEntries(entries) as unknown);
}
