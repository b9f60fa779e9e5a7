import { assertNever } from "../assert-never.js";
import type { Definition, MemberModel, ProtocolModel, TypeModel } from "../model/protocol.js";
import { structureKey } from "../model/structure.js";
import { isBindingName } from "../names/identifier.js";
import { byName, structOf, visitDefinition, type Definitions } from "../passes/definitions.js";
import { binding, code, inherits, join, key, literal, member, type Code } from "./code.js";
import { always, and, or, printExpression, type Expression } from "./expression.js";
import { decisive } from "./subsumption.js";

/** What the shared module `checks.ts` exports; no predicate can have such a name. */
export const sharedChecks = ["jsonStrings", "maxDepth", "ownMember"] as const;

interface Place {
  /** Names a private function after where its type stands. */
  readonly path: string;
  /** What to pass on to recursive predicates; absent outside of them. */
  readonly depth?: Code;
}

interface Struct {
  readonly members: readonly MemberModel[];
  readonly index?: TypeModel;
}
type Union = Extract<TypeModel, { kind: "union" }>;

const value = binding("value");
const notObject = code`typeof value !== "object" || value === null || Array.isArray(value)`;

/**
 * Prints predicates: straight-line code that allocates nothing and reads each member once. What a union has found
 * out of its tag is not checked again by the alternative.
 */
export class PredicatePrinter {
  private readonly definitions: Definitions;
  private readonly recursive: ReadonlySet<string>;
  /** Type -> the member that tells it apart in tagged unions, where that is the same in all of them. */
  private readonly tags: ReadonlyMap<string, string>;
  private readonly taken: Set<string>;
  private readonly names = new Map<string, string>();
  private readonly printed: Code[] = [];

  constructor(model: ProtocolModel) {
    this.definitions = byName(model.definitions);
    this.recursive = new Set(model.definitions.filter((definition) => definition.recursive).map(({ name }) => name));
    this.tags = tagsOf(model.definitions, this.recursive);
    this.taken = new Set(model.definitions.flatMap(({ name }) => [`is${name}`, `fits${name}`]));
  }

  definition(definition: Definition): Code {
    const { name, recursive } = definition;
    const place: Place = { path: name, ...(recursive && { depth: binding("depth") }) };
    const parameters = recursive ? code`value: unknown, depth = 0` : code`value: unknown`;
    const body = this.definitionBody(definition, place);
    return code`export function ${binding(`is${name}`)}(${parameters}): value is types.${name as Code} {\ntry {\n${body}} catch {\nreturn false;\n}\n}`;
  }

  privateFunctions(): readonly Code[] {
    return this.printed;
  }

  private definitionBody(definition: Definition, place: Place): Code {
    const { name } = definition;
    const type = code`types.${name as Code}`;
    if (definition.kind === "alias") {
      const { type: target } = definition;
      if (target.kind === "union" && target.choice.kind === "tag") return this.switchBody(target, target.choice, place);
      return code`return ${printExpression(this.check(target, value, place))};\n`;
    }
    const tag = this.tags.get(name);
    if (tag === undefined) return this.structBody(definition, place, type);
    const rest: Struct = { ...structOf(definition), members: definition.members.filter((found) => found.name !== tag) };
    const fits = binding(`fits${name}`);
    this.printed.push(code`function ${fits}(value: Fields<${type}>): boolean {\n${this.memberChecks(rest, place)}}`);
    const own = definition.members.filter((found) => found.name === tag);
    const at = member(code`(value as Fields<${type}>)`, tag);
    const test = printExpression(
      and([this.check(own[0]?.type ?? { kind: "unknown" }, at, place), call(`fits${name}`, value)]),
    );
    return code`if (${notObject}) return false;\nreturn ${test};\n`;
  }

  private structBody(struct: Struct, place: Place, type: Code): Code {
    const bound = place.depth ? code` || ${place.depth} >= maxDepth` : code``;
    const open = code`if (${notObject}${bound}) return false;\n`;
    if (struct.members.length === 0) return code`${open}return ${printExpression(this.restOf(struct, place))};\n`;
    return code`${open}${this.memberChecks(struct, place, code`(value as Fields<${type}>)`)}`;
  }

