import { findDeclaration } from "../model/find-declaration.js";
import type { Declaration, Member, SourceModule, Tags, TypeExpression } from "../model/source.js";
import { lossyRules, mapTypes, type LossyRule } from "./lossy-rules.js";

/**
 * What the schema.json of the official extensions loses or changes. Another printer makes it than that of the
 * specification: ts-to-zod and then zod's own conversion. Rules of both printers have one id.
 */
export const zodRules: readonly LossyRule[] = [
  {
    id: "import-named-as-declared",
    sentence: "An imported type has the name of its declaration, not the local one.",
    apply: (declaration, { imports = [] }) =>
      mapTypes(declaration, (type) => {
        const named = type.kind === "reference" && imports.find(({ local }) => local === type.name);
        return named ? { ...type, name: named.name } : type;
      }),
  },
  ofBoth("extends-flattened"),
  {
    id: "integer-with-safe-bounds",
    sentence: "An integer has the bounds of those that JavaScript can represent.",
    apply: (declaration) => withMembers(declaration, safeInteger),
  },
  {
    id: "type-inlined",
    sentence: "A reference to a type of the same file is replaced by that type.",
    apply: (declaration, module) => mapTypes(declaration, (type) => inlined(type, module)),
  },
  {
    id: "record-as-object",
    sentence: "`Record<string, T>` is printed as an object with an index signature.",
    apply: (declaration) =>
      mapTypes(declaration, (type) =>
        type.kind === "record" ? { kind: "object", members: [], index: type.values } : type,
      ),
  },
  ofBoth("alias-of-object-as-interface"),
  ofBoth("tags-dropped"),
];

const safe: Tags = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

function safeInteger(member: Member): Member {
  const { type, tags } = member;
  if (isInteger(type)) return { ...member, tags: { ...tags, ...safe } };
  if (type.kind !== "union") return member;
  const members = type.members.map((one) => (isInteger(one) ? { ...one, tags: safe } : one));
  return { ...member, type: { ...type, members } };
}

function isInteger(type: TypeExpression): type is Extract<TypeExpression, { kind: "primitive" }> {
  return type.kind === "primitive" && type.name === "integer";
}

/** References that lead back to themselves stay as they are. */
function inlined(type: TypeExpression, module: SourceModule, open: readonly string[] = []): TypeExpression {
  if (type.kind !== "reference" || open.includes(type.name)) return type;
  const target = findDeclaration(module, type.name);
  if (target?.kind !== "interface" && target?.kind !== "alias") return type;
  const inner = mapTypes(target, (one) => inlined(one, module, [...open, type.name]));
  if (inner.kind === "alias") return inner.type;
  if (inner.kind !== "interface") return type;
  return { kind: "object", members: inner.members, ...(inner.index && { index: inner.index }) };
}

/** Changes the members of a declaration and of the objects inside it. */
function withMembers(declaration: Declaration, change: (member: Member) => Member): Declaration {
  const inner = mapTypes(declaration, (type) =>
    type.kind === "object" ? { ...type, members: type.members.map(change) } : type,
  );
  return inner.kind === "interface" ? { ...inner, members: inner.members.map(change) } : inner;
}

/** A rule that describes the printer of the specification, too. */
function ofBoth(id: string): LossyRule {
  const rule = lossyRules.find((one) => one.id === id);
  if (!rule) throw new TypeError(`no lossy rule ${id}`);
  return rule;
}
