import { assertNever } from "../../shared/assert-never.js";
import type {
  AliasDefinition,
  Definition,
  MemberModel,
  StructDefinition,
  TypeModel,
} from "../../shared/model/protocol.js";
import type {
  AliasDeclaration,
  Declaration,
  EntriesExpression,
  Heritage,
  Member,
  Span,
  Tags,
  TypeExpression,
} from "../../shared/model/source.js";
import { templatePattern } from "../../shared/model/template.js";
import { structureKey } from "../../shared/model/structure.js";
import { flattenUnion } from "../../shared/model/flatten-union.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import { allOf } from "./all-of.js";
import { bodyOf, objectType, type Body } from "./body.js";
import { IntersectionReader } from "./distribute-intersection.js";
import type { Scope } from "./scope.js";
import { TypeOperators, type TypeReader } from "./type-operators.js";
import { unionOf } from "./union-of.js";

/**
 * FLATTEN: converts each declaration to a definition with inherited members, and with `Omit` and intersections applied.
 */
export function flatten(scope: Scope, collector: DiagnosticCollector): Definition[] {
  const flattener = new Flattener(scope, collector);
  return [...scope.values()].flatMap((declaration) => {
    const definition = flattener.definition(declaration);
    return definition ? [definition] : [];
  });
}

class Flattener implements TypeReader {
  private readonly bodies = new Map<string, Body>();
  /** Types of aliases; undefined for those in progress. */
  private readonly aliases = new Map<string, TypeModel | undefined>();
  /** Names whose bodies are in progress, outermost first. */
  private readonly open: string[] = [];

  private readonly operators = new TypeOperators(this);
  private readonly intersections = new IntersectionReader(this, (name) => this.open.includes(name));

  constructor(
    readonly scope: Scope,
    readonly collector: DiagnosticCollector,
  ) {}

  definition(declaration: Declaration): Definition | undefined {
    const documented = {
      name: declaration.name,
      ...(declaration.text !== undefined && { text: declaration.text }),
      ...deprecatedBy(declaration.tags),
      ...("annotations" in declaration && { annotations: declaration.annotations }),
    };
    switch (declaration.kind) {
      case "constant":
      case "derived-constant":
        return undefined;
      case "interface":
        return {
          kind: "struct",
          ...documented,
          bases: declaration.heritage.flatMap((base) => (base.type ? [] : [base.name])),
          ...this.body(declaration.name),
        } satisfies StructDefinition;
      case "alias": {
        const type = this.aliasType(declaration) ?? { kind: "unknown" };
        if (type.kind === "struct")
          return { ...documented, bases: [], ...type, kind: "struct" } satisfies StructDefinition;
        return { kind: "alias", ...documented, type } satisfies AliasDefinition;
      }
      default:
        return assertNever(declaration);
    }
  }

  aliasType(alias: AliasDeclaration): TypeModel | undefined {
    const { name } = alias;
    if (this.aliases.has(name)) return this.aliases.get(name);
    this.aliases.set(name, undefined);
    const type = this.type(alias.type, alias.tags, name);
    this.aliases.set(name, type);
    return type;
  }

  /** Members and index signature of a named object type, inherited ones first. */
  body(name: string): Body {
    const known = this.bodies.get(name);
    if (known) return known;
    if (this.open.includes(name)) {
      this.selfCopied(name, this.open.slice(this.open.indexOf(name)));
      return { members: [] };
    }
    this.open.push(name);
    const declaration = this.scope.get(name);
    const body =
      declaration?.kind === "interface"
        ? this.merge(
            declaration.name,
            declaration.heritage.map((base) => this.base(base, declaration.name)),
            this.ownBody(declaration, declaration.name),
          )
        : declaration?.kind === "alias"
          ? this.objectBody(this.aliasType(declaration) ?? this.selfCopied(name, [name]), name)
          : { members: [] };
    this.open.pop();
    this.bodies.set(name, body);
    return body;
  }

  /** An operator inside a type cannot have the members of that type, which are not all known yet. */
  private selfCopied(name: string, path: readonly string[]): TypeModel {
    const values = { name, path: [...path, name].join(" -> ") };
    this.collector.error("cyclic-operand", values, this.scope.get(name)?.span);
    return { kind: "object" };
  }

