import { isObject, ownMember } from "../jsonrpc/guards.js";

/** Values by the name under which `capture` has kept them. */
export type Captured = Map<string, unknown>;

/** Where a value is not what a pattern wants, and what was wanted there. */
export interface Mismatch {
  readonly path: string;
  readonly expected: string;
  readonly received: unknown;
}

type Test = (value: unknown, path: string, captured: Captured, exact: boolean) => Mismatch | undefined;

const TEST = Symbol("pattern");

/** A part of a pattern that says more than a value can; prints as what it was made by. */
export interface Matcher {
  /** @internal */
  readonly [TEST]: Test;
  toJSON(): string;
}

/**
 * Fits every value that is there and for which `test` returns true.
 * @param text how it is called in messages
 */
export function any(test: (value: unknown) => boolean = () => true, text = "any()"): Matcher {
  return matcher(text, (value, path) =>
    value !== undefined && test(value) ? undefined : { path, expected: text, received: value },
  );
}

/** Fits what is not there. */
export const absent: Matcher = matcher("absent", (value, path) =>
  value === undefined ? undefined : { path, expected: "absent", received: value },
);

/** Keeps what fits `pattern` under a name, for `ref`. */
export function capture(name: string, pattern: unknown = any()): Matcher {
  return matcher(`capture(${name})`, (value, path, captured, exact) => {
    const mismatch = mismatchOf(pattern, value, captured, path, exact);
    if (!mismatch) captured.set(name, value);
    return mismatch;
  });
}

/** What was kept under a name: fits the same value, and stands for it in what is sent. */
export function ref(name: string): Matcher {
  return Object.assign(
    matcher(`ref(${name})`, (value, path, captured) =>
      mismatchOf(capturedValue(name, captured), value, captured, path, true),
    ),
    { refers: name },
  );
}

/** Like `pattern`, but objects within have no other members. */
export function exactly(pattern: unknown): Matcher {
  return matcher(`exactly(${JSON.stringify(pattern)})`, (value, path, captured) =>
    mismatchOf(pattern, value, captured, path, true),
  );
}

/** Fits an array of items that fit these patterns, one each, in any order. */
export function unordered(...patterns: readonly unknown[]): Matcher {
  const expected = `unordered(${patterns.map((pattern) => JSON.stringify(pattern)).join(", ")})`;
  return matcher(expected, (value, path, captured, exact) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    const fits = items.length === patterns.length && assign(patterns, items, captured, exact);
    return fits ? undefined : { path, expected, received: value };
  });
}

/**
 * Holds a value against a pattern: objects may have more members than their pattern, arrays have as many items, regular
 * expressions fit strings.
 * @param exact objects may have no other members
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
 * Puts in what was kept.
 * @throws Error when nothing was kept under a name
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

/** Tries each item for the first pattern, and the others for the rest; a trial that fails keeps nothing. */
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
