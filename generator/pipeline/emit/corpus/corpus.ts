import { accepts } from "../../../shared/model/accepts.js";
import type { ProtocolModel, TypeModel } from "../../../shared/model/protocol.js";
import { resolveAliases, definitionsByName, type Definitions } from "../../../shared/model/definitions.js";
import { instanceMaker } from "./instances.js";
import { mutate } from "./mutations.js";

/** Valid and invalid instances of every type of a revision, as data for any implementation. */
export interface Corpus {
  readonly format: 1;
  readonly revision: string;
  readonly types: Readonly<Record<string, TypeCorpus>>;
}

export interface TypeCorpus {
  /** Valid instances: a minimal one, one with every member, and some with other alternatives inside. */
  readonly instances: readonly unknown[];
  /** Whether an instance stays valid when one place in it is changed. */
  readonly changes: readonly CorpusChange[];
}

export interface CorpusChange {
  /** Index of the instance that is changed. */
  readonly of: number;
  /** Member names and array indices that lead to the place. */
  readonly path: readonly (string | number)[];
  /** The new value. Absent: the place is removed. */
  readonly value?: unknown;
  readonly valid: boolean;
}

/** How deep changes go: the members of a type's members. Deeper values belong to other types. */
const depth = 2;

/** Nested types have instances of their own, so a message need not repeat them all. */
const maxInstances = 6;

/**
 * CORPUS: instances made from the model, and whether each is still valid after each change.
 * @param imported definitions that belong to another model
 */
export function emitCorpus(model: ProtocolModel, imported: ReadonlySet<string> = new Set()): Corpus {
  const names = definitionsByName(model.definitions);
  const maker = instanceMaker(model);
  const own = model.definitions.filter(({ name }) => !imported.has(name));
  const types = own.map(({ name }): [string, TypeCorpus] => {
    const type: TypeModel = { kind: "reference", name };
    const instances = firstFitting([maker.minimal(name), ...maker.full(name)], type, names);
    const whole = instances.length > 1 ? 1 : 0;
    if (instances.length === 0) return [name, { instances, changes: [] }];
    return [name, { instances, changes: changesOf(instances[whole], whole, type, names) }];
  });
  return { format: 1, revision: model.revision, types: Object.fromEntries(types) };
}

/** The corpus as JSON with a type per line. */
export function printCorpus({ types, ...head }: Corpus): string {
  const rows = Object.entries(types).map(([name, type]) => `    ${JSON.stringify(name)}: ${JSON.stringify(type)}`);
  return `{\n  "format": ${head.format},\n  "revision": ${JSON.stringify(head.revision)},\n  "types": {\n${rows.join(",\n")}\n  }\n}\n`;
}

function changesOf(instance: unknown, of: number, type: TypeModel, names: Definitions): readonly CorpusChange[] {
  const changes: CorpusChange[] = [];
  const copy = JSON.parse(JSON.stringify(instance)) as unknown;
  mutate(copy, depth, (changed, _, path) => {
    const place = valueAt(changed, path);
    changes.push({
      of,
      path,
      ...(place !== undefined && { value: JSON.parse(JSON.stringify(place)) as unknown }),
      valid: accepts(type, changed, names),
    });
  });
  for (const { path, values } of boundsOf(type, names)) {
    for (const value of values) {
      const changed = withValue(instance, path, value);
      if (changed !== undefined) changes.push({ of, path, value, valid: accepts(type, changed, names) });
    }
  }
  return changes;
}

interface Bounds {
  readonly path: readonly (string | number)[];
  readonly values: readonly unknown[];
}

/** Values at the bounds of a type's members, and just outside. */
function boundsOf(type: TypeModel, names: Definitions, path: readonly string[] = []): readonly Bounds[] {
  const target = resolveAliases(type, names);
  switch (target.kind) {
    case "string": {
      const lengths = [target.minLength, target.maxLength].flatMap((bound) =>
        bound === undefined ? [] : [bound, Math.max(0, bound - 1), bound + 1],
      );
      const values = lengths.map((length) => "\u{1f600}".repeat(length));
      return values.length > 0 ? [{ path, values }] : [];
    }
    case "number":
    case "integer": {
      const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = target;
      const values = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf].flatMap((bound) =>
        bound === undefined ? [] : [bound, bound - 1, bound + 1],
      );
      return values.length > 0 ? [{ path, values }] : [];
    }
    case "array": {
      const limits = [target.minItems, target.maxItems].flatMap((bound) =>
        bound === undefined ? [] : [bound, bound + 1],
      );
      const values = limits.map((length) => Array.from({ length }, () => ""));
      return values.length > 0 ? [{ path, values }] : [];
    }
    case "struct":
      return path.length >= depth
        ? []
        : target.members.flatMap((member) => boundsOf(member.type, names, [...path, member.name]));
    default:
      return [];
  }
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value);
}

function withValue(value: unknown, path: readonly (string | number)[], replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (typeof value !== "object" || value === null) return undefined;
  const inner = withValue((value as Record<string | number, unknown>)[step], rest, replacement);
  return inner === undefined ? undefined : { ...value, [step]: inner };
}

/** The first instances, each once. The parts of some types depend on each other, so that not every value fits. */
function firstFitting(made: readonly unknown[], type: TypeModel, names: Definitions): readonly unknown[] {
  const found = new Map<string, unknown>();
  for (const value of made) {
    if (found.size === maxInstances) break;
    const text = JSON.stringify(value);
    if (!found.has(text) && accepts(type, value, names)) found.set(text, value);
  }
  return [...found.values()];
}
