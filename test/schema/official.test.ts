import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { digestsByName } from "../../generator/shared/fidelity/digest.js";
import { flattenUnion } from "../../generator/shared/model/flatten-union.js";
import { applyLossyRules } from "../../generator/shared/fidelity/lossy-rules.js";
import type { ProtocolModel } from "../../generator/shared/model/protocol.js";
import type { SourceModule, TypeExpression } from "../../generator/shared/model/source.js";
import { buildModel } from "../../generator/pipeline/passes/build-model.js";
import { noDocs } from "../../generator/pipeline/passes/read-docs.js";
import { readJsonSchema } from "../../generator/pipeline/read/json-schema.js";
import { overlayOf, revisions, schemaModule } from "./folder.js";

/** A local copy of the published files, which are not in the repository. */
const official = resolve(import.meta.dirname, "../../../shared/official/schema");

if (existsSync(official)) {
  describe.each(revisions)("the published schema.json of %s", (revision) => {
    const published = readJsonSchema(readFileSync(resolve(official, revision, "schema.json"), "utf8"), "schema.json");
    const { module: printed } = applyLossyRules(schemaModule(revision));

    test("states the facts of our schema.ts after the lossy rules", () => {
      expect(digestsByName(published)).toEqual(digestsByName(printed));
    });

    test("produces the same model", async () => {
      const overlay = await overlayOf(revision);
      const model = (module: SourceModule): ProtocolModel => buildModel(bare(module), revision, overlay, noDocs).model;
      expect(model(published)).toEqual(model(printed));
    });
  });
} else {
  test("without the published files, only the pins are compared", () => {
    // eslint-disable-next-line no-console -- the output must show which comparison is missing
    console.info(`Not compared with the published schema.json: no folder ${official}`);
    expect(revisions.filter((revision) => existsSync(resolve(official, revision)))).toEqual([]);
  });
}

type Union = Extract<TypeExpression, { kind: "union" }>;

/** A module without prose and positions, in a fixed order: the published schema.json is sorted, ours is not. */
function bare(module: SourceModule): SourceModule {
  return strip({ ...module, file: "" }) as SourceModule;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (key === "text") return [];
    return [[key, key === "span" ? { file: "", line: 1, column: 1 } : strip(inner)]];
  });
  const stripped = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  return "kind" in stripped && stripped["kind"] === "union"
    ? { ...stripped, members: strip(flattenUnion((value as Union).members)) }
    : stripped;
}
