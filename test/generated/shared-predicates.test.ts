import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";
import type { Corpus } from "../../generator/pipeline/emit/corpus/corpus.js";
import { sharedPredicates } from "../../scripts/shared-predicates.js";
import { generatedPath, published, readGenerated } from "../support/protocol.js";

type Predicates = Readonly<Record<string, (value: unknown) => boolean>>;

/** The predicates of all revisions in one module, by revision. */
async function bundled(plugins: Plugin[]): Promise<Readonly<Record<string, Predicates>>> {
  const contents = published.map(
    ({ revision }) => `export * as "${revision}" from ${JSON.stringify(generatedPath(`${revision}/validate.ts`))};`,
  );
  const { outputFiles } = await build({
    stdin: { contents: contents.join("\n"), resolveDir: import.meta.dirname },
    bundle: true,
    format: "esm",
    plugins,
    write: false,
  });
  const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`;
  return (await import(/* @vite-ignore */ url)) as Readonly<Record<string, Predicates>>;
}

const sources = await bundled([]);
const shared = await bundled([sharedPredicates()]);

/** Each object, and copies of it with each member invalid. */
function variants(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [value];
  const wrong = Object.keys(value).flatMap((name) => [7, "seven", [], {}].map((other) => ({ ...value, [name]: other })));
  return [value, ...wrong];
}

test.each(published.map(({ revision }) => revision))("shared predicates of %s agree with those of the sources", (revision) => {
  const own = sources[revision] ?? {};
  expect(Object.keys(shared[revision] ?? {}).sort()).toEqual(Object.keys(own).sort());

  const { types } = readGenerated(`${revision}/corpus.json`) as Corpus;
  const values = Object.values(types).flatMap(({ instances }) => instances.flatMap(variants));
  const verdicts = (predicates: Predicates | undefined, name: string): string =>
    values.map((value) => (predicates?.[name]?.(value) ? "1" : "0")).join("");
  const names = Object.keys(own);
  expect(names.filter((name) => verdicts(shared[revision], name) !== verdicts(own, name))).toEqual([]);
});

test("contains equal predicates of two revisions once, and different ones twice", () => {
  const { "2024-11-05": first, "2025-03-26": second } = shared;
  expect(first?.["isResource"]).not.toBe(second?.["isResource"]); // 2025-03-26 has the size
  expect(first?.["isPromptArgument"]).toBe(second?.["isPromptArgument"]);
});
