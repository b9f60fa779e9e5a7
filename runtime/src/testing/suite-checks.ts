// What the behaviour suites check with, because they do not depend on a test framework.

import { canonicalJson } from "../jsonrpc/canonical-json.js";

/** How long a message or an event may take, in milliseconds. */
const PATIENCE_MS = 5_000;

/** @throws Error when two values differ as JSON. The order of members does not matter. */
export function same(what: string, actual: unknown, expected: unknown): void {
  const [got, wanted] = [toText(actual), toText(expected)];
  if (got === wanted) return;
  throw new Error(`${what}: received ${excerpt(got)}, expected ${excerpt(wanted)}`);
}

function toText(value: unknown): string {
  return value === undefined ? "undefined" : canonicalJson(JSON.parse(JSON.stringify(value)));
}

function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}

/** @throws Error when the condition is not true in time */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`timed out after ${PATIENCE_MS} ms, waiting until ${what}`);
    await sleep(1);
  }
}

/** Returns the `reason` of the error that a call throws or rejects with, or the error as text; undefined when it succeeds. */
export async function failureOf(call: () => unknown): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    const { reason } = Object(error) as { readonly reason?: unknown };
    return typeof reason === "string" ? reason : String(error);
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
