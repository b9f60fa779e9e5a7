import { assertNever } from "../assert-never.js";
import type { Definition, MemberModel, ProtocolModel, TypeModel } from "../model/protocol.js";
import { structureKey } from "../model/structure.js";
import { binding, code, join, key, literal, member, type Code } from "./code.js";
import { always, and, or, printExpression, type Expression } from "./expression.js";

/** `validate.ts`: one predicate per definition, and private ones for the arrays, maps and inline objects inside them. */
export function emitValidate(model: ProtocolModel): {
  readonly checks: readonly Code[];
  readonly functions: readonly Code[];
} {
  const printer = new PredicatePrinter(model);
  const functions = [
    ...model.definitions.map((definition) => printer.definition(definition)),
    ...printer.privateFunctions(),
  ];
  const text = functions.join("\n");
  const checks = sharedChecks.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).map(binding);
  return { checks, functions };
}

/** What the shared module `checks.ts` exports; no predicate can have such a name. */
const sharedChecks = [
  "jsonArray",
  "jsonInteger",
  "jsonNumber",
  "jsonObject",
  "jsonStrings",
  "maxDepth",
  "ownMember",
] as const;

interface Place {
  /** Names a private function after where its type stands. */
  readonly path: string;
  /** What to pass on to recursive predicates; absent outside of them. */
  readonly depth?: Code;
}

const value = binding("value");

class PredicatePrinter {
  private readonly recursive: ReadonlySet<string>;
  private readonly taken: Set<string>;
  private readonly names = new Map<string, string>();
  private readonly printed: Code[] = [];

  constructor(model: ProtocolModel) {
    this.recursive = new Set(model.definitions.filter((definition) => definition.recursive).map(({ name }) => name));
    this.taken = new Set(model.definitions.map(({ name }) => `is${name}`));
  }

  definition(definition: Definition): Code {
    const { name, recursive } = definition;
    const place: Place = { path: name, ...(recursive && { depth: binding("depth") }) };
    const type: TypeModel =
      definition.kind === "alias"
        ? definition.type
        : { kind: "struct", members: definition.members, ...(definition.index && { index: definition.index }) };
    const body =
      definition.kind === "alias"
        ? this.check(type, value, place)
        : this.struct(definition, place, code`types.${name as Code}`);
    const parameters = recursive ? code`value: unknown, depth = 0` : code`value: unknown`;
    return code`export function ${binding(`is${name}`)}(${parameters}): value is types.${name as Code} {\ntry {\nreturn ${printExpression(body)};\n} catch {\nreturn false;\n}\n}`;
  }

