import { assertNever } from "../../shared/assert-never.js";
import { DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../shared/is-object.js";
import type { Definition, TypeModel } from "../../shared/model/protocol.js";
import type { SourceModule } from "../../shared/model/source.js";
import { definitionsByName, entryTypes, structOf, type Definitions } from "../../shared/model/definitions.js";
import { flatten } from "../../pipeline/passes/flatten.js";
import { DiagnosticCollector } from "../../pipeline/passes/diagnostic-collector.js";
import { resolveReferences } from "../../pipeline/passes/scope.js";
import { chooseUnions } from "../../pipeline/passes/unions.js";
import { accepts } from "../../shared/model/accepts.js";
import { memberPath, quote } from "../../shared/model/print-type-expression.js";
import type { CompareSchemaFinding, AmbiguousInstance } from "./compare-schema-report.js";
import { sampleInstances } from "./sample-instances.js";

type JsonObject = Readonly<Record<string, unknown>>;
type Union = Extract<TypeModel, { kind: "union" }>;

/**
 * Unions whose alternatives cannot be distinguished, each with instances that several alternatives accept.
 * @throws DiagnosticError when a reference does not resolve or the types are cyclic
 */
export function findOrderedUnions(module: SourceModule): readonly CompareSchemaFinding[] {
  const definitions = modelled(module);
  const names = definitionsByName(definitions);
  return definitions.flatMap((definition) =>
    [...unionsIn(definition.kind === "alias" ? definition.type : structOf(definition), "")].map(([path, union]) =>
      finding(definition, path, union, names),
    ),
  );
}

/**
 * The types of a module, built without an overlay.
 * @throws DiagnosticError with all errors of the schema
 */
function modelled(module: SourceModule): readonly Definition[] {
  const collector = new DiagnosticCollector(false);
  const scope = resolveReferences(module, collector);
  if (collector.errors.length > 0) throw new DiagnosticError(collector.errors);
  const definitions = chooseUnions(flatten(scope, collector));
  if (collector.errors.length > 0) throw new DiagnosticError(collector.errors);
  return definitions;
}

function finding({ name }: Definition, path: string, union: Union, names: Definitions): CompareSchemaFinding {
  const alternatives = union.members.map(show);
  const evidence = shared(union, names);
  return {
    type: name,
    path,
    schemaTs: alternatives.join(" | "),
    schemaJson: `anyOf of ${alternatives.length} alternatives`,
    explanation: {
      kind: "ambiguity",
      id: "union-ordered",
      sentence: "The alternatives of a union cannot be distinguished: the first that accepts a value is used.",
    },
    consequence:
      evidence.length > 0
        ? "The order in which the alternatives are tried determines which one a value matches."
        : "The order in which they are tried may matter; no value was found that two of them accept.",
    evidence,
  };
}

/** Up to two small instances that several alternatives accept, by different alternatives if possible. */
function shared(union: Union, names: Definitions): readonly AmbiguousInstance[] {
  const own = union.members.map((member) => sampleInstances(member, names));
  const joined = own.flatMap((list, at) =>
    own.slice(at + 1).flatMap((others) => {
      const pairs = [[list[0], others[0]] as const, [list[1], others[0]] as const, [list[0], others[1]] as const];
      return pairs.flatMap(([one, other]) => (isObject(one) && isObject(other) ? [join(one, other)] : []));
    }),
  );
  const found = [...new Map([...own.flat(), ...joined].map((instance) => [JSON.stringify(instance), instance]))]
    .map(([text, instance]) => ({
      text,
      instance,
      accepted: union.members.filter((member) => accepts(member, instance, names)).map(show),
    }))
    .filter(({ accepted }) => accepted.length > 1)
    .sort((a, b) => a.text.length - b.text.length || (a.text < b.text ? -1 : 1));
  const [first] = found;
  if (!first) return [];
  const second = found.find(({ accepted }) => accepted.join() !== first.accepted.join()) ?? found[1];
  return [first, ...(second ? [second] : [])].map(({ instance, accepted }) => ({ instance, accepted }));
}

/** Merges two objects, so that the result may be an instance of either type. */
function join(one: JsonObject, other: JsonObject): JsonObject {
  const both = Object.entries(other).map(([name, value]): readonly [string, unknown] => {
    const known = one[name];
    return [name, isObject(known) && isObject(value) ? join(known, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}

/** The unions that a type declares, without those of inherited members. */
function* unionsIn(type: TypeModel, path: string): Generator<readonly [path: string, union: Union]> {
  switch (type.kind) {
    case "union":
      if (type.choice.kind === "ordered" && !type.exclusive) yield [path, type];
      for (const member of type.members) yield* unionsIn(member, path);
      return;
    case "all":
      for (const member of type.members) yield* unionsIn(member, path);
      return;
    case "not":
      yield* unionsIn(type.type, path);
      return;
    case "entries":
      for (const inner of entryTypes(type)) yield* unionsIn(inner, `${path}[key]`);
      return;
    case "array":
      yield* unionsIn(type.items, `${path}[]`);
      return;
    case "map":
      yield* unionsIn(type.values, `${path}[key]`);
      return;
    case "struct":
      for (const member of type.members)
        if (member.inheritedFrom === undefined) yield* unionsIn(member.type, memberPath(path, member.name));
      if (type.index) yield* unionsIn(type.index, `${path}[key]`);
      return;
    default:
      return;
  }
}

function show(type: TypeModel): string {
  switch (type.kind) {
    case "reference":
      return type.name;
    case "literal":
      return quote(type.value);
    case "enum":
      return [...type.values.map(quote), ...(type.open ? ["string"] : [])].join(" | ");
    case "array":
      return type.items.kind === "union" ? `(${show(type.items)})[]` : `${show(type.items)}[]`;
    case "map":
      return `{ [key: string]: ${show(type.values)} }`;
    case "struct":
      return `{ ${type.members.map(({ name, optional }) => `${name}${optional ? "?" : ""}`).join("; ")} }`;
    case "union":
      return type.members.map(show).join(" | ");
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
    case "unknown":
    case "never":
    case "object":
      return type.kind;
    case "all":
      return type.members.map(show).join(" & ");
    case "not":
      return `not (${show(type.type)})`;
    case "entries":
      return `{ [key: string]: ${entryTypes(type).map(show).join(" | ") || "unknown"} }`;
    default:
      return assertNever(type);
  }
}