  /** Compares required literals, which tell most; then reads each other member of `from` once, required ones first. */
  private memberChecks(struct: Struct, place: Place, from: Code = value): Code {
    const guards = struct.members.map(({ name, optional, type }) =>
      type.kind === "literal" && !optional
        ? code`if (${member(from, name)} !== ${literal(type.value)}) return false;\n`
        : code``,
    );
    const others = struct.members.filter((_, at) => guards[at] === "");
    const members = [...others.filter(({ optional }) => !optional), ...others.filter(({ optional }) => optional)];
    const locals = localNames(members.map(({ name }) => name));
    const reads = members.map(({ name, optional, type }) => {
      if (type.kind === "unknown" && optional) return code``;
      const local = locals.get(name) ?? value;
      if (inherits(name)) return code`const ${local} = ${member(from, name)};\n`;
      return local === name ? code`${local}` : code`${key(name)}: ${local}`;
    });
    const destructured = reads.filter((read) => read !== "" && !read.startsWith("const "));
    const inherited = reads.filter((read) => read.startsWith("const "));
    const pattern = destructured.length === 0 ? code`` : code`const { ${join(destructured, ", ")} } = ${from};\n`;
    const inner = deeper(place);
    const checks = members.map(({ name, optional, type }) => {
      const at = locals.get(name) ?? value;
      const check = this.check(type, at, { ...inner, path: place.path + capitalized(name) });
      if (optional)
        return check.kind === "always" ? always : or([{ kind: "equals", left: at, right: undefined }, check]);
      return check.kind === "always" ? ({ kind: "present", of: at } satisfies Expression) : check;
    });
    const all = and([...checks, this.restOf(struct, place)]);
    return code`${join(guards, "")}${pattern}${join(inherited, "")}return ${printExpression(all)};\n`;
  }

  private restOf({ members, index }: Struct, place: Place): Expression {
    if (!index || index.kind === "unknown") return always;
    if (members.length === 0) return this.values(index, value, place);
    return this.rest(
      members.map(({ name }) => name),
      index,
      value,
      place,
    );
  }

  private check(type: TypeModel, at: Code, place: Place): Expression {
    switch (type.kind) {
      case "string":
      case "boolean":
        return { kind: "typeof", of: at, is: type.kind };
      case "null":
        return { kind: "equals", left: at, right: null };
      case "number":
      case "integer": {
        const test = call(type.kind === "integer" ? "Number.isInteger" : "Number.isFinite", at);
        return and([test, ...bounds(code`(${at} as number)`, type.minimum, type.maximum)]);
      }
      case "unknown":
        return always;
      case "object":
        return { kind: "object", of: at };
      case "literal":
        return { kind: "equals", left: at, right: type.value };
      case "enum":
        return type.open ? { kind: "typeof", of: at, is: "string" } : equalsOneOf(at, type.values);
      case "reference":
        return call(`is${type.name}`, at, ...(this.recursive.has(type.name) && place.depth ? [place.depth] : []));
      case "array":
        return and([
          this.array(type.items, at, place),
          ...bounds(code`(${at} as readonly unknown[]).length`, type.minItems, type.maxItems),
        ]);
      case "map":
        return type.values.kind === "unknown" ? { kind: "object", of: at } : this.values(type.values, at, place);
      case "struct":
        return this.callPrivate(type, place.path, at, place, (inner) => this.structBody(type, inner, shapeOf(type)));
      case "union":
        return this.union(type, at, place);
      default:
        return assertNever(type);
    }
  }

