import { code, join, type Code } from "../code/code.js";
import { namesIn } from "./module-names.js";

interface Helper {
  readonly text: Code;
  readonly uses?: readonly string[];
}

/** The functions that printed validators call, by name. Only those that are called are printed. */
const helpers: Readonly<Record<string, Helper>> = {
  ValidationIssue: {
    text: code`/** One thing that is wrong with a value. */
export interface ValidationIssue {
  readonly message: string;
  /** Where in the value; empty for the value itself. */
  readonly path: readonly (string | number)[];
}`,
  },
  Fields: { text: code`type Fields = Readonly<Record<string, unknown>>;` },
  report: {
    uses: ["ValidationIssue"],
    text: code`/** Keeps a hundred issues: the sender of a value could cause any number of them. */
function report(issues: ValidationIssue[], path: readonly (string | number)[], message: string): void {
  if (issues.length < 100) issues.push({ message, path });
}`,
  },
  ownMember: {
    uses: ["Fields"],
    text: code`/** Reads an own member whose name every object inherits. */
function ownMember(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Fields)[name] : undefined;
}`,
  },
  hasMember: {
    uses: ["Fields"],
    text: code`function hasMember(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && (value as Fields)[name] !== undefined;
}`,
  },
  countMembers: {
    uses: ["hasMember"],
    text: code`function countMembers(value: object): number {
  let count = 0;
  for (const key in value) if (hasMember(value, key)) count++;
  return count;
}`,
  },
  codePoints: {
    text: code`/** The length of a string in code points. */
function codePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    const pair = (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
    if (pair) count--;
  }
  return count;
}`,
  },
  isMultiple: {
    text: code`/** Tolerates rounding errors, so that 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  if (value % of === 0) return true;
  const times = value / of;
  return !Number.isInteger(of) && Math.abs(times - Math.round(times)) <= 1e-12 * Math.abs(times);
}`,
  },
  isEqual: {
    uses: ["Fields"],
    text: code`/** Whether two JSON values are equal; the order of members is ignored. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isEqual(item, other[index]));
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual((one as Fields)[key], (other as Fields)[key]))
  );
}`,
  },
  areUnique: {
    uses: ["Fields"],
    text: code`/** Whether no two items are equal. Equal items have equal canonical texts, so one pass is enough. */
function areUnique(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (let index = 0; index < items.length; index++) {
    const text = canonicalText(items[index]);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

function canonicalText(value: unknown): string {
  // JSON has one zero.
  if (typeof value !== "object" || value === null) return value === 0 ? "0" : (JSON.stringify(value) ?? "null");
  if (Array.isArray(value)) return "[" + value.map(canonicalText).join() + "]";
  const members = Object.keys(value).sort();
  return "{" + members.map((key) => JSON.stringify(key) + canonicalText((value as Fields)[key])).join() + "}";
}`,
  },
  enter: {
    text: code`/** Limits for recursive schemas, whose checks could otherwise take practically endless time. */
const maxDepth = 512;
const maxSteps = 5_000_000;
let steps = 0;

function enter(depth: number): void {
  if (depth > maxDepth || ++steps > maxSteps) throw new RangeError("too deep to be checked");
}`,
  },
};

/** Every name that a helper takes in a module. */
export const helperNames: readonly string[] = [
  ...Object.keys(helpers),
  "canonicalText",
  "maxDepth",
  "maxSteps",
  "steps",
];

/** The helpers that some code calls, with those they call themselves. */
export function helpersFor(text: Code): Code {
  const used = new Set<string>();
  const add = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    for (const other of helpers[name]?.uses ?? []) add(other);
  };
  const called = namesIn(text);
  for (const name of Object.keys(helpers)) if (called.has(name)) add(name);
  const printed = Object.entries(helpers).flatMap(([name, helper]) => (used.has(name) ? [helper.text] : []));
  return join(printed, "\n\n");
}
