/**
 * Seeded random values of the definitions of a model: valid ones, and the same with one to three random faults.
 * Equal seeds give equal values, so a failing one can be replayed.
 */
import { isObject } from "../../generator/shared/is-object.js";
import { sampleOf } from "../../generator/shared/schema-code/pattern-sample.js";
import { structOf } from "../../generator/shared/model/definitions.js";
import type { EntriesModel, MemberModel, ProtocolModel, TypeModel } from "../../generator/shared/model/protocol.js";

export type Random = () => number;

/** Numbers in [0, 1) that depend on the seed only (mulberry32 over an FNV-1a hash). */
export function randomFrom(seed: string): Random {
  let state = 2166136261;
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Makes a random valid value of a definition. */
export type InstanceMaker = (name: string, random: Random) => unknown;

export function randomInstances(model: Pick<ProtocolModel, "revision" | "definitions">): InstanceMaker {
  const definitions = new Map(model.definitions.map((definition) => [definition.name, definition]));
  const typeOf = (name: string): TypeModel => {
    const found = definitions.get(name);
    if (!found) throw new Error(`${model.revision} has no ${name}`);
    return found.kind === "alias" ? found.type : structOf(found);
  };

  function make(type: TypeModel, random: Random, depth: number): unknown {
    switch (type.kind) {
      case "string":
        return text(type, random);
      case "number":
      case "integer":
        return number(type, random);
      case "boolean":
        return random() < 0.5;
      case "null":
      case "never":
        return null;
      case "unknown":
        return json(random, depth);
      case "object":
        return map(random, depth, () => json(random, depth + 1));
      case "literal":
        return type.value;
      case "enum":
        return type.open && random() < 0.3 ? pick(strings, random) : pick(type.values, random);
      case "reference":
        return make(typeOf(type.name), random, depth + 1);
      case "array": {
        const { minItems = 0, maxItems = Infinity } = type;
        const wanted = depth > 8 ? 0 : random() < 0.01 ? 101 : Math.floor(random() * 4);
        return Array.from({ length: Math.min(Math.max(wanted, minItems), maxItems) }, () =>
          make(type.items, random, depth + 1),
        );
      }
      case "map":
        return map(random, depth, () => make(type.values, random, depth + 1));
      case "struct":
        return struct(type, random, depth);
      case "all": {
        const parts = type.members.map((member) => make(member, random, depth));
        const objects = parts.filter(isObject);
        return objects.length === parts.length ? Object.assign({}, ...objects) : pick(parts, random);
      }
      case "not":
        return random() < 0.7 ? json(random, depth) : damage(make(type.type, random, depth), random);
      case "entries":
        return entries(type, random, depth);
      case "union":
        return make(
          depth > 8 ? (type.members.at(-1) ?? type.members[0] ?? { kind: "null" }) : pick(type.members, random),
          random,
          depth,
        );
    }
  }

  function entries(type: EntriesModel, random: Random, depth: number): Record<string, unknown> {
    const names = [...type.patterns.flatMap(({ pattern }) => sampleOf(pattern) ?? []), ...keys, ...type.listed];
    const count = Math.max(type.minProperties ?? 0, Math.floor(random() * 4));
    const made = Array.from({ length: count }, () => {
      const name = type.names && random() < 0.8 ? String(make(type.names, random, depth + 1)) : pick(names, random);
      const found = type.patterns.find(({ pattern }) => new RegExp(pattern, "u").test(name));
      return [name, make(found?.type ?? type.rest ?? { kind: "unknown" }, random, depth + 1)] as const;
    });
    return Object.fromEntries(made);
  }

  function struct(
    { members, index }: { readonly members: readonly MemberModel[]; readonly index?: TypeModel },
    random: Random,
    depth: number,
  ): Record<string, unknown> {
    const entries = members
      .filter(({ optional, type }) => !optional || (type.kind !== "never" && random() < (depth > 6 ? 0.1 : 0.5)))
      .map(({ name, type }) => [name, make(type, random, depth + 1)] as const);
    const further =
      index && index.kind !== "never" && random() < 0.3
        ? [[pick(keys, random), make(index, random, depth + 1)] as const]
        : [];
    return Object.fromEntries([...further, ...entries]);
  }

  return (name, random) => make(typeOf(name), random, 0);
}

type Container = Record<string | number, unknown>;

/** Adds a fault somewhere in a value: replaces, removes, adds or repeats a part. Returns the changed value. */
export function damage(value: unknown, random: Random): unknown {
  const root: Container = { value };
  let container = root;
  let key: string | number = "value";
  for (;;) {
    const inner: unknown = container[key];
    if (typeof inner !== "object" || inner === null || random() < 0.2) break;
    const names: readonly (string | number)[] = Array.isArray(inner) ? [...inner.keys()] : Object.keys(inner);
    if (names.length === 0) break;
    container = inner as Container;
    key = pick(names, random);
  }
  const kind = random();
  if (kind < 0.25 && container !== root) {
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else Reflect.deleteProperty(container, key);
  } else if (
    kind < 0.35 &&
    typeof container[key] === "object" &&
    container[key] !== null &&
    !Array.isArray(container[key])
  ) {
    define(container[key] as Container, pick(keys, random), json(random, 6));
  } else if (kind < 0.6 && typeof container[key] === "number") {
    container[key] = pick(numbers, random);
  } else if (kind < 0.6 && typeof container[key] === "string") {
    container[key] = pick(strings, random);
  } else define(container, key, json(random, 6));
  return root["value"];
}

function json(random: Random, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 6 ? 4 : 6));
  switch (kind) {
    case 0:
      return pick(strings, random);
    case 1:
      return pick(numbers, random);
    case 2:
      return random() < 0.5;
    case 3:
      return null;
    case 4:
      return Array.from({ length: Math.floor(random() * 3) }, () => json(random, depth + 2));
    default:
      return map(random, depth, () => json(random, depth + 2));
  }
}

