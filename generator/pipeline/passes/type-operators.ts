import type { MemberModel, TypeModel } from "../../shared/model/protocol.js";
import { printType } from "../../shared/model/print-type-expression.js";
import type {
  AliasDeclaration,
  Declaration,
  Member,
  RecordExpression,
  Span,
  Tags,
  TypeExpression,
  UtilityExpression,
} from "../../shared/model/source.js";
import { bodyOf, objectType, type Body } from "./body.js";
import { findMember } from "./declared-members.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import type { Scope } from "./scope.js";
import { unionOf } from "./union-of.js";

/** What the operators need of the pass. */
export interface TypeReader {
  readonly scope: Scope;
  readonly collector: DiagnosticCollector;
  type(type: TypeExpression, tags: Tags, owner: string): TypeModel;
  /** The type of an alias; undefined while it is being read. */
  aliasType(alias: AliasDeclaration): TypeModel | undefined;
  /** The members of a named object type. */
  body(name: string): Body;
  /** The members of any object type; reports others. */
  objectBody(type: TypeModel, owner: string): Body;
}

interface Found {
  readonly type: TypeModel;
  readonly optional: boolean;
}

/** The operators of TypeScript that make types from the members of other types. */
export class TypeOperators {
  /** The members whose types are being looked up. */
  private readonly open: string[] = [];

  constructor(private readonly reader: TypeReader) {}

  record({ keys, values, isOptional, span }: RecordExpression, owner: string): TypeModel {
    const type = this.reader.type(values, {}, owner);
    if (!keys) return { kind: "map", values: type };
    const key = this.resolve(this.reader.type(keys, {}, owner));
    if ((key.kind === "string" && key.pattern === undefined) || (key.kind === "enum" && key.open))
      return { kind: "map", values: type };
    if (key.kind === "string" && key.pattern !== undefined)
      return { kind: "entries", patterns: [{ pattern: key.pattern, type }], listed: [] };
    const names = this.names(key);
    if (!names) return this.unsupported(`a Record with keys of type ${printType(keys)}`, span);
    const optional = isOptional === true || this.mayBeAbsent(values, owner);
    return objectType({ members: names.map((name) => ({ name, optional, type })) });
  }

  utility({ name, of, keys, span }: UtilityExpression, owner: string): TypeModel {
    if (name === "Partial" || name === "Required") {
      const optional = name === "Partial";
      const change = (type: TypeModel): TypeModel => {
        const target = this.resolve(type);
        if (target.kind === "union") return unionOf(target.members.map(change));
        const { members, ...rest } = this.bodyOf(type, owner);
        return objectType({ ...rest, members: members.map((member) => ({ ...member, optional })) });
      };
      return change(this.reader.type(of, {}, owner));
    }
    const listed = keys && this.names(this.reader.type(keys, {}, owner));
    if (!listed) return this.unsupported(`${name} with keys of type ${keys ? printType(keys) : "any"}`, span);
    const type = this.reader.type(of, {}, owner);
    if (this.resolve(type).kind === "union") return this.unsupported(`${name} of a union`, span);
    const { members, index } = this.bodyOf(type, owner);
    if (name === "Omit") {
      if (index && members.some((member) => !listed.includes(member.name)))
        return this.unsupported("Omit of a type with an index signature", span);
      return objectType({
        members: members.filter((member) => !listed.includes(member.name)),
        ...(index && { index }),
      });
    }
    const picked = listed.flatMap((key): readonly MemberModel[] => {
      const member = members.find((found) => found.name === key);
      if (member) return [member];
      if (index) return [{ name: key, optional: false, type: index }];
      this.reader.collector.error("member-unknown", { type: printType(of), name: key }, span);
      return [];
    });
    return objectType({ members: picked });
  }

  keyOf(of: TypeExpression, owner: string): TypeModel {
    const { members, index } = this.bodyOf(this.reader.type(of, {}, owner), owner);
    return index
      ? { kind: "string" }
      : unionOf(members.map(({ name }): TypeModel => ({ kind: "literal", value: name })));
  }

  /** The type of a declared member. One with the type of another member may be absent when that one may. */
  declared({ type, tags, optional }: Member, owner: string): Found {
    return { type: this.reader.type(type, tags, owner), optional: optional || this.mayBeAbsent(type, owner) };
  }

  /** Whether undefined is an alternative of a type, because a member with that type may be absent. */
  private mayBeAbsent(type: TypeExpression, owner: string, aliases: readonly string[] = []): boolean {
    switch (type.kind) {
      case "indexed":
        return this.indexed(type, owner).optional;
      case "union":
        return type.members.some((member) => this.mayBeAbsent(member, owner, aliases));
      case "reference": {
        const { name } = type;
        const target = aliases.includes(name) ? undefined : this.reader.scope.get(name);
        return target?.kind === "alias" && this.mayBeAbsent(target.type, name, [...aliases, name]);
      }
      default:
        return false;
    }
  }