  private base({ name, omit, type, span }: Heritage, owner: string): Body {
    if (type) return this.expressionBody(name, this.type(type, {}, owner), owner, span);
    const { members, ...rest } = omit.length > 0 ? this.omitted(name, omit, span) : this.body(name);
    return {
      ...rest,
      members: members
        .filter((member) => !omit.includes(member.name))
        .map((member) => ({ inheritedFrom: name, ...member })),
    };
  }

  private expressionBody(name: string, type: TypeModel, owner: string, span: Span): Body {
    if (["struct", "map", "object", "reference"].includes(type.kind)) return this.objectBody(type, owner);
    const construct = `the base ${name}, which is not an object type,`;
    this.collector.error("unsupported-construct", { construct }, span);
    return { members: [] };
  }

  /** The body that `Omit` applies to. With an index signature, `Omit` would drop all listed members. */
  private omitted(name: string, keys: readonly string[], span: Span): Body {
    const body = this.body(name);
    if (body.index && body.members.some((member) => !keys.includes(member.name)))
      this.collector.error("unsupported-construct", { construct: "Omit of a type with an index signature" }, span);
    return body;
  }

  private ownBody({ members, index }: { members: readonly Member[]; index?: TypeExpression }, owner: string): Body {
    return {
      members: members.map((member) => this.member(member, owner)),
      ...(index && { index: this.type(index, {}, owner) }),
    };
  }

  private member(member: Member, owner: string): MemberModel {
    const { name, text, tags, annotations, default: value } = member;
    const { optional, type } = this.operators.declared(member, owner);
    return {
      name,
      optional,
      type,
      ...(text !== undefined && { text }),
      ...deprecatedBy(tags),
      ...(annotations && { annotations }),
      ...(value !== undefined && { default: value }),
    };
  }

  private merge(owner: string, bases: readonly Body[], own: Body): Body {
    const members = new Map<string, MemberModel>();
    const redeclared = new Set(own.members.map((member) => member.name));
    for (const member of bases.flatMap((base) => base.members)) {
      const other = members.get(member.name);
      if (other && !redeclared.has(member.name) && !same(other, member)) {
        const values = {
          owner,
          member: member.name,
          first: other.inheritedFrom ?? owner,
          second: member.inheritedFrom ?? owner,
        };
        this.collector.error("member-conflict", values, this.scope.get(owner)?.span);
      }
      if (!other) members.set(member.name, member);
    }
    for (const member of own.members) members.set(member.name, member);
    const [index] = own.index ? [own.index] : bases.flatMap((base) => base.index ?? []);
    if (!own.index && bases.some((base) => base.index && !same(base.index, index))) this.indexConflict(owner);
    return { members: [...members.values()], ...(index && { index }) };
  }

