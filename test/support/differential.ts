/**
 * Compares predicates with ajv: seeded random instances of every definition, valid and invalid, checked by both.
 * The reference is the official schema.json, corrected; without it, the schema.json that we print.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { correct, type Corrections } from "../../generator/shared/fidelity/corrections.js";
import type { Issue } from "@mcpwright/protocol/issues";
import { published, readGenerated, type PublishedRevision } from "./protocol.js";
import { damage, randomFrom, randomInstances } from "./random-instances.js";

export interface Disagreement {
  /** The seed for `--replay`. */
  readonly seed: string;
  readonly text: string;
}

export interface Outcome {
  readonly count: number;
  readonly accepted: number;
  /** `official` if the official files are available. */
  readonly reference: "official" | "ours";
  readonly disagreements: readonly Disagreement[];
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Checks `perDefinition` instances of every definition of every revision. */
export function differential(seed: string, perDefinition: number): Outcome {
  let count = 0;
  let accepted = 0;
  const disagreements: Disagreement[] = [];
  let reference: Outcome["reference"] = "official";
  for (const revision of published) {
    const judge = judgeOf(revision);
    if (judge.reference === "ours") reference = "ours";
    for (const name of judge.names) {
      for (let round = 0; round * variants < perDefinition; round++) {
        const roundSeed = `${seed}/${revision.revision}/${name}/${round}`;
        const verdict = judge.round(name, roundSeed);
        count += variants;
        accepted += verdict.accepted;
        if (verdict.disagreement !== undefined) disagreements.push({ seed: roundSeed, text: verdict.disagreement });
      }
    }
  }
  return { count, accepted, reference, disagreements };
}

/** Checks one round again, by the seed that a disagreement printed. */
export function replay(seed: string): string | undefined {
  const [, revision, name = ""] = seed.split("/");
  const found = published.find((candidate) => candidate.revision === revision);
  if (!found) throw new Error(`${seed} does not name a revision`);
  return judgeOf(found).round(name, seed).disagreement;
}

/** A generated value, and the same value with one more fault each time. */
const variants = 6;

interface Judge {
  readonly names: readonly string[];
  readonly reference: Outcome["reference"];
  round(name: string, seed: string): { readonly accepted: number; readonly disagreement?: string };
}

function judgeOf({ revision, entry, issues, model }: PublishedRevision): Judge {
  const { definitions, reference } = referenceSchema(revision);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $defs: definitions, definitions }, "schema");
  const container = reference === "official" && revision < "2025-11-25" ? "definitions" : "$defs";
  const make = randomInstances(model);
  const names = model.definitions.map(({ name }) => name).filter((name) => Object.hasOwn(definitions, name));

  return {
    names,
    reference,
    round(name, seed) {
      const random = randomFrom(seed);
      const is = entry[`is${name}`] as (value: unknown) => boolean;
      const check = issues[`check${name}`] as (value: unknown) => readonly Issue[];
      const validate = ajv.getSchema(`schema#/${container}/${name}`) as (value: unknown) => boolean;
      let accepted = 0;
      let value = make(name, random);
      for (let variant = 0; variant < variants; variant++) {
        if (variant > 0) value = damage(value, random);
        const expected = validate(value);
        if (expected) accepted++;
        const explained = random() < 0.1 && check(value).length > 0 === expected;
        if (is(value) === expected && !explained) continue;
        return {
          accepted,
          disagreement: `${revision} ${name}: ajv ${expected ? "accepts" : "refuses"} ${JSON.stringify(value)}`,
        };
      }
      return { accepted };
    },
  };
}

function referenceSchema(revision: string): {
  readonly definitions: Record<string, unknown>;
  readonly reference: Outcome["reference"];
} {
  const official = `${root}../shared/official/schema/${revision}/schema.json`;
  if (!existsSync(official)) {
    const { $defs } = readGenerated(`${revision}/schema.json`) as { $defs: Record<string, unknown> };
    return { definitions: $defs, reference: "ours" };
  }
  const file = JSON.parse(readFileSync(official, "utf8")) as Record<string, Record<string, unknown> | undefined>;
  const corrections = JSON.parse(readFileSync(`${root}schema/corrections.json`, "utf8")) as Record<string, Corrections>;
  const list = corrections[revision];
  if (!list) throw new Error(`schema/corrections.json lacks ${revision}`);
  return { definitions: correct(file["$defs"] ?? file["definitions"] ?? {}, list), reference: "official" };
}
