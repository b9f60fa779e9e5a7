import { describe, expect, test } from "vitest";
import { published } from "../support/protocol.js";

type Predicate = (value: unknown) => boolean;

const cycle: Record<string, unknown> = { name: "a", type: "text", text: "b" };
cycle["_meta"] = cycle;
cycle["content"] = [cycle];
cycle["params"] = cycle;

const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [{ inner, _meta: inner }], 1);

const everything = (): never => {
  throw new Error("do not look");
};

/** Values that JSON cannot represent, or that are very large. */
const hostile: readonly [string, () => unknown][] = [
  ["a getter that throws", () => Object.defineProperty({}, "method", { get: everything, enumerable: true })],
  ["a proxy that throws", () => new Proxy({}, { get: everything, ownKeys: everything, has: everything })],
  ["a revoked proxy", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  }],
  ["a cycle", () => cycle],
  ["100,000 levels", () => deep],
  ["a string of 10 MB", () => ({ type: "text", text: "x".repeat(10_000_000), method: "x".repeat(10_000_000) })],
  ["a sparse array", () => ({ content: new Array(1_000_000), tools: new Array(1_000_000), type: "text" })],
  ["lone surrogates", () => ({ type: "\ud800", text: "\udfff", name: "\ud800", uri: "\ud800" })],
  ["own members named like inherited ones", () => JSON.parse('{"__proto__":{"type":"text"},"constructor":1,"toString":2}') as unknown],
  ["a function, a symbol, a bigint inside", () => ({ name: () => 1, type: Symbol("x"), text: 1n })],
  ["a date, a map, a set", () => ({ name: new Date(0), params: new Map(), content: new Set() })],
];

describe.each(published)("$revision", ({ entry }) => {
  const predicates = Object.entries(entry).filter(([name]) => /^is[A-Z]/.test(name)) as [string, Predicate][];

  test.each(hostile)("no predicate throws for %s", (_, make) => {
    const value = make();
    for (const [name, is] of predicates) expect([name, typeof is(value)]).toEqual([name, "boolean"]);
  });
});
