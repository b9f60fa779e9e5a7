import { assertNever } from "../assert-never.js";
import { code, inherits, join, key, literal, nothing, type Code } from "../code/code.js";
import { not, printExpression, type Expression } from "../code/expression.js";
import { namesIn } from "./module-names.js";
import { expressionOf, memberOf, type Check, type MemberCheck, type Path } from "./check.js";

/** The code for a failed check. */
interface Outcome {
  readonly refuse: (path: Path, message: Code) => Code;
  /** Whether the next checks still run. */
  readonly goesOn: boolean;
}

const predicate: Outcome = { refuse: () => code`return false;\n`, goesOn: false };
const report: Outcome = {
  refuse: (path, message) => code`report(issues, ${extended(path)}, ${message});\n`,
  goesOn: true,
};

/** The path of the value, or of a value inside it. */
export function extended(path: Path): Code {
  return path.length === 0 ? code`path` : code`[...path, ${join(path, ", ")}]`;
}

/** The body of a predicate. */
export function printPredicate(checks: readonly Check[]): Code {
  if (checks.some(isNever)) return print(checks, predicate);
  const last = checks.at(-1);
  const end = last && expressionOf([last]);
  const rest = end ? checks.slice(0, -1) : checks;
  return code`${print(rest, predicate)}return ${end ? printExpression(end) : literal(true)};\n`;
}

/** The body of a function that adds to `issues`. */
export function printReport(checks: readonly Check[]): Code {
  return print(checks, report);
}

function print(checks: readonly Check[], outcome: Outcome): Code {
  const end = outcome.goesOn ? -1 : checks.findIndex(isNever);
  const reached = end < 0 ? checks : checks.slice(0, end + 1);
  return join(
    reached.map((check) => one(check, outcome)),
    "",
  );
}

function isNever(check: Check): boolean {
  return check.kind === "must" && check.test.kind === "never";
}

function one(check: Check, outcome: Outcome): Code {
  const inner = (checks: readonly Check[]): Code => print(checks, outcome);
  switch (check.kind) {
    case "must": {
      const then = inner(check.then);
      const refusal = outcome.refuse(check.path, check.message);
      if (check.test.kind === "never") return refusal;
      if (check.test.kind === "always") return then;
      if (!outcome.goesOn || then === nothing) return code`${branch(not(check.test), refusal)}${then}`;
      return code`${branch(not(check.test), refusal).trimEnd() as Code} else {\n${then}}\n`;
    }
    case "when": {
      const [then, otherwise] = [inner(check.then), inner(check.otherwise)];
      if (check.test.kind === "always" || check.test.kind === "never")
        return check.test.kind === "always" ? then : otherwise;
      if (then === nothing && otherwise === nothing) return nothing;
      if (then === nothing) return branch(not(check.test), otherwise);
      if (otherwise === nothing) return branch(check.test, then);
      return code`${branch(check.test, then).trimEnd() as Code} else {\n${otherwise}}\n`;
    }
    case "members":
      return code`${reads(check.object, check.members)}${join(
        check.members.map((member) => memberCheck(member, outcome)),
        "",
      )}`;
    case "element": {
      const { array, index, local } = check;
      const body = naming(local, code`${array}[${literal(index)}]`, inner(check.then));
      return code`if (${array}.length > ${literal(index)}) {\n${body}}\n`;
    }
    case "items":
      return loop(check, code`${inner(check.then)}`);
    case "entries": {
      const { object, key: name, local } = check;
      const skip = code`if (!Object.hasOwn(${object}, ${name})) continue;\n`;
      const read = code`const ${local} = ${memberOf(object, name)};\nif (${local} === undefined) continue;\n`;
      return code`for (const ${name} in ${object}) {\n${skip}${read}${inner(check.then)}}\n`;
    }
    case "matches": {
      const { count, test } = check;
      const counting = loop({ ...check, from: 0 }, branch(test, code`${count}++;\n`));
      return code`let ${count} = 0;\n${counting}${inner(check.then)}`;
    }
    case "apply": {
      if (!outcome.goesOn) return branch(not(check.fits), outcome.refuse(check.path, nothing));
      return code`${check.issues}(${check.at}, ${extended(check.path)}, issues${depthOf(check.fits)});\n`;
    }
    case "alternatives": {
      if (check.test.kind === "always") return nothing;
      const refusal = outcome.refuse(check.path, check.message);
      if (!outcome.goesOn) return branch(not(check.test), refusal);
      const known = check.recognised.map(
        ({ test, then }) => code`if (${printExpression(test)}) {\n${inner(then)}} else `,
      );
      return branch(not(check.test), known.length === 0 ? refusal : code`${join(known, "")}{\n${refusal}}\n`);
    }
    default:
      return assertNever(check);
  }
}

