import { assertNever } from "../../shared/assert-never.js";
import type { MemberChange, Plan, Test } from "../../shared/model/conversion.js";
import {
  binding,
  code,
  data,
  entryKey,
  inherits,
  join,
  literal,
  member,
  nothing,
  type Code,
} from "../../shared/code/code.js";
import type { Declaration } from "../../shared/schema-code/module-names.js";
import { upperFirst } from "../../shared/names/case.js";

const value = binding("value");

/** Prints plans as straight-line code that returns the same value where nothing changes. */
export class ConversionPrinter {
  readonly #printed: Declaration[] = [];
  readonly #taken: Set<string>;
  /** Functions for types without a name; equal ones are printed once. */
  readonly #byBody = new Map<Code, Code>();

  /**
   * @param names names of the functions that will be defined
   * @param takesParent whether a custom function takes the parent object as its second argument
   */
  constructor(
    names: readonly string[],
    private readonly takesParent: (name: string) => boolean,
  ) {
    this.#taken = new Set(names);
  }

  functions(): readonly Declaration[] {
    return this.#printed;
  }

  define(name: string, plan: Plan): void {
    this.#print(name, this.#body(plan, name));
  }

  /** The function for a plan. A plan that only calls a function reuses that function. */
  function(plan: Plan, path: string): Code {
    if (plan.kind === "call") return binding(plan.name);
    if (plan.kind === "function") return code`customFunctions.${binding(plan.name)}`;
    const body = this.#body(plan, path);
    const known = this.#byBody.get(body);
    if (known !== undefined) return known;
    let free = path;
    for (let count = 2; this.#taken.has(free); count++) free = `${path}${count}`;
    this.#taken.add(free);
    const name = binding(free);
    this.#byBody.set(body, name);
    this.#print(free, body);
    return name;
  }

  #print(name: string, body: Code): void {
    const text = code`function ${binding(name)}(value: unknown): unknown {\n${body}}`;
    this.#printed.push({ name: binding(name), text });
  }

  #expression(plan: Plan, at: Code, path: string): Code {
    switch (plan.kind) {
      case "same":
        return at;
      case "array":
        return code`each(${at}, ${this.function(plan.items, `${path}Item`)})`;
      case "map":
        return code`eachValue(${at}, ${this.function(plan.values, `${path}Value`)})`;
      case "refuse":
        return code`refuse(${at}, ${literal(plan.instead)})`;
      default:
        return code`${this.function(plan, path)}(${at})`;
    }
  }

  #body(plan: Plan, path: string): Code {
    switch (plan.kind) {
      case "struct": {
        return code`if (!isObject(value)) return value;\n${this.#changes(plan.changes, path)}`;
      }
      case "cases": {
        const cases = plan.cases.map((found, at) => {
          const then = code`return ${this.#expression(found.plan, value, `${path}${at + 1}`)};\n`;
          return found.when.length === 0 ? then : code`if (${join(found.when.map(test), " && ")}) ${then}`;
        });
        const ends = plan.cases.at(-1)?.when.length === 0;
        return code`${join([...new Set(cases)], "")}${ends ? nothing : code`return value;\n`}`;
      }
      case "values": {
        const cases = Object.entries(plan.values).map(
          ([from, to]) => code`case ${literal(from)}:\nreturn ${literal(to)};\n`,
        );
        return code`switch (value) {\n${join(cases, "")}default:\nreturn value;\n}\n`;
      }
      case "substitute": {
        const entries = Object.entries(plan.by).map(([name, by]) => code`${entryKey(name)}: ${filled(by)}`);
        return code`return isObject(value) ? replace(value, ${data(plan.without)}, { ${join(entries, ", ")} }) : value;\n`;
      }
      case "same":
      case "call":
      case "array":
      case "map":
      case "function":
      case "refuse":
        return code`return ${this.#expression(plan, value, path)};\n`;
      default:
        return assertNever(plan);
    }
  }

  /** Each change starts from the result of the previous one; the first starts from the value itself. */
  #changes(changes: readonly MemberChange[], path: string): Code {
    const refusals = changes.flatMap((change) => (change.kind === "refuse" ? [refusal(change)] : []));
    const others = changes.flatMap((change) => (change.kind === "refuse" ? [] : [change]));
    const lines = others.map((change, at) => {
      const result = this.#change(change, at === 0 ? value : binding("to"), path);
      if (at === others.length - 1) return code`return ${result};\n`;
      return at === 0 ? code`let to = ${result};\n` : code`to = ${result};\n`;
    });
    return code`${join(refusals, "")}${lines.length === 0 ? code`return value;\n` : join(lines, "")}`;
  }

  #change(change: Exclude<MemberChange, { kind: "refuse" }>, to: Code, path: string): Code {
    const name = literal(change.member);
    switch (change.kind) {
      case "fill":
        return code`${change.always ? code`put` : code`fill`}(value, ${to}, ${name}, ${data(change.value)})`;
      case "drop":
        return code`put(value, ${to}, ${name}, undefined)`;
      case "convert": {
        const at = read(value, change.member);
        const { plan } = change;
        const inner = `${path}${upperFirst(change.member.replace(/[^A-Za-z0-9]/g, ""))}`;
        const converted =
          plan.kind === "function" && this.takesParent(plan.name)
            ? code`customFunctions.${binding(plan.name)}(${at}, value)`
            : this.#expression(plan, at, inner);
        return code`put(value, ${to}, ${name}, ${converted})`;
      }
      default:
        return assertNever(change);
    }
  }
}

function refusal({ member: name, present, instead }: Extract<MemberChange, { kind: "refuse" }>): Code {
  return code`refuseMember(value, ${literal(name)}, ${literal(present)}, ${literal(instead)});\n`;
}

function test(found: Test): Code {
  switch (found.kind) {
    case "array":
      return code`Array.isArray(value)`;
    case "object":
      return code`isObject(value)`;
    case "present":
      return code`${read(value, found.member)} !== undefined`;
    case "equals": {
      const tests = found.values.map((one) => code`${read(value, found.member)} === ${literal(one)}`);
      return tests.length === 1 ? join(tests, "") : code`(${join(tests, " || ")})`;
    }
    default:
      return assertNever(found);
  }
}

/** In strings of a substitute, braces name members of the old object. */
function filled(by: unknown): Code {
  if (typeof by !== "string" || !/\{\w+\}/.test(by)) return data(by);
  const parts = by.split(/\{(\w+)\}/).flatMap((part, at): readonly Code[] => {
    if (at % 2 === 1) return [read(value, part)];
    return part === "" ? [] : [literal(part)];
  });
  return code`[${join(parts, ", ")}].join("")`;
}

/** Objects are typed by an index signature. */
function read(object: Code, name: string): Code {
  return inherits(name) ? member(object, name) : code`${object}[${literal(name)}]`;
}