  /** The type of a member of a type; `optional`: the member may be absent. */
  indexed({ of, key, span }: Extract<TypeExpression, { kind: "indexed" }>, owner: string): Found {
    const container = this.reader.type(of, {}, owner);
    const keyType = this.resolve(this.reader.type(key, {}, owner));
    if (keyType.kind === "number") {
      const target = this.resolve(container);
      if (target.kind === "array") return { type: target.items, optional: false };
    }
    const names = keyType.kind === "string" ? [undefined] : this.names(keyType);
    const found = names?.map((name) => this.member(container, name, owner, span));
    if (!found || found.length === 0)
      return { type: this.unsupported(`the key ${printType(key)} of an indexed access`, span), optional: false };
    const known = found.flatMap((member, at) => {
      if (member) return [member];
      const name = names?.[at] ?? "[key: string]";
      this.reader.collector.error("member-unknown", { type: printType(of), name }, span);
      return [];
    });
    return { type: unionOf(known.map(({ type }) => type)), optional: known.some(({ optional }) => optional) };
  }

  /** @param name undefined for the index signature */
  private member(type: TypeModel, name: string | undefined, owner: string, span: Span): Found | undefined {
    if (type.kind !== "reference") return this.memberIn(type, name, owner, span);
    const declaration = this.reader.scope.get(type.name);
    const path = `${type.name}.${name ?? "[key]"}`;
    if (this.open.includes(path)) {
      const cycle = [...this.open.slice(this.open.indexOf(path)), path].join(" -> ");
      this.reader.collector.error("cyclic-alias", { name: type.name, path: cycle }, span);
      return { type: { kind: "unknown" }, optional: false };
    }
    this.open.push(path);
    const found = declaration && this.memberOf(declaration, name, span);
    this.open.pop();
    return found;
  }

  /** Looks a member up without reading the others, which may refer to it. */
  private memberOf(declaration: Declaration, name: string | undefined, span: Span): Found | undefined {
    const owner = declaration.name;
    if (declaration.kind === "alias") {
      const type = this.reader.aliasType(declaration);
      if (type) return this.member(type, name, owner, span);
      const listed = name === undefined ? undefined : findMember(declaration, name, this.reader.scope);
      return listed && this.declared(listed, owner);
    }
    if (declaration.kind !== "interface") return undefined;
    const own = declaration.members.find((member) => member.name === name);
    if (own) return this.declared(own, owner);
    for (const base of declaration.heritage) {
      if (name !== undefined && base.omit.includes(name)) continue;
      const type: TypeModel = base.type
        ? this.reader.type(base.type, {}, owner)
        : { kind: "reference", name: base.name };
      const inherited = this.member(type, name, owner, span);
      if (inherited) return inherited;
    }
    return declaration.index && { type: this.reader.type(declaration.index, {}, owner), optional: false };
  }

  private memberIn(type: TypeModel, name: string | undefined, owner: string, span: Span): Found | undefined {
    if (type.kind === "union") {
      const found = type.members.map((member) => this.member(member, name, owner, span));
      const known = found.flatMap((member) => (member ? [member] : []));
      if (known.length < found.length) return undefined;
      return { type: unionOf(known.map((member) => member.type)), optional: known.some(({ optional }) => optional) };
    }
    const body = bodyOf(type);
    const member = body?.members.find((found) => found.name === name);
    return member ?? (body?.index && { type: body.index, optional: false });
  }

  /** The members of an object type, as its own. */
  private bodyOf(type: TypeModel, owner: string): Body {
    return type.kind === "reference" ? this.reader.body(type.name) : this.reader.objectBody(type, owner);
  }

  /** The strings of a type that consists of literals. */
  private names(type: TypeModel): readonly string[] | undefined {
    const target = this.resolve(type);
    switch (target.kind) {
      case "never":
        return [];
      case "literal":
        return [String(target.value)];
      case "enum":
        return target.open ? undefined : target.values;
      case "union": {
        const names = target.members.map((member) => this.names(member));
        return names.every((list) => list !== undefined) ? names.flat() : undefined;
      }
      default:
        return undefined;
    }
  }

  /** Follows the names of aliases. */
  private resolve(type: TypeModel): TypeModel {
    const target = type.kind === "reference" ? this.reader.scope.get(type.name) : undefined;
    const inner = target?.kind === "alias" ? this.reader.aliasType(target) : undefined;
    return inner ? this.resolve(inner) : type;
  }

  private unsupported(construct: string, span: Span | undefined): TypeModel {
    this.reader.collector.error("unsupported-construct", { construct }, span);
    return { kind: "unknown" };
  }
}
