import { findDeclaration } from "../model/find-declaration.js";
import { mapDeclaredTypes, mapInnerTypes } from "../model/inner-expressions.js";
import type { Declaration, Member, SourceModule, Tags, TypeExpression } from "../model/source.js";
import { digest } from "./digest.js";
import { flatMembers } from "./inherited-members.js";
import { flattenUnion } from "../model/flatten-union.js";

/**
 * The facts that the official printer of schema.json loses or changes, as transformations of a module read from
 * schema.ts.
 * Applied in this order, they produce the module that is read from the printed file.
 */
export interface LossyRule {
  readonly id: string;
  /** One sentence: the change to a declaration. */
  readonly sentence: string;
  /** The declaration as printed; `undefined` when it is not printed. `module` is the result of the previous rules. */
  readonly apply: (declaration: Declaration, module: SourceModule) => Declaration | undefined;
}

export const lossyRules: readonly LossyRule[] = [
  {
    id: "constant-inlined",
    sentence: "`typeof CONSTANT` becomes its value.",
    apply: (declaration, module) =>
      mapTypes(declaration, (type) => {
        if (type.kind !== "constant") return type;
        const found = findDeclaration(module, type.name);
        return found?.kind === "constant" ? { kind: "literal", value: found.value } : type;
      }),
  },
  {
    id: "constant-dropped",
    sentence: "A constant is not printed.",
    apply: (declaration) => (declaration.kind === "constant" ? undefined : declaration),
  },
  {
    id: "extends-flattened",
    sentence: "Inherited members are copied and the `extends` list is dropped; an inherited index signature is lost.",
    apply: (declaration, module) =>
      declaration.kind === "interface" && declaration.heritage.length > 0
        ? { ...declaration, heritage: [], members: flatMembers(declaration, module) }
        : declaration,
  },
  {
    id: "null-dropped",
    sentence: "`null` is lost from a union unless the member is tagged @nullable.",
    apply: (declaration) =>
      mapTypes(declaration, (type, tags) => {
        if (type.kind !== "union" || tags.nullable) return type;
        const members = type.members.filter((member) => !(member.kind === "primitive" && member.name === "null"));
        return members.length === type.members.length ? type : { kind: "union", members };
      }),
  },
  {
    id: "number-as-integer",
    sentence: "`number` is printed as integer unless the member is tagged @TJS-type number.",
    apply: (declaration) =>
      mapTypes(declaration, (type, tags) =>
        type.kind === "primitive" && type.name === "number" && tags.jsonType !== "number"
          ? { kind: "primitive", name: "integer" }
          : type,
      ),
  },
  {
    id: "open-enum-as-string",
    sentence: "Literals beside `string` in a union are lost.",
    apply: (declaration) =>
      mapTypes(declaration, (type) => {
        if (
          type.kind !== "union" ||
          !type.members.some((member) => member.kind === "primitive" && member.name === "string")
        )
          return type;
        const members = type.members.filter((member) => member.kind !== "literal");
        const [only, ...rest] = members;
        return only && rest.length === 0 ? only : { kind: "union", members };
      }),
  },
  {
    id: "string-alias-inlined",
    sentence: "A reference to an alias of string is replaced by string.",
    apply: (declaration, module) =>
      mapTypes(declaration, (type) => {
        const found = type.kind === "reference" ? findDeclaration(module, type.name) : undefined;
        return found?.kind === "alias" && found.type.kind === "primitive" && found.type.name === "string"
          ? found.type
          : type;
      }),
  },
  {
    id: "any-as-unknown",
    sentence: "`any` is printed like `unknown`.",
    apply: (declaration) =>
      mapTypes(declaration, (type) =>
        type.kind === "primitive" && type.name === "any" ? { kind: "primitive", name: "unknown" } : type,
      ),
  },
  {
    id: "record-opaque",
    sentence: "`Record<string, unknown>` is printed as an object without any facts about its members.",
    apply: (declaration) =>
      mapTypes(declaration, (type) =>
        type.kind === "record" && !type.keys && type.values.kind === "primitive" && type.values.name === "unknown"
          ? { kind: "object", members: [] }
          : type,
      ),
  },
  {
    id: "alias-expanded-in-union",
    sentence: "Inside a union, an alias of a union, an array or another name is replaced by its type.",
    apply: (declaration, module) =>
      mapTypes(declaration, (type) =>
        type.kind === "union" ? { kind: "union", members: expandAliases(type.members, module) } : type,
      ),
  },
  {
    id: "alias-of-alias-resolved",
    sentence: "An alias of an alias refers to the type of the latter.",
    apply: (declaration, module) =>
      declaration.kind === "alias" && declaration.type.kind === "reference"
        ? { ...declaration, type: expandAliases([declaration.type], module)[0] ?? declaration.type }
        : declaration,
  },
  {
    id: "alias-of-closed-interface-copied",
    sentence: "An alias of one interface without an index signature is printed as a copy of it.",
    apply: (declaration, module) => {
      if (declaration.kind !== "alias" || declaration.type.kind !== "reference") return declaration;
      const { name } = declaration.type;
      const target = findDeclaration(module, name);
      return target?.kind === "interface" && !target.index
        ? { ...target, name: declaration.name, span: declaration.span, tags: declaration.tags }
        : declaration;
    },
  },
  {
    id: "alias-of-object-as-interface",
    sentence: "An alias of an object type is printed like an interface.",
    apply: (declaration) => {
      if (declaration.kind !== "alias" || declaration.type.kind !== "object") return declaration;
      const { type, ...rest } = declaration;
      return {
        ...rest,
        kind: "interface",
        heritage: [],
        members: type.members,
        ...(type.index && { index: type.index }),
      };
    },
  },
  {
    id: "tags-dropped",
    sentence: "@TJS-type and @nullable are consumed; @internal and @deprecated are lost.",
    apply: (declaration) => dropTags(declaration),
  },
];

