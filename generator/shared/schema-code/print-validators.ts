import { fail } from "../diagnostics/diagnostic.js";
import { binding, code, docComment, join, literal, nothing, typeName, type Code } from "../code/code.js";
import { isTypeName } from "../names/identifier.js";
import { helperNames, helpersFor } from "./validator-helpers.js";
import { Constants, Names, namesIn, neededBy, type Declaration } from "./module-names.js";
import { planChecks } from "./plan-checks.js";
import type { PlanContext } from "./plan-context.js";
import { printPredicate, printReport } from "./print-checks.js";
import { readSchema } from "./read-schema.js";
import { needsBounds } from "./recursion.js";
import type { SchemaGraph, SchemaNode } from "./schema-node.js";

/** A JSON Schema, and the name of the TypeScript type that it describes. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: unknown;
}

export interface ValidatorOptions {
  /**
   * Whether `pattern` and `patternProperties` are checked. Testing a pattern from an untrusted source can take
   * practically endless time. Default: `check`.
   */
  readonly patterns?: "check" | "ignore";
  /** Names that the module already uses, which private functions must not take. Default: none. */
  readonly taken?: readonly string[];
}

export interface ValidatorCode {
  /**
   * TypeScript for a module in which each `name` is a type in scope. For each schema it contains the exported functions
   * `is<Name>(value: unknown): value is <Name>` and `check<Name>(value: unknown): ValidationIssue[]`, the exported
   * interface `ValidationIssue`, and the functions they need. It imports nothing and is not formatted.
   */
  readonly text: Code;
  /** The exported names. */
  readonly exports: readonly string[];
}

/**
 * Prints validators of JSON Schemas: straight-line code without a schema library and without `eval`. The predicates
 * allocate nothing; the checks report up to a hundred issues, and none exactly when the predicate accepts the value.
 * Neither ever throws. Members whose value is undefined count as absent, and so do inherited members. `format` and
 * unknown keywords are annotations. Where a schema refers to itself, values are checked 512 levels deep.
 *
 * @throws DiagnosticError name-not-identifier, name-collision, and those of a schema that is malformed, too large,
 *   unsupported (`$dynamicRef`, a nested `$id`), or refers to another document
 */
export function printValidators(schemas: readonly NamedSchema[], options: ValidatorOptions = {}): ValidatorCode {
  const exports = ["ValidationIssue", ...schemas.flatMap(({ name }) => [`is${name}`, `check${name}`])];
  const reserved = new Set([...exports, ...helperNames, ...(options.taken ?? [])]);
  const seen = new Set<string>();
  for (const { name } of schemas) {
    if (!isTypeName(name)) fail("name-not-identifier", { name });
    if (seen.has(name) || reserved.has(name)) fail("name-collision", { name, owner: `the schema ${name}` });
    seen.add(name);
  }
  const names = new Names([...reserved, ...seen, ...locals]);
  const constants = new Constants(names);
  const patterns = options.patterns !== "ignore";
  const printed = schemas.map(({ name, schema }) =>
    printSchema(name, readSchema(name, schema), { names, constants, patterns }),
  );
  const roots = join(
    printed.map(({ text }) => text),
    "\n\n",
  );
  const all = [...constants.declarations(), ...printed.flatMap(({ functions }) => functions)];
  const needed = neededBy(roots, all).map(({ text }) => text);
  const body = join([roots, ...needed], "\n\n");
  const helpers = schemas.length === 0 ? nothing : helpersFor(code`${body} report() ValidationIssue`);
  return { text: code`${helpers}\n\n${body}\n`, exports: schemas.length === 0 ? [] : exports };
}

/** Names that printed code uses in addition to those it declares. */
const locals = ["value", "depth", "path", "issues", "Array", "JSON", "Number", "Object", "RegExp", "Set", "undefined"];

interface Printed {
  /** The exported functions. */
  readonly text: Code;
  readonly functions: readonly Declaration[];
}

interface Module {
  readonly names: Names;
  readonly constants: Constants;
  readonly patterns: boolean;
}

const value = binding("value");

function printSchema(name: string, graph: SchemaGraph, { names, constants, patterns }: Module): Printed {
  const bounded = needsBounds(graph);
  const functions = new Map<SchemaNode, { readonly fits: Code; readonly issues: Code }>();
  const queue: SchemaNode[] = [];
  const context: PlanContext = {
    graph,
    constants,
    patterns,
    long: new Set(),
    depth: bounded ? code`depth + 1` : undefined,
    plan: planChecks,
    functions: (node) => {
      const known = functions.get(node);
      if (known) return known;
      const wish = `${name} ${node.pointer.replace(/^#|\/(\$defs|definitions|properties)(?=\/)/g, "")}`;
      const made = { fits: names.take(`fits ${wish}`), issues: names.take(`report ${wish}`) };
      functions.set(node, made);
      queue.push(node);
      return made;
    },
  };
  const root = context.functions(graph.root);
  const printed: Declaration[] = [];
  for (let node = queue.shift(); node; node = queue.shift()) {
    const { fits, issues } = context.functions(node);
    const checks = planChecks(node, { at: value, path: [], names: names.inner() }, context);
    printed.push(
      { name: fits, text: functionText(fits, ["value"], code`boolean`, printPredicate(checks), bounded) },
      {
        name: issues,
        text: functionText(issues, ["value", "path", "issues"], code`void`, printReport(checks), bounded),
      },
    );
  }
  return { text: exported(name, root, bounded), functions: printed };
}

/** The message for a value that exceeds the limits of a check. */
export const uncheckable = "cannot be checked; it may be nested too deeply";

const parameters = {
  value: code`unknown`,
  path: code`readonly (string | number)[]`,
  issues: code`ValidationIssue[]`,
} as const;

function functionText(
  name: Code,
  takes: readonly (keyof typeof parameters)[],
  returns: Code,
  body: Code,
  bounded: boolean,
): Code {
  const used = namesIn(body);
  const list = takes.map((one) => code`${used.has(one) ? binding(one) : binding(`_${one}`)}: ${parameters[one]}`);
  const all = join([...list, ...(bounded ? [code`depth: number`] : [])], ", ");
  return code`function ${name}(${all}): ${returns} {\n${bounded ? code`enter(depth);\n` : nothing}${body}}`;
}

function exported(name: string, root: { readonly fits: Code; readonly issues: Code }, bounded: boolean): Code {
  const [is, check] = [binding(`is${name}`), binding(`check${name}`)];
  const begin = bounded ? code`steps = 0;\n` : nothing;
  const zero = bounded ? code`, 0` : nothing;
  const refused = literal(uncheckable);
  return code`${docComment({ text: `Whether a value is a {@link ${name}}. Never throws.` })}export function ${is}(value: unknown): value is ${typeName(name)} {
try {
${begin}return ${root.fits}(value${zero});
} catch {
return false;
}
}

${docComment({ text: `Lists the reasons why a value is not a {@link ${name}}; empty when it is one.` })}export function ${check}(value: unknown): ValidationIssue[] {
if (${is}(value)) return [];
const issues: ValidationIssue[] = [];
try {
${begin}${root.issues}(value, [], issues${zero});
} catch {
report(issues, [], ${refused});
}
if (issues.length === 0) report(issues, [], ${refused});
return issues;
}`;
}
