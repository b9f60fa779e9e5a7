/**
 * Creates values of the definitions of a published model: minimal ones, and full ones in which every member, every
 * alternative of a union and every value of an enumeration occurs at least once.
 */
import { accepts } from "../../../shared/model/accepts.js";
import { definitionsByName, structOf } from "../../../shared/model/definitions.js";
import { isObject } from "../../../shared/is-object.js";
import {
  fewest,
  names,
  namesIn,
  numberFor,
  textFor,
  typeOfEntry,
  typesOfMember,
  variants,
} from "./restricted-values.js";
import { valueOfEachType } from "./mutations.js";
import type { MemberModel, ProtocolModel, TypeModel } from "../../../shared/model/protocol.js";

export type JsonObject = Record<string, unknown>;

/** How many definitions can be in progress around a value that fits several types. */
const maxOpen = 6;

/** How many lists of members are tried for such a value. */
const maxLists = 6;

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

  let inAttempt = false;

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
          at === 0 || !type.uniqueItems ? least(type.items) : (attempts(type.items)[at] ?? least(type.items)),
        );
      case "struct":
        return object(type.members.filter(({ optional }) => !optional).map(({ name, type }) => [name, least(type)]));
      case "union":
        return type.exclusive
          ? fitting(
              type,
              type.members.flatMap((member) => [least(member), ...attempts(member)]),
            )
          : least(first(type.members));
      case "all":
        return fitting(type, attempts(type));
      case "not":
        return fitting(type, Object.values(valueOfEachType));
      case "entries":
        return object(fewest(type).map((name) => [name, least(typeOfEntry(type, name))]));
    }
  }

  /** More values for a place where the smallest ones may not fit; none inside others, because types may contain themselves. */
  function attempts(type: TypeModel): readonly unknown[] {
    if (inAttempt) return type.kind === "all" ? type.members.map((part) => least(part)) : [];
    inAttempt = true;
    try {
      return type.kind === "all" ? combinations(type, []) : most(type, []);
    } finally {
      inAttempt = false;
    }
  }

  /** Values that may fit all parts of a type: those of each part, and objects with the members of several parts. */
  function combinations({ members }: Extract<TypeModel, { kind: "all" }>, open: readonly string[]): readonly unknown[] {
    return variants(members, definitions).flatMap((parts) => combined(parts, open));
  }

  function combined(members: readonly TypeModel[], outer: readonly string[]): readonly unknown[] {
    const referred = members.flatMap((part) => (part.kind === "reference" ? [part.name] : []));
    const open = [...outer, ...referred];
    const own = members.flatMap((part) => [...(open.length > maxOpen ? [] : most(part, outer)), least(part)]);
    const keys = [...own.filter(isObject).map(Object.keys), ...members.map((part) => namesIn(part, definitions))];
    const lists = [...new Map(keys.map((list) => [[...list].sort().join("\0"), list])).values()].slice(0, maxLists);
    const needed = members.flatMap((part) => {
      const minimal = least(part);
      return isObject(minimal) ? Object.keys(minimal) : [];
    });
    const objects = lists.flatMap((list) =>
      [list, [...list, ...needed]].map((wanted) =>
        object(
          [...new Set(wanted)].map((name) => {
            const types = members.flatMap((part) => typesOfMember(part, name, definitions));
            const [only, ...others] = types;
            if (!only) return [name, null];
            const type: TypeModel = others.length === 0 ? only : { kind: "all", members: types };
            return [name, open.length > maxOpen ? least(type) : most(type, open)[0]];
          }),
        ),
      ),
    );
    return [...objects, ...own];
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
        const fit = combinations(type, open).filter((value) => accepts(type, value, definitions));
        const [one, ...others] = new Map(fit.map((value) => [JSON.stringify(value), value])).values();
        return [one ?? least(type), ...others];
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
