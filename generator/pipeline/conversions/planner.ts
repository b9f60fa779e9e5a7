import type { ConversionFunction, MemberChange, Plan } from "../../shared/model/conversion.js";
import type { MemberModel, ResultTagModel, TypeModel } from "../../shared/model/protocol.js";
import { upperFirst } from "../../shared/names/case.js";
import { accepts } from "../../shared/model/accepts.js";
import { resolveAliases } from "../../shared/model/definitions.js";
import { counterpart, flatAlternatives, testsFor } from "./alternatives.js";
import { placeInside, type FoundFact, type OverlayPlace, type StatedConversionFacts } from "./stated-facts.js";
import { isAssignable, withinLength, type ConversionPair } from "./is-assignable.js";

type Struct = Extract<TypeModel, { kind: "struct" }>;
type Case = Extract<Plan, { kind: "cases" }>["cases"][number];

const same: Plan = { kind: "same" };

/** Plans how to convert values of one revision's types so that the types of the other accept them. */
export class Planner {
  readonly #names = new Map<string, string>();
  readonly functions: ConversionFunction[] = [];

  constructor(
    private readonly pair: ConversionPair,
    private readonly facts: StatedConversionFacts,
    private readonly resultTag: ResultTagModel | undefined,
  ) {}

  /** The conversion of one named type; every reference to the type shares it. */
  named(source: string, target: string): Plan {
    const structure = (): Plan => this.#structure(reference(source), reference(target), [...new Set([source, target])]);
    return this.#shared(source, target, () => this.#whole([source], reference(source)) ?? structure());
  }

  #shared(source: string, target: string, make: () => Plan): Plan {
    const id = `${source} ${target}`;
    const known = this.#names.get(id);
    if (known !== undefined) return { kind: "call", name: known };
    const taken = new Set(this.#names.values());
    const short = `${this.pair.direction}${upperFirst(source)}`;
    const name = taken.has(short) ? `${short}As${upperFirst(target)}` : short;
    this.#names.set(id, name);
    this.functions.push({ name, plan: make() });
    return { kind: "call", name };
  }

  plan(source: TypeModel, target: TypeModel, place: OverlayPlace): Plan {
    if (source.kind === "reference" && target.kind === "reference") return this.named(source.name, target.name);
    return this.#structure(source, target, place);
  }

