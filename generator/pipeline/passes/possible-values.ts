import { assertNever } from "../../shared/assert-never.js";
import type { JsonType, TypeModel } from "../../shared/model/protocol.js";
import { resolveAliases, type Definitions } from "../../shared/model/definitions.js";

/** The literals that a type consists of; empty when it accepts other values, too. */
export function literalValues(type: TypeModel | undefined, names: Definitions): readonly (string | number | boolean)[] {
  const target = type && resolveAliases(type, names);
  switch (target?.kind) {
    case "literal":
      return [target.value];
    case "enum":
      return target.open ? [] : target.values;
    case "union": {
      const values = target.members.map((member) => literalValues(member, names));
      return values.every((list) => list.length > 0) ? [...new Set(values.flat())] : [];
    }
    default:
      return [];
  }
}

/** JSON types that a value of the type can have; undefined when it can have any. */
export function possibleJsonTypes(
  type: TypeModel,
  names: Definitions,
  seen: readonly string[] = [],
): readonly JsonType[] | undefined {
  if (type.kind === "reference") {
    const target = names.get(type.name);
    if (!target || seen.includes(type.name)) return undefined;
    return target.kind === "struct" ? ["object"] : possibleJsonTypes(target.type, names, [...seen, type.name]);
  }
  switch (type.kind) {
    case "string":
    case "enum":
      return ["string"];
    case "number":
    case "integer":
      return ["number"];
    case "boolean":
    case "null":
      return [type.kind];
    case "literal":
      return [typeof type.value as JsonType];
    case "object":
    case "map":
    case "struct":
      return ["object"];
    case "array":
      return ["array"];
    case "unknown":
    case "not":
      return undefined;
    case "never":
      return [];
    case "entries":
      return ["object"];
    case "all": {
      const known = type.members.flatMap((member) => {
        const types = possibleJsonTypes(member, names, seen);
        return types ? [types] : [];
      });
      return known.length === 0 ? undefined : known.reduce((one, other) => one.filter((name) => other.includes(name)));
    }
    case "union": {
      const all = type.members.map((member) => possibleJsonTypes(member, names, seen));
      return all.some((types) => !types) ? undefined : [...new Set(all.flatMap((types) => types ?? []))];
    }
    default:
      return assertNever(type);
  }
}
