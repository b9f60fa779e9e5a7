import { createHash } from "node:crypto";
import { assertNever } from "../assert-never.js";
import { flattenUnion } from "../model/flatten-union.js";
import type {
  Declaration,
  EntriesExpression,
  Heritage,
  Member,
  SourceModule,
  Tags,
  TypeExpression,
  TypeParameter,
} from "../model/source.js";

/**
 * A digest of the facts of a declaration, without prose, layout, or the order of members and alternatives.
 * Two schemas state the same facts about a type exactly when its digests are equal.
 */
export function digest(declaration: Declaration): string {
  return createHash("sha256")
    .update(JSON.stringify(canonicalFacts(declaration)))
    .digest("hex")
    .slice(0, 16);
}

export function digestsByName(module: SourceModule): Record<string, string> {
  return Object.fromEntries(
    module.declarations.map((declaration) => [declaration.name, digest(declaration)] as const).sort(byKey),
  );
}

type Json = string | number | boolean | null | readonly Json[] | Readonly<{ [key: string]: Json }>;

export function canonicalFacts(declaration: Declaration): Json {
  const tags = tagFacts(declaration.tags);
  switch (declaration.kind) {
    case "constant":
      return { kind: "constant", value: declaration.value, tags };
    case "derived-constant":
      return { kind: "constant", type: typeFacts(declaration.type), tags };
    case "alias":
      return { kind: "alias", type: typeFacts(declaration.type), tags, ...parameterFacts(declaration) };
    case "interface": {
      const heritage = sorted(declaration.heritage.map(heritageFacts));
      return { kind: "interface", heritage, ...bodyFacts(declaration), tags, ...parameterFacts(declaration) };
    }
    default:
      return assertNever(declaration);
  }
}

function heritageFacts({ name, omit, type }: Heritage): Json {
  return type ? { type: typeFacts(type) } : { name, omit: [...omit].sort() };
}

function parameterFacts({ parameters }: { readonly parameters?: readonly TypeParameter[] }): Record<string, Json> {
  const facts = parameters?.map(({ name, defaultType }) => ({
    name,
    ...(defaultType && { default: typeFacts(defaultType) }),
  }));
  return facts ? { parameters: facts } : {};
}

function bodyFacts({ members, index }: { members: readonly Member[]; index?: TypeExpression }): Record<string, Json> {
  return {
    members: sorted(
      members.map(({ name, optional, type, tags }) => ({
        name,
        optional,
        type: typeFacts(type),
        tags: tagFacts(tags),
      })),
    ),
    ...(index && { index: typeFacts(index) }),
  };
}

function typeFacts(type: TypeExpression): Json {
  switch (type.kind) {
    case "primitive":
      return { kind: "primitive", name: type.name, ...innerTags(type) };
    case "literal":
      return { kind: "literal", value: type.value };
    case "constant":
    case "parameter":
      return { kind: type.kind, name: type.name };
    case "reference":
      return {
        kind: "reference",
        name: type.name,
        ...(type.arguments && { arguments: type.arguments.map(typeFacts) }),
      };
    case "template":
      return { kind: "template", texts: type.texts };
    case "omit":
      return { kind: "omit", name: type.name, keys: [...type.keys].sort() };
    case "array":
      return { kind: "array", items: typeFacts(type.items), ...innerTags(type) };
    case "record":
      return {
        kind: "record",
        ...(type.keys && { keys: typeFacts(type.keys) }),
        values: typeFacts(type.values),
        ...(type.isOptional && { isOptional: true }),
      };
    case "utility":
      return {
        kind: "utility",
        name: type.name,
        of: typeFacts(type.of),
        ...(type.keys && { keys: typeFacts(type.keys) }),
      };
    case "indexed":
      return { kind: "indexed", of: typeFacts(type.of), key: typeFacts(type.key) };
    case "keyof":
      return { kind: "keyof", of: typeFacts(type.of) };
    case "object":
      return { kind: "object", ...bodyFacts(type) };
    case "union":
      return type.exclusive
        ? { kind: "union", members: sorted(type.members.map(typeFacts)), exclusive: true }
        : { kind: "union", members: sorted(flattenUnion(type.members).map(typeFacts)) };
    case "intersection":
      return { kind: "intersection", members: sorted(type.members.map(typeFacts)) };
    case "not":
      return { kind: "not", type: typeFacts(type.type) };
    case "entries":
      return entriesFacts(type);
    default:
      return assertNever(type);
  }
}

function entriesFacts({ patterns, rest, names, listed, ...bounds }: EntriesExpression): Json {
  return {
    ...bounds,
    patterns: sorted(patterns.map(({ pattern, type }) => ({ pattern, type: typeFacts(type) }))),
    listed: [...listed].sort(),
    ...(rest && { rest: typeFacts(rest) }),
    ...(names && { names: typeFacts(names) }),
  };
}

function innerTags({ tags }: { readonly tags?: Tags }): Record<string, Json> {
  return tags ? { tags: tagFacts(tags) } : {};
}

function tagFacts({ deprecated, ...tags }: Tags): Json {
  const entries: [string, Json][] = Object.entries(tags);
  if (deprecated !== undefined) entries.push(["deprecated", true]);
  return Object.fromEntries(entries.sort(byKey));
}

function sorted(values: readonly Json[]): readonly Json[] {
  return [...values]
    .map((value) => [JSON.stringify(value), value] as const)
    .sort(byKey)
    .map(([, value]) => value);
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
