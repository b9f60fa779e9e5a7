import type { TypeModel } from "../../shared/model/protocol.js";
import { bodyOf, objectType, type Body } from "./body.js";
import { Intersector, type Intersection } from "./intersect.js";
import type { TypeReader } from "./type-operators.js";
import { unionOf } from "./union-of.js";

/** How many alternatives an intersection of unions is written out to. */
const maxAlternatives = 256;

/**
 * The type that has the members of all `types`. Unions among them are distributed: the result has an alternative for
 * each combination that a value can have.
 */
export class IntersectionReader {
  private readonly intersector: Intersector;

  constructor(
    private readonly reader: TypeReader,
    /** Whether the members of a declaration are being read. */
    private readonly isOpen: (name: string) => boolean,
  ) {
    this.intersector = new Intersector((type) => this.resolve(type));
  }

  read(types: readonly TypeModel[], owner: string): TypeModel {
    const lists = types.map((type) => this.alternatives(type));
    const count = lists.reduce((product, { length }) => product * length, 1);
    if (count > maxAlternatives) return { kind: "all", members: types };
    const combinations = lists.reduce<readonly (readonly TypeModel[])[]>(
      (found, list) => found.flatMap((combination) => list.map((type) => [...combination, type])),
      [[]],
    );
    const results = combinations.map((combination) => this.combine(combination, owner, count === 1));
    if (results.includes("unclear")) return { kind: "all", members: types };
    const kept = results.filter((type): type is TypeModel => typeof type !== "string");
    if (kept.length === 0 && count > 1) this.report(combinations[0] ?? [], owner);
    return unionOf(kept);
  }

  private combine(types: readonly TypeModel[], owner: string, isOnly: boolean): Intersection {
    const bodies = types.map((type) => this.bodyOf(type, owner));
    const isObject = bodies.every((body) => body !== undefined);
    if (!isObject) {
      // `string & {}` is every string.
      const proper = types.filter(({ kind }) => kind !== "object");
      const [first = { kind: "unknown" }, ...rest] = proper;
      const result = rest.reduce<Intersection>(
        (left, right) => (typeof left === "string" ? left : this.intersector.types(left, right)),
        first,
      );
      if (result === "apart" && isOnly) this.report(types, owner);
      return result;
    }
    let result: Body = bodies[0] ?? { members: [] };
    for (const body of bodies.slice(1)) {
      const next = this.intersector.bodies(result, body);
      if ("clash" in next) {
        if ((next.clash === "apart" && isOnly) || next.member === undefined) this.conflict(next.member, owner);
        return next.clash;
      }
      result = next;
    }
    return objectType(result);
  }

  private report(types: readonly TypeModel[], owner: string): void {
    const bodies = types.map((type) => this.bodyOf(type, owner));
    if (bodies.every((body) => body !== undefined)) this.combine(types, owner, true);
    else this.reader.collector.error("intersection-empty", { owner }, this.reader.scope.get(owner)?.span);
  }

  private conflict(member = "[key: string]", owner: string): void {
    const values = { owner, member, first: "one side of an intersection", second: "the other" };
    this.reader.collector.error("member-conflict", values, this.reader.scope.get(owner)?.span);
  }

  /** The alternatives of a type; those of a union that it names replace the name. */
  private alternatives(type: TypeModel): readonly TypeModel[] {
    if (type.kind === "union" && !type.exclusive) return type.members.flatMap((member) => this.alternatives(member));
    const target = type.kind === "reference" ? this.reader.scope.get(type.name) : undefined;
    if (target?.kind !== "alias") return [type];
    const inner = this.reader.aliasType(target) ?? type;
    if (inner === type) return [type];
    return inner.kind === "union" || inner.kind === "reference" ? this.alternatives(inner) : [type];
  }

  private bodyOf(type: TypeModel, owner: string): Body | undefined {
    if (type.kind !== "reference") return bodyOf(type);
    return bodyOf(this.resolve(type)) && this.reader.objectBody(type, owner);
  }

  /** Follows names. The name of an object type whose members are being read stays. */
  private resolve(type: TypeModel): TypeModel {
    const target = type.kind === "reference" ? this.reader.scope.get(type.name) : undefined;
    if (target?.kind === "alias") {
      const inner = this.reader.aliasType(target);
      return inner ? this.resolve(inner) : type;
    }
    if (target?.kind !== "interface" || this.isOpen(target.name)) return type;
    return { kind: "struct", ...this.reader.body(target.name) };
  }
}