export interface LossyResult {
  readonly module: SourceModule;
  /** Rule id -> names of the declarations that it changed. */
  readonly touched: Readonly<Record<string, readonly string[]>>;
}

/**
 * Converts a module read from schema.ts to the module that is read from its official schema.json.
 * @param rules those of the printer that made the schema.json
 */
export function applyLossyRules(module: SourceModule, rules = lossyRules): LossyResult {
  const touched: Record<string, readonly string[]> = {};
  for (const { id, apply } of rules) {
    const names: string[] = [];
    const declarations = module.declarations.flatMap((declaration) => {
      const printed = apply(declaration, module);
      if (!printed || digest(printed) !== digest(declaration)) names.push(declaration.name);
      return printed ? [printed] : [];
    });
    module = { ...module, syntax: "json-schema", declarations };
    touched[id] = names.sort();
  }
  return { module, touched };
}

function expandAliases(members: readonly TypeExpression[], module: SourceModule): readonly TypeExpression[] {
  return members.flatMap((member) => {
    if (member.kind !== "reference") return [member];
    const found = findDeclaration(module, member.name);
    if (found?.kind !== "alias") return [member];
    switch (found.type.kind) {
      case "union":
        return expandAliases(flattenUnion(found.type.members), module);
      case "array":
        return [found.type];
      case "reference":
        return expandAliases([found.type], module);
      default:
        return [member];
    }
  });
}

/** Rebuilds every type expression of a declaration bottom-up; `tags` are those of the nearest member. */
export function mapTypes(
  declaration: Declaration,
  change: (type: TypeExpression, tags: Tags) => TypeExpression,
): Declaration {
  const map = (type: TypeExpression, tags: Tags): TypeExpression =>
    change(
      mapInnerTypes(type, (inner, own) => map(inner, own ?? tags)),
      tags,
    );
  return mapDeclaredTypes(declaration, (type, own) => map(type, own ?? declaration.tags));
}

function dropTags(declaration: Declaration): Declaration {
  const plain = (tags: Tags): Tags => {
    const { jsonType: _jsonType, nullable: _nullable, internal: _internal, deprecated: _deprecated, ...kept } = tags;
    return kept;
  };
  const members = (list: readonly Member[]): readonly Member[] =>
    list.map((member) => ({ ...member, tags: plain(member.tags) }));
  const inner = mapTypes(declaration, (type) =>
    type.kind === "object" ? { ...type, members: members(type.members) } : type,
  );
  return inner.kind === "interface"
    ? { ...inner, tags: plain(inner.tags), members: members(inner.members) }
    : { ...inner, tags: plain(inner.tags) };
}
