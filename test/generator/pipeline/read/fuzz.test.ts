import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";
import { emitJsonSchema } from "../../../../generator/pipeline/emit/json-schema.js";
import type { SourceModule } from "../../../../generator/shared/model/source.js";
import { effectiveOverlay, type EffectiveOverlay } from "../../../../generator/pipeline/overlay/effective-overlay.js";
import { buildModel } from "../../../../generator/pipeline/passes/build-model.js";
import { noDocs } from "../../../../generator/pipeline/passes/read-docs.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { typescriptSchema } from "../../../support/construct-differential.js";
import { ping } from "../passes/build.js";
import { readOverlays, schemaFolder } from "../../../../generator/shared/sources/schema-folder.js";

const revision = "2026-07-28";
const overlays = await readOverlays();
const overlay = effectiveOverlay(revision, overlays);
const typescript = readFileSync(join(schemaFolder(), revision, "schema.ts"), "utf8");
const json = JSON.stringify(
  emitJsonSchema(buildModel(readTypeScript(typescript, "s.ts"), revision, overlay, noDocs).model),
  null,
  1,
);
const constructs = `${typescriptSchema.text}\n${ping}`;
const own = overlays.find((text) => text.revision === revision)?.text ?? "";

/** Uniform numbers below a limit; mulberry32. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/**
 * Deletes, doubles or swaps one to three spans. They tend to begin and end between tokens, so that some mutants still
 * parse.
 */
function mutate(text: string, seed: number): string {
  const next = random(seed);
  let mutant = text;
  for (let left = 1 + next(3); left > 0; left--) {
    const cuts =
      next(4) === 0
        ? undefined
        : [...mutant.matchAll(next(2) === 0 ? /\n/g : /\b|(?=[{}[\]"|,;])/g)].map(({ index }) => index);
    const cut = (): number => (cuts ? (cuts[next(cuts.length)] ?? 0) : next(mutant.length));
    const near = (from: number): number =>
      cuts ? (cuts[Math.min(cuts.length - 1, cuts.indexOf(from) + 1 + next(6))] ?? from) : from + next(40);
    const [a, c] = [cut(), cut()].sort((one, two) => one - two) as [number, number];
    const b = Math.min(near(a), c);
    const d = near(c);
    const parts = [
      mutant.slice(0, a),
      mutant.slice(a, b),
      mutant.slice(b, c),
      mutant.slice(c, d),
      mutant.slice(d),
    ] as const;
    const [head, first, middle, second, tail] = parts;
    mutant =
      [
        head + middle + second + tail,
        head + first + first + middle + second + tail,
        head + second + middle + first + tail,
      ][next(3)] ?? mutant;
  }
  return mutant;
}

/** Reads that many mutants, which may throw only diagnostics; returns how many were rejected. */
function fuzz(text: string, mutants: number, run: (mutant: string) => unknown): number {
  let refused = 0;
  for (let seed = 1; seed <= mutants; seed++) {
    try {
      run(mutate(text, seed));
    } catch (error) {
      if (!(error instanceof DiagnosticError))
        throw new Error(`seed ${seed} throws another error than a diagnostic`, { cause: error });
      refused++;
    }
  }
  return refused;
}

const build = (module: SourceModule, facts: EffectiveOverlay): unknown => buildModel(module, revision, facts, noDocs);

describe("a broken input causes only diagnostics", () => {
  test.each<[what: string, text: string, mutants: number, run: (mutant: string) => unknown]>([
    ["schema.ts", typescript, 20, (mutant) => build(readTypeScript(mutant, "s.ts"), overlay)],
    ["schema.ts with every construct", constructs, 150, (mutant) => build(readTypeScript(mutant, "s.ts"), overlay)],
    ["schema.json", json, 100, (mutant) => build(readJsonSchema(mutant, "s.json"), overlay)],
    [
      "overlay.json",
      own,
      200,
      (mutant) =>
        effectiveOverlay(
          revision,
          overlays.map((text) => (text.revision === revision ? { ...text, text: mutant } : text)),
        ),
    ],
  ])("%s", (_, text, mutants, run) => {
    expect(fuzz(text, mutants, run)).toBeGreaterThan(mutants / 2);
  });

  test("a seed always creates the same mutant", () => {
    expect(mutate(typescript, 7)).toBe(mutate(typescript, 7));
    expect(mutate(typescript, 7)).not.toBe(mutate(typescript, 8));
  });
});
