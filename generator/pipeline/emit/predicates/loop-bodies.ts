import type { EntriesModel, TextBounds, TypeModel } from "../../../shared/model/protocol.js";
import { binding, code, join, nothing, type Code } from "../../../shared/code/code.js";
import { always, and, printExpression, type Expression } from "../../../shared/code/expression.js";
import { bounds, equalsOneOf, notObject, returnFalseIf, value, type ValuePlace } from "./predicate-parts.js";

export function isBounded({ minLength, maxLength, pattern }: TextBounds): boolean {
  return minLength !== undefined || maxLength !== undefined || pattern !== undefined;
}

/** A regular expression with the flag `u`; the engine's own `source` escapes slashes and line ends. */
export function regularExpression(pattern: string): Code {
  return `/${new RegExp(pattern, "u").source}/u` as Code;
}

/** The body of a check of a string. Its length is counted in code points: surrogate pairs count once. */
export function textBody({ minLength, maxLength, pattern }: TextBounds): Code {
  const length = binding("length");
  const isCounted = minLength !== undefined || maxLength !== undefined;
  const count = code`let length = value.length;
for (let index = 1; index < value.length; index++) {
if ((value.charCodeAt(index) & 0xfc00) === 0xdc00 && (value.charCodeAt(index - 1) & 0xfc00) === 0xd800) length--;
}
`;
  const matches: readonly Expression[] =
    pattern === undefined ? [] : [{ kind: "call", callee: code`${regularExpression(pattern)}.test`, args: [value] }];
  const test = printExpression(and([...bounds(length, minLength, maxLength), ...matches]));
  return code`if (typeof value !== "string") return false;\n${isCounted ? count : nothing}return ${test};\n`;
}

/** The body of a check that no two items of an array are equal: equal items have equal canonical texts. */
export const uniqueBody = code`if (!Array.isArray(value)) return false;
const sorted = (_: string, inner: unknown): unknown =>
typeof inner === "object" && inner !== null && !Array.isArray(inner)
? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
: inner;
return new Set(value.map((item) => JSON.stringify(item, sorted))).size === value.length;
`;

/** Reads the item at `key` of an object or at `index` of an array, unless no item is valid anyway. */
export function itemAt(type: TypeModel, at: "key" | "index" = "key"): Code {
  if (type.kind === "never") return nothing;
  return at === "index"
    ? code`\nconst item: unknown = value[index];`
    : code`\nconst item = (value as Record<string, unknown>)[key];`;
}

/** The name of the key; a key that is not read begins with an underscore. */
export function keyOf(type: TypeModel): Code {
  return binding(type.kind === "never" ? "_key" : "key");
}

/**
 * The body of a check of all members of an object.
 * @param check the test of a type for the value in a local name
 */
export function entriesBody(
  { patterns, rest, listed, names, minProperties, maxProperties }: EntriesModel,
  place: ValuePlace,
  check: (type: TypeModel, of: Code) => Expression,
): Code {
  const [key, item] = [binding("key"), binding("item")];
  const ofRest = rest ? check(rest, item) : always;
  const ofPatterns = patterns.map(({ type }) => check(type, item));
  const isLimited = minProperties !== undefined || maxProperties !== undefined;
  const isChoosy = ofRest.kind !== "always" && (listed.length > 0 || patterns.length > 0);
  const selected = patterns.map(({ pattern }, at) => {
    const found = isChoosy ? code`found = true;\n` : nothing;
    return code`if (${regularExpression(pattern)}.test(key)) {\n${found}${unless(ofPatterns[at] ?? always)}}\n`;
  });
  const steps = [
    isLimited ? code`count++;\n` : nothing,
    names ? unless(check(names, key)) : nothing,
    isChoosy ? code`let found = ${printExpression(equalsOneOf(key, listed))};\n` : nothing,
    ...selected,
    isChoosy ? code`if (!found) {\n${unless(ofRest)}}\n` : unless(ofRest),
  ];
  const readsItem = [ofRest, ...ofPatterns].some(({ kind }) => kind !== "always" && kind !== "never");
  const readsKey = readsItem || names !== undefined || isChoosy || patterns.length > 0;
  const read = readsItem ? code`const item = (value as Record<string, unknown>)[key];\n` : nothing;
  const body = join(steps, "");
  const loop =
    body === nothing ? nothing : code`for (const ${readsKey ? key : binding("_key")} in value) {\n${read}${body}}\n`;
  const last = printExpression(and(bounds(binding("count"), minProperties, maxProperties)));
  return code`${returnFalseIf(notObject, place)}${isLimited ? code`let count = 0;\n` : nothing}${loop}return ${last};\n`;
}

function unless(test: Expression): Code {
  if (test.kind === "always") return nothing;
  return test.kind === "never" ? code`return false;\n` : code`if (!(${printExpression(test)})) return false;\n`;
}
