import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { compareSchema } from "../../../../generator/commands/compare-schema/compare-schema.js";
import type { CompareSchemaReport } from "../../../../generator/commands/compare-schema/compare-schema-report.js";
import { knownRevisions, schemaFolder } from "../../../../generator/shared/sources/schema-folder.js";
import { readPins } from "../../../schema/folder.js";

/** The published files may lie beside the repository; they are not ours to keep in it. */
const official = resolve(import.meta.dirname, "../../../../../shared/official/schema");

/** Findings per explanation. */
const counts: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "2024-11-05": {
    "constant-inlined": 4,
    "constant-dropped": 7,
    "extends-flattened": 58,
    "number-as-integer": 6,
    "open-enum-as-string": 1,
    "string-alias-inlined": 10,
    "alias-expanded-in-union": 2,
    "tags-dropped": 12,
    "common-params": 18,
    "union-ordered": 3,
  },
  "2025-03-26": {
    "constant-inlined": 4,
    "constant-dropped": 7,
    "extends-flattened": 53,
    "number-as-integer": 6,
    "open-enum-as-string": 1,
    "string-alias-inlined": 10,
    "alias-expanded-in-union": 3,
    "tags-dropped": 7,
    "common-params": 18,
    "union-ordered": 3,
  },
  "2025-06-18": {
    "constant-inlined": 4,
    "constant-dropped": 7,
    "extends-flattened": 64,
    "number-as-integer": 10,
    "open-enum-as-string": 1,
    "string-alias-inlined": 10,
    "alias-expanded-in-union": 2,
    "tags-dropped": 21,
    "common-params": 19,
    "union-ordered": 4,
  },
  "2025-11-25": {
    "constant-inlined": 5,
    "constant-dropped": 8,
    "extends-flattened": 94,
    "number-as-integer": 17,
    "open-enum-as-string": 1,
    "string-alias-inlined": 7,
    "any-as-unknown": 4,
    "alias-expanded-in-union": 7,
    "tags-dropped": 30,
    "common-params": 4,
    "union-ordered": 6,
  },
  "2026-07-28": {
    "constant-inlined": 12,
    "constant-dropped": 10,
    "extends-flattened": 97,
    "null-dropped": 1,
    "number-as-integer": 22,
    "open-enum-as-string": 2,
    "string-alias-inlined": 20,
    "any-as-unknown": 4,
    "record-opaque": 1,
    "alias-expanded-in-union": 7,
    "alias-of-alias-resolved": 1,
    "alias-of-closed-interface-copied": 1,
    "alias-of-object-as-interface": 2,
    "tags-dropped": 47,
    "union-ordered": 8,
  },
};

if (existsSync(official)) {
  describe.each(knownRevisions())("our schema.ts and the published schema.json of %s", (revision) => {
    const report = compareSchema({
      schemaTs: resolve(schemaFolder(), revision, "schema.ts"),
      schemaJson: resolve(official, revision, "schema.json"),
    });

    test("everything is explained, each explanation as often as counted", async () => {
      const { explained, counts: counted } = await report;
      expect({ explained, counts: Object.fromEntries(counted.map(({ id, findings }) => [id, findings])) }).toEqual({
        explained: true,
        counts: counts[revision],
      });
    });

    test("a rule has findings in exactly the types that the pins list", async () => {
      const { findings } = await report;
      const rules = new Set(findings.flatMap(({ explanation: { kind, id } }) => (kind === "rule" ? [id] : [])));
      const types = Object.fromEntries([...rules].map((id) => [id, typesOf(findings, id)]));
      expect(types).toEqual(readPins()[revision]?.lossy);
    });

    test("every correction is named, and puts right a place that the rules explain", async () => {
      const { findings } = await report;
      const named = findings.flatMap(({ explanation, correction }) =>
        explanation.kind === "rule" && correction !== undefined ? [correction] : [],
      );
      expect(named.sort()).toEqual(correctionsOf(revision));
      expect(typesOf(findings, "common-params")).toEqual(messagesWithoutCommonParams(revision));
    });

    test("ajv, on the published file, agrees that those alternatives accept those instances", async () => {
      const { findings, files } = await report;
      const schema = JSON.parse(readFileSync(files.json, "utf8")) as Readonly<Record<string, object | undefined>>;
      const container = schema["$defs"] ? "$defs" : "definitions";
      const definitions = schema[container] ?? {};
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.addSchema({ [container]: definitions }, "schema");
      const refused = findings.flatMap(({ evidence = [] }) =>
        evidence.flatMap(({ instance, accepted }) =>
          accepted.filter((name) => {
            const validate = Object.hasOwn(definitions, name) && ajv.getSchema(`schema#/${container}/${name}`);
            return !validate || validate(instance) !== true;
          }),
        ),
      );
      expect(refused).toEqual([]);
    });

    test("every union that is tried in order has two instances that two alternatives accept", async () => {
      const { findings } = await report;
      const unions = findings.filter(({ explanation }) => explanation.kind === "ambiguity");
      expect(unions.length).toBeGreaterThan(0);
      for (const { evidence = [] } of unions) {
        expect(evidence).toHaveLength(2);
        for (const { accepted } of evidence) expect(accepted.length).toBeGreaterThan(1);
      }
    });
  });
} else {
  test("the published files are not here: nothing was audited", () => {
    // eslint-disable-next-line no-console -- the output must name the pairs that were not compared
    console.info(`Not audited against the published schema.json: no folder ${official}`);
    expect(knownRevisions().filter((revision) => !Object.hasOwn(counts, revision))).toEqual([]);
  });
}

function typesOf(findings: CompareSchemaReport["findings"], id: string): readonly string[] {
  return [...new Set(findings.filter(({ explanation }) => explanation.id === id).map(({ type }) => type))].sort();
}

interface Listed {
  readonly "number-as-integer": readonly string[];
  readonly "null-dropped"?: readonly string[];
  readonly "common-params"?: Readonly<Record<string, { readonly to: readonly string[] }>>;
}

function listed(revision: string): Listed {
  const text = readFileSync(resolve(schemaFolder(), "corrections.json"), "utf8");
  const found = (JSON.parse(text) as Readonly<Record<string, Listed>>)[revision];
  if (!found) throw new Error(`corrections.json lacks ${revision}`);
  return found;
}

function correctionsOf(revision: string): readonly string[] {
  const { "number-as-integer": integers, "null-dropped": nulls = [] } = listed(revision);
  return [
    ...integers.map((pointer) => `number-as-integer: ${pointer}`),
    ...nulls.map((pointer) => `null-dropped: ${pointer}`),
  ].sort();
}

function messagesWithoutCommonParams(revision: string): readonly string[] {
  return Object.values(listed(revision)["common-params"] ?? {})
    .flatMap(({ to }) => to)
    .sort();
}