/** The depth argument of a predicate's call, which is also passed to the function that reports. */
function depthOf(fits: Expression): Code {
  return fits.kind === "call" && fits.args[1] ? code`, ${fits.args[1]}` : nothing;
}

function branch(test: Expression, then: Code): Code {
  const condition = printExpression(test);
  return /^return \w+;\n$/.test(then) ? code`if (${condition}) ${then}` : code`if (${condition}) {\n${then}}\n`;
}

function loop(
  { array, index, local, from }: { array: Code; index: Code; local: Code; from: number },
  body: Code,
): Code {
  const head = code`for (let ${index} = ${literal(from)}; ${index} < ${array}.length; ${index}++)`;
  return code`${head} {\n${naming(local, code`${array}[${index}]`, body)}}\n`;
}

/** Declares a local for a value where the body uses its name. */
function naming(local: Code, of: Code, body: Code): Code {
  return namesIn(body).has(local) ? code`const ${local}: unknown = ${of};\n${body}` : body;
}

/** Reads members with one destructuring; names that every object inherits are read only as own members. */
function reads(object: Code, members: readonly MemberCheck[]): Code {
  const plain = members.filter(({ name }) => !inherits(name));
  const pattern = plain.map(({ name, local }) => (local === name ? local : code`${key(name)}: ${local}`));
  const own = members.filter(({ name }) => inherits(name));
  return code`${plain.length === 0 ? nothing : code`const { ${join(pattern, ", ")} } = ${object} as Fields;\n`}${join(
    own.map(({ name, local }) => code`const ${local} = ownMember(${object}, ${literal(name)});\n`),
    "",
  )}`;
}

function memberCheck({ local, required, path, then }: MemberCheck, outcome: Outcome): Code {
  const present: Expression = { kind: "present", of: local };
  const missing = outcome.refuse(path, literal("is required"));
  const whole = required && !outcome.goesOn ? undefined : expressionOf(then);
  // `x === undefined` is redundant before a check that rejects undefined.
  if (required && !outcome.goesOn) {
    const [first] = then;
    const implied = first?.kind === "must" && refusesUndefined(first.test);
    return code`${implied ? nothing : branch(not(present), missing)}${print(then, outcome)}`;
  }
  if (!outcome.goesOn && whole) {
    if (whole.kind === "always") return nothing;
    return branch({ kind: "and", items: [present, not(whole)] }, code`return false;\n`);
  }
  const body = print(then, outcome);
  if (!required) return body === nothing ? nothing : branch(present, body);
  const open = branch(not(present), missing);
  return body === nothing ? open : code`${open.trimEnd() as Code} else {\n${body}}\n`;
}

function refusesUndefined(test: Expression): boolean {
  switch (test.kind) {
    case "typeof":
    case "object":
      return true;
    case "equals":
      return test.right !== undefined;
    case "call":
      return ["Number.isFinite", "Number.isInteger", "Array.isArray"].includes(test.callee);
    case "or":
      return test.items.every(refusesUndefined);
    case "and":
      return test.items.some(refusesUndefined);
    default:
      return false;
  }
}
