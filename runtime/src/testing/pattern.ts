import { isObject, ownMember } from "../jsonrpc/guards.js";

/** Values by the name that `capture` stored them under. */
export type Captured = Map<string, unknown>;

/** The position where a value does not match a pattern, and the expected value. */
export interface Mismatch {
  readonly path: string;
  readonly expected: string;
  readonly received: unknown;
}

type Test = (value: unknown, path: string, captured: Captured, exact: boolean) => Mismatch | undefined;

const TEST = Symbol("pattern");

/** A part of a pattern that is not a plain value; printed as the call that made it. */
export interface Matcher {
  /** @internal */
  readonly [TEST]: Test;
  toJSON(): string;
}

/**
 * Matches every present value for which `test` returns true.
 * @param text the matcher's name in messages
 */
export function any(test: (value: unknown) => boolean = () => true, text = "any()"): Matcher {
  return matcher(text, (value, path) =>
    value !== undefined && test(value) ? undefined : { path, expected: text, received: value },
  );
}

/** Matches only a missing value. */
export const absent: Matcher = matcher("absent", (value, path) =>
  value === undefined ? undefined : { path, expected: "absent", received: value },
);

/** Stores a value that matches `pattern` under a name, for `ref`. */
export function capture(name: string, pattern: unknown = any()): Matcher {
  return matcher(`capture(${name})`, (value, path, captured, exact) => {
    const mismatch = mismatchOf(pattern, value, captured, path, exact);
    if (!mismatch) captured.set(name, value);
    return mismatch;
  });
}

/** A captured value: matches an equal value, and is replaced by it in sent messages. */
export function ref(name: string): Matcher {
  return Object.assign(
    matcher(`ref(${name})`, (value, path, captured) =>
      mismatchOf(capturedValue(name, captured), value, captured, path, true),
    ),
    { refers: name },
  );
}

/** Matches like `pattern`, but objects in it must not have other members. */
export function exactly(pattern: unknown): Matcher {
  return matcher(`exactly(${JSON.stringify(pattern)})`, (value, path, captured) =>
    mismatchOf(pattern, value, captured, path, true),
  );
}

/** Matches an array whose items match these patterns, one each, in any order. */
export function unordered(...patterns: readonly unknown[]): Matcher {
  const expected = `unordered(${patterns.map((pattern) => JSON.stringify(pattern)).join(", ")})`;
  return matcher(expected, (value, path, captured, exact) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    const fits = items.length === patterns.length && assign(patterns, items, captured, exact);
    return fits ? undefined : { path, expected, received: value };
  });
}

/**
 * Compares a value with a pattern: objects may have more members than the pattern, arrays must have as many items, regular
 * expressions match strings.
 * @param exact whether objects must not have other members
 */
export function mismatchOf(
  pattern: unknown,
  value: unknown,
  captured: Captured = new Map(),
  path = "message",
  exact = false,
): Mismatch | undefined {
  if (isMatcher(pattern)) return pattern[TEST](value, path, captured, exact);
  if (pattern instanceof RegExp)
    return typeof value === "string" && pattern.test(value)
      ? undefined
      : { path, expected: String(pattern), received: value };
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length)
      return { path, expected: `an array of ${pattern.length}`, received: value };
    return first(pattern, (item, index) => mismatchOf(item, value[index], captured, `${path}[${index}]`, exact));
  }
  if (!isObject(pattern)) {
    return Object.is(pattern, value) ? undefined : { path, expected: JSON.stringify(pattern), received: value };
  }
  if (!isObject(value)) return { path, expected: "an object", received: value };
  const mismatch = first(Object.keys(pattern), (key) =>
    mismatchOf(pattern[key], ownMember(value, key), captured, member(path, key), exact),
  );
  if (mismatch || !exact) return mismatch;
  return first(Object.keys(value), (key) =>
    Object.hasOwn(pattern, key) ? undefined : { path: member(path, key), expected: "absent", received: value[key] },
  );
}

/**
 * Replaces each `ref` with its captured value.
 * @throws Error when no value was captured under a name
 */
export function resolveRefs(message: unknown, captured: Captured): unknown {
  if (isMatcher(message)) {
    if ("refers" in message) return capturedValue(String(message.refers), captured);
    throw new Error(`${message.toJSON()} cannot be sent`);
  }
  if (Array.isArray(message)) return message.map((item) => resolveRefs(item, captured));
  if (!isObject(message)) return message;
  return Object.fromEntries(Object.entries(message).map(([key, value]) => [key, resolveRefs(value, captured)]));
}

function matcher(text: string, test: Test): Matcher {
  return { [TEST]: test, toJSON: () => text };
}

function isMatcher(value: unknown): value is Matcher {
  return isObject(value) && TEST in value;
}

function capturedValue(name: string, captured: Captured): unknown {
  if (captured.has(name)) return captured.get(name);
  throw new Error(`nothing was captured as "${name}"`);
}

/** Tries each item for the first pattern, and the others for the rest; a failed attempt stores no captures. */
function assign(
  [pattern, ...patterns]: readonly unknown[],
  items: readonly unknown[],
  captured: Captured,
  exact: boolean,
): boolean {
  if (items.length === 0) return true;
  return items.some((item, index) => {
    const trial: Captured = new Map(captured);
    if (mismatchOf(pattern, item, trial, "", exact)) return false;
    if (!assign(patterns, items.toSpliced(index, 1), trial, exact)) return false;
    for (const [name, value] of trial) captured.set(name, value);
    return true;
  });
}

function first<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => Mismatch | undefined,
): Mismatch | undefined {
  for (const [index, item] of items.entries()) {
    const mismatch = find(item, index);
    if (mismatch) return mismatch;
  }
  return undefined;
}

function member(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