function map(random: Random, depth: number, value: () => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: depth > 8 ? 0 : Math.floor(random() * 3) }, () => [pick(keys, random), value()]),
  );
}

function text(type: Extract<TypeModel, { kind: "string" }>, random: Random): string {
  const { minLength, maxLength, pattern } = type;
  const fitting = [
    ...(pattern === undefined ? [] : [sampleOf(pattern), sampleOf(pattern, minLength)]),
    ...[minLength, maxLength].flatMap((length) =>
      length === undefined ? [] : ["x".repeat(length), "😀".repeat(length)],
    ),
  ].filter((found) => found !== undefined);
  return fitting.length > 0 && random() < 0.8 ? pick(fitting, random) : pick(strings, random);
}

function number(
  {
    kind,
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf,
  }: Extract<TypeModel, { kind: "number" | "integer" }>,
  random: Random,
): number {
  const fitting = [
    ...numbers,
    ...(minimum === undefined ? [] : [minimum]),
    ...(maximum === undefined ? [] : [maximum]),
    ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum + 1]),
    ...(exclusiveMaximum === undefined ? [] : [exclusiveMaximum - 1]),
    ...(multipleOf === undefined ? [] : [multipleOf * 3, multipleOf * 10]),
  ].filter(
    (value) =>
      (kind === "number" || Number.isInteger(value)) &&
      value >= (minimum ?? -Infinity) &&
      value <= (maximum ?? Infinity),
  );
  return fitting.length > 0 ? pick(fitting, random) : pick(numbers, random);
}

/** Defines a member, also with names that assignment treats specially. */
function define(container: Container, key: string | number, value: unknown): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

const numbers: readonly number[] = [
  0,
  1,
  -1,
  0.5,
  1.5,
  -0.25,
  2,
  100,
  101,
  -32602,
  1.0000001,
  2 ** 53,
  1e308,
  -1e-7,
  4294967296.5,
];

// prettier-ignore
const strings: readonly string[] = [
  "", "a", "text", "image", "audio", "resource", "resource_link", "object", "string", "array", "number", "integer", "boolean",
  "2.0", "user", "assistant", "complete", "input_required", "tools/call", "notifications/cancelled", "ref/prompt", "form", "url",
  "file:///a b", "ü\u{1f600}", "\ud800", "\u0000\u2028", "__proto__", "constructor", "aGVsbG8=", "x".repeat(300),
];

// prettier-ignore
const keys: readonly string[] = [
  "a", "type", "method", "params", "name", "uri", "text", "blob", "content", "task", "result", "error", "id", "_meta", "mode",
  "__proto__", "constructor", "toString", "hasOwnProperty", "", "0", "progressToken", "enum", "oneOf", "items", "nextCursor",
  "io.modelcontextprotocol/subscriptionId", "resultType",
];