  #structure(source: TypeModel, target: TypeModel, place: OverlayPlace): Plan {
    const { source: sources, target: targets } = this.pair;
    const [from, to] = [resolveAliases(source, sources), resolveAliases(target, targets)];
    if (from.kind === "union" || to.kind === "union") return this.#union(source, target, place);
    if (from.kind === "struct" && to.kind === "struct") return this.#struct(from, to, place);
    if (from.kind === "array" && to.kind === "array" && withinLength(from, to))
      return { kind: "array", items: this.plan(from.items, to.items, placeInside(place, "[]")) };
    if (from.kind === "map" && to.kind === "map")
      return { kind: "map", values: this.plan(from.values, to.values, placeInside(place, ".*")) };
    if (from.kind === "enum" && !from.open && to.kind === "enum" && !to.open)
      return this.#values(from.values, to.values, place);
    return isAssignable(source, target, this.pair) ? same : this.#need(place, "is not accepted by the other revision");
  }

  #values(from: readonly string[], to: readonly string[], place: OverlayPlace): Plan {
    const unknown = from.filter((value) => !to.includes(value));
    const found = this.facts.find(place);
    if (unknown.length === 0 && !found) return same;
    const by = (found?.fact.substitute ?? {}) as Readonly<Record<string, string>>;
    const missing = unknown.filter((value) => !to.includes(by[value] ?? ""));
    if (!found || missing.length > 0)
      return this.#need(place, `may be ${missing.join(", ")}, which the other revision does not have`);
    this.facts.lose("substitute", found.key, found.fact.loss ?? "");
    return { kind: "values", at: found.key, values: by };
  }

  #union(source: TypeModel, target: TypeModel, place: OverlayPlace): Plan {
    const { source: sources, target: targets } = this.pair;
    const all = flatAlternatives(source, sources);
    const known = flatAlternatives(target, targets);
    const planned = all.map((own) => ({ own, plan: this.#alternative(own, known, target, place) }));
    const [only] = planned;
    if (only && all.length === 1) return only.plan;
    const cases = planned.flatMap(({ own, plan }): readonly Case[] => {
      if (plan.kind === "same") return [];
      const others = planned.filter((other) => other.own === own || !isSamePlan(other.plan, plan));
      const when = testsFor(
        own,
        others.map((other) => other.own),
        sources,
      );
      if (when) return [{ when, plan }];
      // A value that nothing distinguishes can only stay unchanged.
      return isAssignable(own, target, this.pair)
        ? []
        : [{ when: [], plan: this.#need(place, "cannot be distinguished from the other alternatives") }];
    });
    return cases.length === 0 ? same : { kind: "cases", cases };
  }

  /** One alternative of a union, or a single type that converts to a union. */
  #alternative(own: TypeModel, known: readonly TypeModel[], target: TypeModel, place: OverlayPlace): Plan {
    const { source: sources, target: targets } = this.pair;
    const name = own.kind === "reference" ? own.name : undefined;
    const at = name === undefined ? placeInside(place, own.kind === "array" ? "[]" : "") : [name];
    const into = counterpart(own, sources, known, targets);
    const whole = this.#whole(at, own);
    if (whole?.kind === "substitute" && name !== undefined) return this.#shared(name, "", () => whole);
    if (whole) return whole;
    if (
      into &&
      (into.kind !== "reference" || own.kind !== "reference" || into.name !== own.name) &&
      isAssignable(own, target, this.pair)
    )
      return same;
    if (into) return this.plan(own, into, at);
    return isAssignable(own, target, this.pair) ? same : this.#need(at, "is not in the other revision");
  }

  /** The conversion that the overlay states for a whole value. */
  #whole(place: OverlayPlace, type: TypeModel): Plan | undefined {
    const found = this.facts.find(place);
    return found && this.#action(found, place, type);
  }

  #action({ key, fact }: FoundFact, place: OverlayPlace, type: TypeModel): Plan {
    const { substitute, function: custom, unsupported, envelope, loss = "" } = fact;
    if (envelope) return same;
    if (unsupported !== undefined) {
      this.facts.lose("refuse", key, loss === "" ? unsupported : loss);
      return { kind: "refuse", at: key, instead: unsupported };
    }
    if (custom !== undefined) {
      this.facts.lose("function", key, loss);
      return { kind: "function", at: key, name: custom };
    }
    if (substitute) return this.#substitute({ key, fact }, place, type);
    return this.#need(place, "has an entry that does not apply to a whole value");
  }

  /**
   * The new object has the members of the substitute and those that both types list. Members that neither lists stay.
   */
  #substitute(
    { key, fact: { substitute: by = {}, as = "", loss = "" } }: FoundFact,
    place: OverlayPlace,
    type: TypeModel,
  ): Plan {
    const [own, into] = [resolveAliases(type, this.pair.source), resolveAliases(reference(as), this.pair.target)];
    const [from, to] = [own, into].map((type) => (type.kind === "struct" ? type.members : []));
    const has = (members: readonly MemberModel[] | undefined, wanted: string): boolean =>
      members?.some(({ name }) => name === wanted) ?? false;
    const missing = to?.find(({ name, optional }) => !optional && !Object.hasOwn(by, name) && !has(from, name));
    if (into.kind !== "struct") return this.#need(place, `has a substitute of an unknown type ${as}`);
    if (missing) return this.#need(place, `has a substitute without ${missing.name}`);
    const wrong = to?.find(({ name, type }) => Object.hasOwn(by, name) && !accepts(type, by[name], this.pair.target));
    if (wrong) return this.#need(place, `has a substitute whose ${wrong.name} is not accepted by the other revision`);
    this.facts.lose("substitute", key, loss);
    const without = (from ?? []).map(({ name }) => name).filter((name) => !has(to, name) && !Object.hasOwn(by, name));
    return { kind: "substitute", at: key, without, by };
  }

  #struct(from: Struct, to: Struct, place: OverlayPlace): Plan {
    const listed = to.members.flatMap((member) => this.#member(member, from, place));
    const others = from.members.filter(({ name }) => !to.members.some((member) => member.name === name));
    const changes = [...listed, ...others.flatMap((member) => this.#unlisted(member, to, place))];
    if (from.index && to.index && !isAssignable(from.index, to.index, this.pair)) {
      const at = placeInside(place, ".*");
      return from.members.length + to.members.length === 0
        ? { kind: "map", values: this.plan(from.index, to.index, at) }
        : this.#need(at, "is not accepted by the other revision");
    }
    return changes.length === 0 ? same : { kind: "struct", changes };
  }

  #member(to: MemberModel, from: Struct, place: OverlayPlace): readonly MemberChange[] {
    const { name: member, type } = to;
    const own = from.members.find(({ name }) => name === member);
    const at = memberPlace(place, to, own);
    const need = (problem: string): readonly MemberChange[] => [
      { kind: "convert", member, plan: this.#need(at, problem) },
    ];
    const absent = !to.optional && (!own || own.optional);
    const found = this.facts.find(at);
    if (found) {
      const { envelope, drop, unsupported, function: custom, substitute, as } = found.fact;
      if (envelope) return [];
      if (Object.hasOwn(found.fact, "fill")) {
        if (!accepts(type, found.fact.fill, this.pair.target))
          return need("is filled with a value that the other revision does not accept");
        if (own && !isAssignable(own.type, type, this.pair))
          return need("is filled, but its type is not accepted by the other revision");
        return [this.#fill(found.key, member, found.fact.fill, !own && !found.fact.keep, found.fact.loss)];
      }
      if (unsupported !== undefined) return [this.#refuse(found, member, !absent)];
      if (drop)
        return to.optional ? [this.#drop(found, member)] : need("is dropped, but the other revision requires it");
      if (custom !== undefined || (substitute && as !== undefined))
        return [{ kind: "convert", member, plan: this.#action(found, at, own?.type ?? type) }];
    }
    if (absent && this.resultTag?.member === member && !own)
      return [this.#fill(at.at(-1) ?? "", member, this.resultTag.own, true)];
    if (absent)
      return need(own ? "may be absent, but the other revision requires it" : "is required by the other revision");
    if (own) return convert(member, this.plan(own.type, type, at));
    const admitted = this.pair.direction === "down" && from.index && !isAssignable(from.index, type, this.pair);
    return admitted ? need("may be any value, which the other revision does not accept") : [];
  }

  /** A member that the other type does not list. It stays unless the overlay states a conversion. */
  #unlisted(own: MemberModel, to: Struct, place: OverlayPlace): readonly MemberChange[] {
    const at = memberPlace(place, own);
    const found = this.facts.find(at);
    if (found?.fact.drop) return [this.#drop(found, own.name)];
    if (found?.fact.unsupported !== undefined) return [this.#refuse(found, own.name, true)];
    if (found && !found.fact.envelope)
      return [{ kind: "convert", member: own.name, plan: this.#action(found, at, own.type) }];
    return to.index && to.index.kind !== "unknown" ? convert(own.name, this.plan(own.type, to.index, at)) : [];
  }

  #fill(at: string, member: string, value: unknown, always: boolean, loss?: string): MemberChange {
    this.facts.lose("fill", at, loss ?? `\`${member}\` is set to ${JSON.stringify(value)}.`);
    return { kind: "fill", at, member, value, always };
  }

  #drop({ key, fact }: FoundFact, member: string): MemberChange {
    this.facts.lose("drop", key, fact.loss ?? "");
    return { kind: "drop", at: key, member };
  }

  #refuse(
    { key, fact: { unsupported = "", loss = unsupported } }: FoundFact,
    member: string,
    present: boolean,
  ): MemberChange {
    this.facts.lose("refuse", key, loss);
    return { kind: "refuse", at: key, member, present, instead: unsupported };
  }

  #need(place: OverlayPlace, problem: string): Plan {
    return { kind: "refuse", at: this.facts.need(place, problem), instead: "" };
  }
}

function isSamePlan(one: Plan, other: Plan): boolean {
  const text = (plan: Plan): string =>
    JSON.stringify(plan, (key, value: unknown) => (key === "at" ? undefined : value));
  return text(one) === text(other);
}

function convert(member: string, plan: Plan): readonly MemberChange[] {
  return plan.kind === "same" ? [] : [{ kind: "convert", member, plan }];
}

function reference(name: string): TypeModel {
  return { kind: "reference", name };
}

function memberPlace(place: OverlayPlace, member: MemberModel, other?: MemberModel): OverlayPlace {
  const declaring = [member, other].flatMap((found) =>
    found?.inheritedFrom === undefined ? [] : [`${found.inheritedFrom}.${found.name}`],
  );
  return [...new Set([...placeInside(place, `.${member.name}`), ...declaring])];
}
