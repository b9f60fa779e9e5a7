import { assertNever } from "../../../shared/assert-never.js";
import { accepts } from "../../../shared/model/accepts.js";
import type {
  Definition,
  EntriesModel,
  MemberModel,
  ProtocolModel,
  TextBounds,
  TypeModel,
} from "../../../shared/model/protocol.js";
import { definitionsByName, structNamed, type Definitions } from "../../../shared/model/definitions.js";
import { binding, code, join, literal, member, nothing, type Code } from "../../../shared/code/code.js";
import { always, and, never, not, or, printExpression, type Expression } from "../../../shared/code/expression.js";
import { PrivateFunctions } from "./private-functions.js";
import { planFunctions, type FunctionPlan } from "./function-plan.js";
import { entriesBody, isBounded, itemAt, keyOf, textBody, uniqueBody } from "./loop-bodies.js";
import { localNames, readMembers, requiredFirst } from "./member-reads.js";
import {
  bounds,
  call,
  capitalized,
  oneLevelDeeper,
  equalsOneOf,
  isMostlyAbsent,
  notObject,
  numberTests,
  returnFalseIf,
  shapeOf,
  value,
  without,
  type ValuePlace,
  type Struct,
} from "./predicate-parts.js";
import { factorOut, planUnion, type Alternative, type Case, type Union, type UnionPlan } from "./union-plan.js";

/**
 * Prints predicates: straight-line code that allocates nothing and reads each member once. An alternative does not
 * check again what the union's tag already shows.
 */
export class PredicatePrinter {
  private readonly definitions: Definitions;
  private readonly recursive: ReadonlySet<string>;
  private readonly plan: FunctionPlan;
  private readonly functions: PrivateFunctions;

  /** @param imported types whose predicates are in another module */
  constructor(model: ProtocolModel, imported: ReadonlySet<string> = new Set()) {
    this.definitions = definitionsByName(model.definitions);
    this.recursive = new Set(model.definitions.filter((definition) => definition.recursive).map(({ name }) => name));
    this.plan = planFunctions(model, imported);
    this.functions = new PrivateFunctions(model.definitions.flatMap(({ name }) => [`is${name}`, `fits${name}`]));
  }

  definition(definition: Definition): Code {
    const { name, recursive } = definition;
    const place: ValuePlace = { path: name, ...(recursive && { depth: binding("depth") }) };
    const body = this.definitionBody(definition, place);
    const own = /\bvalue\b/.test(body) ? value : binding("_value");
    const parameters = recursive ? code`${own}: unknown, depth = 0` : code`${own}: unknown`;
    return code`export function ${binding(`is${name}`)}(${parameters}): ${own} is types.${name as Code} {\ntry {\n${body}} catch {\nreturn false;\n}\n}`;
  }

  privateFunctions(): readonly Code[] {
    return this.functions.printed;
  }

  private definitionBody(definition: Definition, place: ValuePlace): Code {
    const { name } = definition;
    const type = code`types.${name as Code}`;
    if (definition.kind === "alias") {
      const { type: target } = definition;
      const body =
        target.kind === "union" && !target.exclusive
          ? this.unionBody(planUnion(target, this.definitions), place)
          : undefined;
      if (body) return body;
      return code`return ${printExpression(this.check(target, value, place))};\n`;
    }
    const tag = this.plan.fits.get(name);
    if (tag === undefined) return this.structBody(definition, place, type);
    const fits = binding(`fits${name}`);
    this.functions.printed.push(
      code`function ${fits}(value: Fields<${type}>): boolean {\n${this.memberChecks(without(definition, tag), place)}}`,
    );
    const own = definition.members.filter((found) => found.name === tag);
    const at = member(code`(value as Fields<${type}>)`, tag);
    const test = printExpression(
      and([this.check(own[0]?.type ?? { kind: "unknown" }, at, place), call(`fits${name}`, value)]),
    );
    return code`if (${notObject}) return false;\nreturn ${test};\n`;
  }

  private structBody(struct: Struct, place: ValuePlace, type: Code): Code {
    const bound = place.depth ? code` || ${place.depth} >= maxDepth` : code``;
    const open = code`if (${notObject}${bound}) return false;\n`;
    if (struct.members.length === 0) return code`${open}return ${printExpression(this.restOf(struct, place))};\n`;
    if (isMostlyAbsent(struct)) return code`${open}${this.presentChecks(struct, place)}`;
    return code`${open}${this.memberChecks(struct, place, code`(value as Fields<${type}>)`)}`;
  }