  private array(items: TypeModel, at: Code, place: Place): Expression {
    if (items.kind === "unknown") return call("Array.isArray", at);
    if (items.kind === "string") return call("jsonStrings", at);
    return this.callPrivate(
      ["array", items],
      `${this.label(items, place)}Array`,
      at,
      place,
      (inner) =>
        code`${refuse(code`!Array.isArray(value)`, inner)}${this.loop(code`for (let index = 0; index < value.length; index++) {\nconst item: unknown = value[index];`, items, inner)}`,
    );
  }

  private values(values: TypeModel, at: Code, place: Place): Expression {
    return this.callPrivate(
      ["map", values],
      `${this.label(values, place)}Map`,
      at,
      place,
      (inner) =>
        code`${refuse(notObject, inner)}${this.loop(code`for (const key in value) {\nconst item = (value as Record<string, unknown>)[key];`, values, inner)}`,
    );
  }

  /** The members of an object that are not listed in its type. */
  private rest(listed: readonly string[], values: TypeModel, at: Code, place: Place): Expression {
    return this.callPrivate(["rest", listed, values], `${place.path}Rest`, at, place, (inner) => {
      const skip = join(
        listed.map((name) => code`key === ${literal(name)}`),
        " || ",
      );
      const head = code`for (const key in value) {\nif (${skip}) continue;\nconst item = (value as Record<string, unknown>)[key];`;
      return code`${refuse(notObject, inner)}${this.loop(head, values, inner)}`;
    });
  }

  private loop(head: Code, items: TypeModel, place: Place): Code {
    const test = printExpression(this.check(items, binding("item"), deeper(place)));
    return code`${head}\nif (!(${test})) return false;\n}\nreturn true;\n`;
  }

  private union(type: Union, at: Code, place: Place): Expression {
    const { choice } = type;
    if (choice.kind === "tag")
      return this.callPrivate(type, place.path, at, place, (inner) => this.switchBody(type, choice, inner));
    const members = choice.kind === "jsonType" ? type.members : decisive(type.members, this.definitions);
    const checks = members.map((inner, index) =>
      this.check(inner, at, { ...place, path: `${place.path}${index + 1}` }),
    );
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

  private switchBody(type: Union, choice: Extract<Union["choice"], { kind: "tag" }>, place: Place): Code {
    const cases = type.members.map((inner, index) => {
      const labels = (choice.cases[index] ?? []).map((tag) => code`case ${literal(tag)}:\n`);
      const known = inner.kind === "reference" && this.tags.get(inner.name) === choice.member;
      const test = known
        ? code`fits${inner.name as Code}(value)`
        : printExpression(this.check(inner, value, { ...place, path: `${place.path}${index + 1}` }));
      return code`${join(labels, "")}return ${test};\n`;
    });
    const shape = code`Fields<{ ${key(choice.member)}: unknown }>`;
    return code`if (${notObject}) return false;\nswitch (${member(code`(value as ${shape})`, choice.member)}) {\n${join(cases, "")}default:\nreturn false;\n}\n`;
  }

  /** Calls the private predicate of an inline type, printing it first; equal types share one. */
  private callPrivate(type: unknown, label: string, at: Code, place: Place, print: (place: Place) => Code): Expression {
    const identity = structureKey([type, place.depth !== undefined]);
    let name = this.names.get(identity);
    if (name === undefined) {
      name = this.free(`is${label}`);
      this.names.set(identity, name);
      const body = print({ path: label, ...(place.depth && { depth: binding("depth") }) });
      const parameters = place.depth ? code`value: unknown, depth: number` : code`value: unknown`;
      this.printed.push(code`function ${binding(name)}(${parameters}): boolean {\n${body}}`);
    }
    return call(name, at, ...(place.depth ? [place.depth] : []));
  }

  private label(type: TypeModel, place: Place): string {
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

  private free(name: string): string {
    let candidate = name;
    for (let count = 2; this.taken.has(candidate); count++) candidate = `${name}${count}`;
    this.taken.add(candidate);
    return candidate;
  }
}

/**
 * Alternatives that get a function of their own for what is left to check when the tag is known. Unions that nothing
 * refers to are asked once per message; there it would only cost size.
 */
function tagsOf(definitions: readonly Definition[], recursive: ReadonlySet<string>): ReadonlyMap<string, string> {
  const structs = new Set(
    definitions.flatMap(({ kind, name }) => (kind === "struct" && !recursive.has(name) ? [name] : [])),
  );
  const referenced = new Set<string>();
  for (const definition of definitions) {
    visitDefinition(definition, (type) => {
      if (type.kind === "reference") referenced.add(type.name);
    });
  }
  const found = new Map<string, Set<string>>();
  for (const definition of definitions) {
    visitDefinition(definition, (type) => {
      if (type.kind !== "union" || type.choice.kind !== "tag") return;
      if (definition.kind === "alias" && definition.type === type && !referenced.has(definition.name)) return;
      for (const inner of type.members) {
        if (inner.kind !== "reference" || !structs.has(inner.name)) continue;
        found.set(inner.name, (found.get(inner.name) ?? new Set()).add(type.choice.member));
      }
    });
  }
  return new Map(
    [...found].flatMap(([name, tags]) => (tags.size === 1 ? [...tags].map((tag) => [name, tag] as const) : [])),
  );
}

/** Local names for members: their own where that names nothing else in the module. */
function localNames(members: readonly string[]): ReadonlyMap<string, Code> {
  const taken = new Set(members);
  const others = new Set([
    "value",
    "depth",
    "types",
    "tag",
    "item",
    "index",
    "key",
    "Array",
    "Number",
    ...sharedChecks,
  ]);
  return new Map(
    members.map((name) => {
      if (isBindingName(name) && !others.has(name) && !/^(is|fits)[A-Z_$]/.test(name)) return [name, binding(name)];
      let local = `${name.replace(/[^A-Za-z0-9]+/g, "_").replace(/^(?![A-Za-z])/, "m")}_`;
      while (taken.has(local)) local += "_";
      taken.add(local);
      return [name, binding(local)];
    }),
  );
}

function shapeOf({ members }: Struct): Code {
  return code`{ ${join(
    members.map(({ name }) => code`${key(name)}: unknown`),
    "; ",
  )} }`;
}

function equalsOneOf(left: Code, values: readonly string[]): Expression {
  return or(values.map((right): Expression => ({ kind: "equals", left, right })));
}

function bounds(left: Code, minimum: number | undefined, maximum: number | undefined): readonly Expression[] {
  const found: Expression[] = [];
  if (minimum !== undefined) found.push({ kind: "compare", left, operator: ">=", right: literal(minimum) });
  if (maximum !== undefined) found.push({ kind: "compare", left, operator: "<=", right: literal(maximum) });
  return found;
}

function deeper(place: Place): Place {
  return { ...place, ...(place.depth && { depth: code`depth + 1` }) };
}

function refuse(test: Code, place: Place): Code {
  const tooDeep = place.depth ? code` || depth >= maxDepth` : code``;
  return code`if (${test}${tooDeep}) return false;\n`;
}

function call(callee: string, ...args: readonly Code[]): Expression {
  const [object, method] = callee.split(".");
  return {
    kind: "call",
    callee: method === undefined ? binding(callee) : code`${binding(object ?? "")}.${binding(method)}`,
    args,
  };
}

function capitalized(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