  type(type: TypeExpression, memberTags: Tags, owner: string): TypeModel {
    const tags = ("tags" in type ? type.tags : undefined) ?? memberTags;
    switch (type.kind) {
      case "primitive":
        switch (type.name) {
          case "string":
            return { kind: "string", ...pick(tags, "format", "minLength", "maxLength", "pattern") };
          case "number":
          case "integer":
            return {
              kind: type.name,
              ...pick(tags, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
            };
          case "any":
          case "unknown":
            return { kind: "unknown" };
          default:
            return { kind: type.name };
        }
      case "literal":
        return { kind: "literal", value: type.value };
      case "constant": {
        const target = this.scope.get(type.name);
        return target?.kind === "constant" ? { kind: "literal", value: target.value } : { kind: "unknown" };
      }
      case "reference":
        return { kind: "reference", name: type.name };
      case "omit": {
        const { members, ...rest } = this.omitted(type.name, type.keys, type.span);
        return objectType({ ...rest, members: members.filter((member) => !type.keys.includes(member.name)) });
      }
      case "array":
        return {
          kind: "array",
          items: this.type(type.items, withoutBounds(tags), owner),
          ...pick(tags, "minItems", "maxItems", "uniqueItems"),
        };
      case "record":
        return this.operators.record(type, owner);
      case "utility":
        return this.operators.utility(type, owner);
      case "keyof":
        return this.operators.keyOf(type.of, owner);
      case "indexed":
        return this.operators.indexed(type, owner).type;
      case "template":
        return this.template(type);
      case "parameter":
        return { kind: "unknown" }; // resolveReferences has reported it
      case "object":
        return objectType(this.ownBody(type, owner));
      case "union":
        // Whether no value fits two alternatives is known when all names are.
        return type.exclusive
          ? {
              kind: "union",
              members: type.members.map((member) => this.type(member, tags, owner)),
              choice: { kind: "ordered" },
              exclusive: true,
            }
          : this.union(flattenUnion(type.members), tags, owner);
      case "not": {
        const inner = this.type(type.type, {}, owner);
        if (inner.kind === "unknown" || inner.kind === "never")
          return { kind: inner.kind === "unknown" ? "never" : "unknown" };
        return inner.kind === "not" ? inner.type : { kind: "not", type: inner };
      }
      case "entries":
        return this.entries(type, owner);
      case "intersection":
        if (type.exact)
          return allOf(
            type.members.map((member) => this.type(member, tags, owner)),
            { bodyOf: (member) => this.mergeable(member), isObject: (member) => this.isObject(member) },
          );
        return this.intersections.read(
          type.members.map((member) => this.type(member, tags, owner)),
          owner,
        );
      default:
        return assertNever(type);
    }
  }

  private template({ texts, span }: Extract<TypeExpression, { kind: "template" }>): TypeModel {
    const pattern = templatePattern(texts);
    if (pattern !== undefined) return { kind: "string", pattern, template: texts };
    const construct = "a template literal type with more than one `${string}` in front of its last text";
    this.collector.error("unsupported-construct", { construct }, span);
    return { kind: "string" };
  }

  private union(members: readonly TypeExpression[], tags: Tags, owner: string): TypeModel {
    return unionOf(members.map((member) => this.type(member, tags, owner)));
  }

  private entries({ patterns, rest, names, ...bounds }: EntriesExpression, owner: string): TypeModel {
    return {
      ...bounds,
      patterns: patterns.map((found) => ({ ...found, type: this.type(found.type, {}, owner) })),
      ...(rest && { rest: this.type(rest, {}, owner) }),
      ...(names && { names: this.type(names, {}, owner) }),
    };
  }

  /** The object of a type whose members can stand in one object with those of another type. */
  private mergeable(type: TypeModel): Body | undefined {
    if (type.kind === "reference") {
      const target = this.scope.get(type.name);
      const isObject = target?.kind === "interface" && !this.open.includes(type.name);
      return isObject ? this.mergeable({ kind: "struct", ...this.objectBody(type, type.name) }) : undefined;
    }
    const body = bodyOf(type);
    return !body?.index || body.index.kind === "unknown" ? body : undefined;
  }

  /** Whether a type accepts only objects; false for a type that is being read. */
  private isObject(type: TypeModel): boolean {
    switch (type.kind) {
      case "struct":
      case "map":
      case "object":
        return true;
      case "union":
        return type.members.every((member) => this.isObject(member));
      case "all":
        return type.members.some((member) => this.isObject(member));
      case "reference": {
        const target = this.scope.get(type.name);
        if (target?.kind !== "alias") return target?.kind === "interface";
        const known = this.aliasType(target);
        return known !== undefined && this.isObject(known);
      }
      default:
        return false;
    }
  }

  private indexConflict(owner: string): void {
    const values = { owner, member: "[key: string]", first: "one base", second: "another one" };
    this.collector.error("member-conflict", values, this.scope.get(owner)?.span);
  }

  objectBody(type: TypeModel, owner: string): Body {
    if (type.kind === "reference") {
      const { members, ...rest } = this.body(type.name);
      return { ...rest, members: members.map((member) => ({ inheritedFrom: type.name, ...member })) };
    }
    const body = bodyOf(type);
    // An intersection without values has been reported.
    if (!body && type.kind !== "never")
      this.collector.error("operand-not-object", { owner }, this.scope.get(owner)?.span);
    return body ?? { members: [] };
  }
}

function deprecatedBy(tags: Tags): { deprecated?: { text: string } } {
  return tags.deprecated === undefined ? {} : { deprecated: { text: tags.deprecated } };
}

function withoutBounds({ minItems: _min, maxItems: _max, uniqueItems: _unique, ...tags }: Tags): Tags {
  return tags;
}

function pick<K extends keyof Tags>(tags: Tags, ...keys: readonly K[]): Pick<Tags, K> {
  return Object.fromEntries(keys.filter((key) => tags[key] !== undefined).map((key) => [key, tags[key]])) as Pick<
    Tags,
    K
  >;
}

function same(left: unknown, right: unknown): boolean {
  return structureKey(left) === structureKey(right);
}