  /** Checks the members that are present by iterating over them. */
  private presentChecks({ members }: Struct, place: ValuePlace): Code {
    const item = binding("item");
    const labels = new Map<Code, Code>();
    for (const { name, type } of members) {
      const inner = { ...oneLevelDeeper(place), path: place.path + capitalized(name) };
      const test = printExpression(this.memberType(type, item, inner));
      labels.set(test, code`${labels.get(test) ?? nothing}case ${literal(name)}:\n`);
    }
    const cases = [...labels].map(([test, found]) => code`${found}if (${test}) continue;\nreturn false;\n`);
    const read = code`const item = (value as Record<string, unknown>)[key];\nif (item === undefined) continue;\n`;
    return code`for (const key in value) {\n${read}switch (key) {\n${join(cases, "")}}\n}\nreturn true;\n`;
  }

  /**
   * Compares required literals first, which distinguish best; then reads each other member of `from` once, required
   * ones first.
   */
  private memberChecks(struct: Struct, place: ValuePlace, from: Code = value): Code {
    return this.alternativeChecks([struct.members], place, () => from, this.restOf(struct, place));
  }

  /** Checks the members that all alternatives share first and once; then each alternative reads its own. */
  private alternativeChecks(
    alternatives: readonly Alternative[],
    place: ValuePlace,
    from: (names: readonly string[]) => Code,
    last: Expression = always,
  ): Code {
    const { common, rests } = factorOut(alternatives);
    const literals = common.filter(({ optional, type }) => type.kind === "literal" && !optional);
    const guards = literals.map(({ name, type }) =>
      type.kind === "literal"
        ? code`if (${member(from([name]), name)} !== ${literal(type.value)}) return false;\n`
        : nothing,
    );
    const others = requiredFirst(common.filter((found) => !literals.includes(found)));
    const locals = localNames([...others, ...rests.flat()].map(({ name }) => name));
    const seen = new Set<string>();
    const read = (members: Alternative): Code => {
      const unread = members.filter(
        ({ name, optional, type }) => !seen.has(name) && !(type.kind === "unknown" && optional),
      );
      for (const { name } of unread) seen.add(name);
      const names = unread.map(({ name }) => name);
      return readMembers(names, locals, from(names));
    };
    const inner = oneLevelDeeper(place);
    const checks = (members: Alternative): Expression =>
      and(members.map((found) => this.memberCheck(found, locals.get(found.name) ?? value, inner)));
    const shared = code`${join(guards, "")}${read(others)}`;
    const test = and([checks(others), last]);
    if (rests.length === 0) return code`${shared}return ${printExpression(test)};\n`;
    const attempts = rests.map((rest, at) => {
      const own = requiredFirst(rest);
      const reads = read(own);
      const fits = printExpression(checks(own));
      return at === rests.length - 1 ? code`${reads}return ${fits};\n` : code`${reads}if (${fits}) return true;\n`;
    });
    const open = test.kind === "always" ? nothing : code`if (!(${printExpression(test)})) return false;\n`;
    return code`${shared}${open}${join(attempts, "")}`;
  }

  private memberCheck({ name, optional, type }: MemberModel, at: Code, place: ValuePlace): Expression {
    const check = this.memberType(type, at, { ...place, path: place.path + capitalized(name) });
    if (optional) return check.kind === "always" ? always : or([{ kind: "equals", left: at, right: undefined }, check]);
    // Checks of any value, and of what others reject, are also true of undefined.
    return accepts(type, undefined, this.definitions) ? and([{ kind: "present", of: at }, check]) : check;
  }

  private memberType(type: TypeModel, at: Code, place: ValuePlace): Expression {
    const struct = type.kind === "reference" ? structNamed(type.name, this.definitions) : undefined;
    if (!struct || !this.plan.apart.has(struct.name)) return this.check(type, at, place);
    return this.functions.call(["apart", struct.name, place.path], place.path, at, place, (inner) =>
      this.structBody(struct, inner, code`types.${struct.name as Code}`),
    );
  }

  private restOf({ members, index, others = [] }: Struct, place: ValuePlace): Expression {
    if (!index || index.kind === "unknown") return always;
    const listed = [...members.map(({ name }) => name), ...others];
    return listed.length === 0 ? this.values(index, value, place) : this.rest(listed, index, value, place);
  }

