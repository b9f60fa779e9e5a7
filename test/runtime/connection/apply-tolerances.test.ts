import { describe, expect, test } from "vitest";
import type { Corpus } from "../../../generator/pipeline/emit/corpus/corpus.js";
import { applyTolerances } from "../../../runtime/src/connection/apply-tolerances.js";
import { published, publishedRevision, readGenerated } from "../../support/protocol.js";

type Members = Record<string, unknown>;

describe.each(published)("tolerances of $revision", ({ revision, entry: { clientSide }, model }) => {
  const { receives } = clientSide;
  const corpus = readGenerated(`${revision}/corpus.json`) as Corpus;
  const results = model.requests
    .filter(({ sender }) => sender === "client")
    .map(({ method, result, fallbacks = [] }) => {
      const row = receives.results[method];
      if (!row) throw new Error(`${method} has no row`);
      const instances = (corpus.types[result.type]?.instances ?? []) as readonly Members[];
      return { method, row, fallbacks, instances: instances.filter((value) => row.result(value)) };
    });

  test("removes null from optional members", () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const { method, row, instances } of results)
      for (const instance of instances)
        for (const path of memberPaths(instance, receives.open ?? {})) {
          const without = changed(instance, path);
          const nulled = changed(instance, path, null);
          if (!row.result(without) || row.result(nulled)) continue;
          tried++;
          const meant = applyTolerances(nulled, row, receives);
          if (JSON.stringify(meant) !== JSON.stringify(without))
            wrong.push(`${method} ${path.join(".")}: ${JSON.stringify(meant)}`);
        }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(30);
  });

  test("sets the required members that the overlay names, and no others", () => {
    const found: string[] = [];
    for (const { method, row, fallbacks, instances } of results)
      for (const member of Object.keys(instances.at(-1) ?? {})) {
        const instance = instances.at(-1) ?? {};
        const { [member]: _, ...without } = instance;
        if (row.result(without) || row.result({ ...instance, [member]: null })) continue;
        const fallback = fallbacks.find((one) => one.member === member);
        if (row.result(applyTolerances({ ...instance, [member]: null }, row, receives))) {
          found.push(`${method} ${member}`);
          expect(applyTolerances({ ...instance, [member]: null }, row, receives)).toMatchObject({
            [member]: fallback?.value,
          });
        }
        const other = fallback?.ifPresent;
        const isEnough = fallback?.ifMissing ?? (other !== undefined && instance[other] !== undefined);
        expect([member, row.result(applyTolerances(without, row, receives))]).toEqual([member, isEnough]);
        if (other === undefined) continue;
        const { [other]: __, ...alone } = without;
        expect(row.result(applyTolerances(alone, row, receives))).toBe(false);
      }
    expect(found.sort()).toEqual(
      results.flatMap(({ method, fallbacks }) => fallbacks.map(({ member }) => `${method} ${member}`)).sort(),
    );
    expect(found.length).toBeGreaterThan(4);
  });
});

const { clientSide } = publishedRevision("2025-11-25").entry;
const call = clientSide.receives.results["tools/call"] ?? { result: () => false, capability: null };

test("keeps nulls in open data, and sets no prototype", () => {
  const answer = JSON.parse(
    '{"content":[{"type":"text","text":"a","annotations":null,"_meta":{"x":null}}],"structuredContent":{"a":null,"b":[null]},"__proto__":{"c":null}}',
  ) as object;
  const meant = applyTolerances(answer, call, clientSide.receives) as object;
  expect(JSON.stringify(meant)).toBe(
    '{"content":[{"type":"text","text":"a","_meta":{"x":null}}],"structuredContent":{"a":null,"b":[null]},"__proto__":{}}',
  );
  expect(Object.getPrototypeOf(meant)).toBe(Object.prototype);
});

test("gives each result its own copy of a list", () => {
  const [first, second] = [0, 1].map(
    () => applyTolerances({ content: null }, call, clientSide.receives) as { content: unknown[] },
  );
  first?.content.push(1);
  expect(second?.content).toEqual([]);
});

test("limits the depth", () => {
  let deep: unknown = null;
  for (let level = 0; level < 100_000; level++) deep = { a: deep };
  expect(applyTolerances(deep, call, clientSide.receives)).toHaveProperty("a.a.a");
});

function memberPaths(value: unknown, open: Members, path: readonly (string | number)[] = []): (string | number)[][] {
  if (Array.isArray(value)) return value.flatMap((item, at) => memberPaths(item, open, [...path, at]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => [
    ...(open[name] ? [] : [[...path, name]]),
    ...(Object.hasOwn(open, name) ? [] : memberPaths(held, open, [...path, name])),
  ]);
}

/** Returns a copy with another value, or none, at a path. */
function changed(root: unknown, path: readonly (string | number)[], ...value: readonly unknown[]): unknown {
  const copy = structuredClone(root);
  const holder = path.slice(0, -1).reduce<unknown>((inner, step) => (inner as Members)[step], copy) as Members;
  const last = path.at(-1) ?? "";
  if (value.length > 0) holder[last] = value[0];
  else Reflect.deleteProperty(holder, last);
  return copy;
}
