/**
 * Creates values of the definitions of a published model: minimal ones, and full ones in which every member, every
 * alternative of a union and every value of an enumeration occurs at least once.
 */
import { accepts } from "../../../shared/model/accepts.js";
import { definitionsByName, structOf } from "../../../shared/model/definitions.js";
import { fewest, joined, names, numberFor, textFor, typeOfEntry } from "./restricted-values.js";
import { valueOfEachType } from "./mutations.js";
import type { MemberModel, ProtocolModel, TypeModel } from "../../../shared/model/protocol.js";

export type JsonObject = Record<string, unknown>;

interface Maker {
  /** The smallest value that the type accepts. */
  minimal(name: string): unknown;
  /** The first value has every member; each other one uses a different alternative somewhere inside. */
  full(name: string): readonly [unknown, ...unknown[]];
}

export function instanceMaker(model: ProtocolModel): Maker {
  const definitions = definitionsByName(model.definitions);
  const typeOf = (name: string): TypeModel => {
    const found = definitions.get(name);
    if (!found) throw new Error(`${model.revision} has no ${name}`);
    return found.kind === "alias" ? found.type : structOf(found);
  };

  function least(type: TypeModel): unknown {
    switch (type.kind) {
      case "string":
        return textFor(type, "");
      case "number":
      case "integer":
        return numberFor(type, type.minimum ?? 0);
      case "boolean":
        return false;
      case "null":
      case "unknown":
      case "never":
        return null;
      case "object":
      case "map":
        return {};
      case "literal":
        return type.value;
      case "enum":
        return type.values[0];
      case "reference":
        return least(typeOf(type.name));
      case "array":
        return Array.from({ length: type.minItems ?? 0 }, (_, at) =>
          at === 0 || !type.uniqueItems ? least(type.items) : (most(type.items, [])[at] ?? least(type.items)),
        );
      case "struct":
        return object(type.members.filter(({ optional }) => !optional).map(({ name, type }) => [name, least(type)]));
      case "union":
        return type.exclusive
          ? fitting(
              type,
              type.members.flatMap((member) => [least(member), ...most(member, [])]),
            )
          : least(first(type.members));
      case "all":
        return fitting(type, [
          ...joined(type.members.map(least)),
          ...joined(type.members.map((one) => most(one, [])[0])),
        ]);
      case "not":
        return fitting(type, Object.values(valueOfEachType));
      case "entries":
        return object(fewest(type).map((name) => [name, least(typeOfEntry(type, name))]));
    }
  }

  /** The first of some values that a type accepts, or any of them. */
  function fitting(type: TypeModel, values: readonly unknown[]): unknown {
    return values.find((value) => accepts(type, value, definitions)) ?? values[0];
  }

  /** `open` contains the definitions in progress: nested inside themselves they are minimal. */
  function most(type: TypeModel, open: readonly string[]): readonly [unknown, ...unknown[]] {
    switch (type.kind) {
      case "string":
        return [textFor(type, samples[type.format ?? ""] ?? "text")];
      case "number": {
        if (type.exclusiveMinimum !== undefined || type.exclusiveMaximum !== undefined || type.multipleOf !== undefined)
          return [numberFor(type, 0.5)];
        const between = (type.minimum ?? 0) + 0.5;
        return type.maximum === undefined || between <= type.maximum ? [between] : [type.maximum];
      }
      case "integer":
        return [numberFor(type, type.maximum ?? type.minimum ?? 7)];
      case "boolean":
        return [true];
      case "null":
      case "never":
        return [null];
      case "unknown":
        return [{ anything: [1, null, "goes"] }];
      case "object":
        return [{ key: { nested: true } }];
      case "literal":
        return [type.value];
      case "enum":
        return [first(type.values), ...type.values.slice(1), ...(type.open ? ["another"] : [])];
      case "reference":
        return open.includes(type.name) ? [least(type)] : most(typeOf(type.name), [...open, type.name]);
      case "array": {
        const items = most(type.items, open).slice(0, type.maxItems);
        const missing = Math.max(0, (type.minItems ?? 0) - items.length);
        return [[...items, ...Array.from({ length: missing }, () => least(type.items))]];
      }
      case "map":
        if (type.values.kind === "never") return [{}];
        return [object(most(type.values, open).map((value, index) => [`key ${index + 1}`, value]))];
      case "struct":
        return structs(type, open);
      case "union": {
        const [one, ...others] = type.members.flatMap((member) => most(member, open));
        return [one, ...others];
      }
      case "all": {
        const parts = type.members.map((member) => most(member, open));
        const count = Math.max(...parts.map(({ length }) => length));
        const all = Array.from({ length: count }, (_, at) => joined(parts.map((values) => values[at] ?? values[0])));
        const found = all.flat().filter((value) => accepts(type, value, definitions));
        return [found[0] ?? least(type), ...found.slice(1)];
      }
      case "not":
        return [least(type)];
      case "entries":
        return [object(names(type).map((name) => [name, most(typeOfEntry(type, name), open)[0]]))];
    }
  }

  function structs(
    { members, index }: { readonly members: readonly MemberModel[]; readonly index?: TypeModel },
    open: readonly string[],
  ): [unknown, ...unknown[]] {
    const values = members
      .filter(({ type }) => type.kind !== "never")
      .map((member) => [member.name, most(member.type, open)] as const);
    const further =
      index && index.kind !== "never"
        ? most(index, open).map((value, at) => [`further ${at + 1}`, value] as const)
        : [];
    const whole = object([...values.map(([name, [value]]) => [name, value] as const), ...further]);
    const variants = values.flatMap(([name, [, ...others]]) => others.map((value) => ({ ...whole, [name]: value })));
    return [whole, ...variants];
  }

  return { minimal: (name) => least(typeOf(name)), full: (name) => most(typeOf(name), [name]) };
}

const samples: Readonly<Record<string, string>> = {
  byte: "aGVsbG8=",
  uri: "https://example.com/a",
  "uri-template": "https://example.com/{a}",
};

function object(entries: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(entries);
}

function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error("a union or enumeration without members");
  return item;
}
