/**
 * Creates values of the definitions of a published model: minimal ones, and full ones in which every member, every
 * alternative of a union and every value of an enumeration occurs at least once.
 */
import type { Definition, MemberModel, ProtocolModel, TypeModel } from "../../../shared/model/protocol.js";

export type JsonObject = Record<string, unknown>;

interface Maker {
  /** The smallest value that the type accepts. */
  minimal(name: string): unknown;
  /** The first value has every member; each other one uses a different alternative somewhere inside. */
  full(name: string): readonly [unknown, ...unknown[]];
}

export function instanceMaker(model: ProtocolModel): Maker {
  const definitions = new Map(model.definitions.map((definition) => [definition.name, definition]));
  const typeOf = (name: string): TypeModel => {
    const found = definitions.get(name);
    if (!found) throw new Error(`${model.revision} has no ${name}`);
    return bodyOf(found);
  };

  function least(type: TypeModel): unknown {
    switch (type.kind) {
      case "string":
        return "";
      case "number":
      case "integer":
        return type.minimum ?? 0;
      case "boolean":
        return false;
      case "null":
      case "unknown":
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
        return Array.from({ length: type.minItems ?? 0 }, () => least(type.items));
      case "struct":
        return object(type.members.filter(({ optional }) => !optional).map(({ name, type }) => [name, least(type)]));
      case "union":
        return least(first(type.members));
    }
  }

  /** `open` contains the definitions in progress: nested inside themselves they are minimal. */
  function most(type: TypeModel, open: readonly string[]): readonly [unknown, ...unknown[]] {
    switch (type.kind) {
      case "string":
        return [samples[type.format ?? ""] ?? "text"];
      case "number": {
        const between = (type.minimum ?? 0) + 0.5;
        return type.maximum === undefined || between <= type.maximum ? [between] : [type.maximum];
      }
      case "integer":
        return [type.maximum ?? type.minimum ?? 7];
      case "boolean":
        return [true];
      case "null":
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
      case "array":
        return [most(type.items, open).slice(0, type.maxItems)];
      case "map":
        return [object(most(type.values, open).map((value, index) => [`key ${index + 1}`, value]))];
      case "struct":
        return structs(type, open);
      case "union": {
        const [one, ...others] = type.members.flatMap((member) => most(member, open));
        return [one, ...others];
      }
    }
  }

  function structs(
    { members, index }: { readonly members: readonly MemberModel[]; readonly index?: TypeModel },
    open: readonly string[],
  ): [unknown, ...unknown[]] {
    const values = members.map((member) => [member.name, most(member.type, open)] as const);
    const further = index ? most(index, open).map((value, at) => [`further ${at + 1}`, value] as const) : [];
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

function bodyOf(definition: Definition): TypeModel {
  if (definition.kind === "alias") return definition.type;
  const { members, index } = definition;
  return { kind: "struct", members, ...(index && { index }) };
}

function object(entries: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(entries);
}

function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error("a union or enumeration without members");
  return item;
}