  private check(type: TypeModel, at: Code, place: ValuePlace): Expression {
    switch (type.kind) {
      case "string":
        return isBounded(type) ? this.text(type, at, place) : { kind: "typeof", of: at, is: "string" };
      case "boolean":
        return { kind: "typeof", of: at, is: type.kind };
      case "null":
        return { kind: "equals", left: at, right: null };
      case "number":
      case "integer": {
        const test = call(type.kind === "integer" ? "Number.isInteger" : "Number.isFinite", at);
        return and([test, ...numberTests(code`(${at} as number)`, type)]);
      }
      case "unknown":
        return always;
      case "never":
        return never;
      case "object":
        return { kind: "object", of: at };
      case "literal":
        return { kind: "equals", left: at, right: type.value };
      case "enum":
        return type.open ? { kind: "typeof", of: at, is: "string" } : equalsOneOf(at, type.values);
      case "reference":
        return this.reference(type.name, at, place);
      case "array":
        if (type.uniqueItems) return this.unique(type, at, place);
        return and([
          this.array(type.items, at, place),
          ...bounds(code`(${at} as readonly unknown[]).length`, type.minItems, type.maxItems),
        ]);
      case "map":
        return type.values.kind === "unknown" ? { kind: "object", of: at } : this.values(type.values, at, place);
      case "struct":
        return this.functions.call(type, place.path, at, place, (inner) =>
          this.structBody(type, inner, shapeOf(type.members.map(({ name }) => name))),
        );
      case "union":
        return type.exclusive ? this.exactlyOne(type.members, at, place) : this.union(type, at, place);
      case "all":
        return and(this.apart(type.members, at, place));
      case "not":
        return not(and(this.apart([type.type], at, place)));
      case "entries":
        return this.entries(type, at, place);
      default:
        return assertNever(type);
    }
  }

  private reference(name: string, at: Code, place: ValuePlace): Expression {
    const target = this.definitions.get(name);
    if (target?.kind === "alias" && this.plan.inlined.has(name)) {
      const depth = target.recursive ? { depth: place.depth ?? literal(0) } : {};
      return this.check(target.type, at, { ...place, ...depth });
    }
    return call(`is${name}`, at, ...(this.recursive.has(name) && place.depth ? [place.depth] : []));
  }