  privateFunctions(): readonly Code[] {
    return this.printed;
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
        const bounds: Expression[] = [];
        if (type.minimum !== undefined)
          bounds.push({ kind: "compare", left: at, operator: ">=", right: literal(type.minimum) });
        if (type.maximum !== undefined)
          bounds.push({ kind: "compare", left: at, operator: "<=", right: literal(type.maximum) });
        return and([call(type.kind === "integer" ? "jsonInteger" : "jsonNumber", at), ...bounds]);
      }
      case "unknown":
        return always;
      case "object":
        return call("jsonObject", at);
      case "literal":
        return { kind: "equals", left: at, right: type.value };
      case "enum":
        return type.open
          ? { kind: "typeof", of: at, is: "string" }
          : or(type.values.map((right): Expression => ({ kind: "equals", left: at, right })));
      case "reference":
        return this.recursive.has(type.name) && place.depth
          ? call(`is${type.name}`, at, place.depth)
          : call(`is${type.name}`, at);
      case "array":
        return this.array(type, at, place);
      case "map":
        return type.values.kind === "unknown" ? call("jsonObject", at) : this.values(type.values, at, place);
      case "struct":
        return this.inlineStruct(type, at, place);
      case "union":
        return this.union(type, at, place);
      default:
        return assertNever(type);
    }
  }

  private array(type: Extract<TypeModel, { kind: "array" }>, at: Code, place: Place): Expression {
    const { items, minItems, maxItems } = type;
    const bounds: Expression[] = [];
    if (minItems !== undefined)
      bounds.push({ kind: "compare", left: code`${at}.length`, operator: ">=", right: literal(minItems) });
    if (maxItems !== undefined)
      bounds.push({ kind: "compare", left: code`${at}.length`, operator: "<=", right: literal(maxItems) });
    const list =
      items.kind === "unknown"
        ? call("jsonArray", at)
        : items.kind === "string"
          ? call("jsonStrings", at)
          : this.items(items, at, place);
    return and([list, ...bounds]);
  }

  private union(type: Extract<TypeModel, { kind: "union" }>, at: Code, place: Place): Expression {
    const { choice } = type;
    const checks = type.members.map((inner, index) =>
      this.check(inner, at, { ...place, path: `${place.path}${index + 1}` }),
    );
    if (choice.kind !== "tag") return or(checks);
    const tag = member(at, choice.member);
    const cases = checks.map((then, index) => ({
      when: or((choice.cases[index] ?? []).map((right): Expression => ({ kind: "equals", left: tag, right }))),
      then,
    }));
    return and([objectWith([choice.member], at), { kind: "choose", cases }]);
  }

  private struct(
    { members, index }: { readonly members: readonly MemberModel[]; readonly index?: TypeModel },
    place: Place,
    shape?: Code,
  ): Expression {
    const inner = deeper(place);
    const literalsFirst = [...members].sort(
      (a, b) => Number(b.type.kind === "literal") - Number(a.type.kind === "literal"),
    );
    const checks = literalsFirst.map((found) =>
      this.member(found, { ...inner, path: place.path + capitalized(found.name) }),
    );
    const object: Expression = shape
      ? { kind: "call", callee: code`jsonObject<${shape}>`, args: [value] }
      : objectWith(
          members.map(({ name }) => name),
          value,
        );
    const bound: Expression = place.depth
      ? { kind: "compare", left: place.depth, operator: "<", right: binding("maxDepth") }
      : always;
    const rest =
      !index || index.kind === "unknown"
        ? always
        : members.length === 0
          ? this.values(index, value, place)
          : this.rest(
              members.map(({ name }) => name),
              index,
              place,
            );
    return and([object, bound, ...checks, rest]);
  }

  private member({ name, optional, type }: MemberModel, place: Place): Expression {
    const at = member(value, name);
    const check = this.check(type, at, place);
    if (optional) return check.kind === "always" ? always : or([{ kind: "equals", left: at, right: undefined }, check]);
    return check.kind === "always" ? { kind: "present", of: at } : check;
  }

  private items(items: TypeModel, at: Code, place: Place): Expression {
    return this.callPrivate(["array", items], `${this.label(items, place)}Array`, at, place, (inner) => {
      const loop = this.loop(
        code`for (let index = 0; index < value.length; index++) {\nconst item = value[index];`,
        items,
        inner,
      );
      return { returns: code`value is readonly unknown[]`, body: code`${refuseUnless("jsonArray", inner)}${loop}` };
    });
  }

  private values(values: TypeModel, at: Code, place: Place): Expression {
    return this.callPrivate(["map", values], `${this.label(values, place)}Map`, at, place, (inner) => {
      const loop = this.loop(code`for (const key in value) {\nconst item = value[key];`, values, inner);
      return { returns: code`boolean`, body: code`${refuseUnless("jsonObject", inner)}${loop}` };
    });
  }

  /** The members of an object that are not listed in its type. */
  private rest(listed: readonly string[], values: TypeModel, place: Place): Expression {
    return this.callPrivate(["rest", listed, values], `${place.path}Rest`, value, place, (inner) => {
      const skip = join(
        listed.map((name) => code`key === ${literal(name)}`),
        " || ",
      );
      const loop = this.loop(
        code`for (const key in value) {\nif (${skip}) continue;\nconst item = value[key];`,
        values,
        inner,
      );
      return { returns: code`boolean`, body: code`${refuseUnless("jsonObject", inner)}${loop}` };
    });
  }

  private inlineStruct(type: Extract<TypeModel, { kind: "struct" }>, at: Code, place: Place): Expression {
    return this.callPrivate(type, place.path, at, place, (inner) => ({
      returns: code`boolean`,
      body: code`return ${printExpression(this.struct(type, inner))};\n`,
    }));
  }

  private loop(head: Code, items: TypeModel, place: Place): Code {
    const test = printExpression(this.check(items, binding("item"), deeper(place)));
    return code`${head}\nif (!(${test})) return false;\n}\nreturn true;\n`;
  }

  /** Calls the private predicate of an inline type, printing it first; equal types share one. */
  private callPrivate(
    type: unknown,
    label: string,
    at: Code,
    place: Place,
    print: (place: Place) => { readonly returns: Code; readonly body: Code },
  ): Expression {
    const identity = structureKey([type, place.depth !== undefined]);
    let name = this.names.get(identity);
    if (name === undefined) {
      name = this.free(`is${label}`);
      this.names.set(identity, name);
      const { returns, body } = print({ path: label, ...(place.depth && { depth: binding("depth") }) });
      const parameters = place.depth ? code`value: unknown, depth: number` : code`value: unknown`;
      this.printed.push(code`function ${binding(name)}(${parameters}): ${returns} {\n${body}}`);
    }
    return place.depth ? call(name, at, place.depth) : call(name, at);
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

function deeper(place: Place): Place {
  return { ...place, ...(place.depth && { depth: code`depth + 1` }) };
}

function refuseUnless(check: (typeof sharedChecks)[number], place: Place): Code {
  const tooDeep = place.depth ? code` || depth >= maxDepth` : code``;
  return code`if (!${binding(check)}(value)${tooDeep}) return false;\n`;
}

function call(callee: string, ...args: readonly Code[]): Expression {
  return { kind: "call", callee: binding(callee), args };
}

function objectWith(members: readonly string[], at: Code): Expression {
  if (members.length === 0) return call("jsonObject", at);
  const fields = join(
    members.map((name) => code`${key(name)}: unknown`),
    "; ",
  );
  return { kind: "call", callee: code`jsonObject<{ ${fields} }>`, args: [at] };
}

function capitalized(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