  private array(items: TypeModel, at: Code, place: ValuePlace): Expression {
    if (items.kind === "unknown") return call("Array.isArray", at);
    if (items.kind === "string" && !isBounded(items)) return call("jsonStrings", at);
    return this.functions.call(
      ["array", items],
      `${this.label(items, place)}Array`,
      at,
      place,
      (inner) =>
        code`${returnFalseIf(code`!Array.isArray(value)`, inner)}${this.loop(code`for (let index = 0; index < value.length; index++) {${itemAt(items, "index")}`, items, inner)}`,
    );
  }

  private values(values: TypeModel, at: Code, place: ValuePlace): Expression {
    return this.functions.call(
      ["map", values],
      `${this.label(values, place)}Map`,
      at,
      place,
      (inner) =>
        code`${returnFalseIf(notObject, inner)}${this.loop(code`for (const ${keyOf(values)} in value) {${itemAt(values)}`, values, inner)}`,
    );
  }

  /** The members of an object that are not listed in its type. */
  private rest(listed: readonly string[], values: TypeModel, at: Code, place: ValuePlace): Expression {
    return this.functions.call(["rest", listed, values], `${place.path}Rest`, at, place, (inner) => {
      const skip = join(
        listed.map((name) => code`key === ${literal(name)}`),
        " || ",
      );
      const head = code`for (const key in value) {\nif (${skip}) continue;${itemAt(values)}`;
      return code`${returnFalseIf(notObject, inner)}${this.loop(head, values, inner)}`;
    });
  }

  private loop(head: Code, items: TypeModel, place: ValuePlace): Code {
    const test = this.check(items, binding("item"), oneLevelDeeper(place));
    const body = test.kind === "never" ? code`return false;` : code`if (!(${printExpression(test)})) return false;`;
    return code`${head}\n${body}\n}\nreturn true;\n`;
  }

  /** Each type in a function of its own, so that no check changes what the compiler knows about the value. */
  private apart(types: readonly TypeModel[], at: Code, place: ValuePlace): readonly Expression[] {
    return types.map((type, index) => {
      const inner = { ...place, path: `${place.path}${index + 1}` };
      const test = this.check(type, at, inner);
      if (test.kind === "call" || test.kind === "always" || test.kind === "never") return test;
      const print = (own: ValuePlace): Code => code`return ${printExpression(this.check(type, value, own))};\n`;
      return this.functions.call(["check", type], inner.path, at, place, print);
    });
  }

  private exactlyOne(types: readonly TypeModel[], at: Code, place: ValuePlace): Expression {
    const counted = this.apart(types, at, place).map((test) => code`Number(${printExpression(test)})`);
    return { kind: "equals", left: code`(${join(counted, " + ")})`, right: 1 };
  }

  private text(type: TextBounds, at: Code, place: ValuePlace): Expression {
    return this.functions.call(["text", type], `${place.path}Text`, at, place, () => textBody(type));
  }

  private unique(type: Extract<TypeModel, { kind: "array" }>, at: Code, place: ValuePlace): Expression {
    const { uniqueItems: _, ...rest } = type;
    const own = this.apart([rest], at, place);
    return and([...own, this.functions.call("unique", "Unique", at, place, () => uniqueBody)]);
  }

  private entries(type: EntriesModel, at: Code, place: ValuePlace): Expression {
    return this.functions.call(type, `${place.path}Entries`, at, place, (inner) =>
      entriesBody(type, inner, (own, of) => this.check(own, of, oneLevelDeeper(inner))),
    );
  }

  private union(type: Union, at: Code, place: ValuePlace): Expression {
    const plan = planUnion(type, this.definitions);
    if (plan.kind !== "each")
      return this.functions.call(plan, place.path, at, place, (inner) => this.unionBody(plan, inner) ?? nothing);
    const { choice } = type;
    const checks = this.each(plan.types, at, place);
    const array =
      choice.kind === "jsonType" ? choice.cases.findIndex((types) => types.length === 1 && types[0] === "array") : -1;
    const list = checks[array];
    if (!list || checks.length < 2) return or(checks);
    return {
      kind: "choose",
      when: call("Array.isArray", at),
      then: list,
      otherwise: or(checks.filter((check) => check !== list)),
    };
  }

  private each(types: readonly TypeModel[], at: Code, place: ValuePlace): readonly Expression[] {
    return types.map((type, index) => this.check(type, at, { ...place, path: `${place.path}${index + 1}` }));
  }

  /** The body for alternatives that are not checked in turn. */
  private unionBody(plan: UnionPlan, place: ValuePlace): Code | undefined {
    const fields = (names: readonly string[]): Code => code`(value as Fields<${shapeOf(names)}>)`;
    const open = code`if (${notObject}) return false;\n`;
    switch (plan.kind) {
      case "cases": {
        const cases = plan.cases.map((found, at) =>
          this.caseOf(found, plan.member, { ...place, path: `${place.path}${at + 1}` }),
        );
        const tag = member(fields([plan.member]), plan.member);
        return code`${open}switch (${tag}) {\n${join(cases, "")}default:\nreturn false;\n}\n`;
      }
      case "similar":
        return code`${open}${this.alternativeChecks(plan.alternatives, place, fields)}`;
      case "each":
        return undefined;
      default:
        return assertNever(plan);
    }
  }

  private caseOf({ values, types }: Case, tag: string, place: ValuePlace): Code {
    const labels = values.map((found) => code`case ${literal(found)}:\n`);
    const tests = types.map((type) => this.alternative(type, tag, place));
    return code`${join(labels, "")}return ${printExpression(or(tests))};\n`;
  }

  /** The remaining checks of an alternative when the tag is known. */
  private alternative(type: TypeModel, tag: string, place: ValuePlace): Expression {
    const struct = type.kind === "reference" ? structNamed(type.name, this.definitions) : undefined;
    if (struct && this.plan.fits.get(struct.name) === tag) return call(`fits${struct.name}`, value);
    if (!struct || this.plan.repeated.get(struct.name) !== tag) return this.check(type, value, place);
    return this.functions.call(["repeated", struct.name, place.path], place.path, value, place, (inner) =>
      this.memberChecks(without(struct, tag), inner, code`(value as Fields<types.${struct.name as Code}>)`),
    );
  }

  private label(type: TypeModel, place: ValuePlace): string {
    switch (type.kind) {
      case "reference":
        return type.name;
      case "string":
      case "number":
      case "integer":
      case "boolean":
        return capitalized(type.kind);
      default:
        return place.path;
    }
  }
}
