/**
 * Compares predicates with ajv: seeded random instances of every definition, valid and invalid, checked by both.
 * The reference is the official schema.json, corrected; without it, the schema.json that we print.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { correct, type Corrections } from "../../generator/shared/fidelity/corrections.js";
import { judge, judgeRound, type Disagreement, type Subject } from "./judge.js";
import { published, readGenerated, type PublishedRevision } from "./protocol.js";
import { randomInstances } from "./random-instances.js";

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
    const subject = subjectOf(revision);
    if (subject.reference === "ours") reference = "ours";
    const verdicts = judge(subject, seed, perDefinition);
    count += verdicts.count;
    accepted += verdicts.accepted;
    disagreements.push(...verdicts.disagreements);
  }
  return { count, accepted, reference, disagreements };
}

/** Checks one round again, by the seed that a disagreement printed. */
export function replay(seed: string): string | undefined {
  const [, revision, name = ""] = seed.split("/");
  const found = published.find((candidate) => candidate.revision === revision);
  if (!found) throw new Error(`${seed} does not name a revision`);
  return judgeRound(subjectOf(found), name, seed).disagreement;
}

function subjectOf({ revision, entry, issues, model }: PublishedRevision): Subject & Pick<Outcome, "reference"> {
  const { definitions, reference } = referenceSchema(revision);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $defs: definitions, definitions }, "schema");
  const container = reference === "official" && revision < "2025-11-25" ? "definitions" : "$defs";
  return {
    id: revision,
    names: model.definitions.map(({ name }) => name).filter((name) => Object.hasOwn(definitions, name)),
    make: randomInstances(model),
    entry,
    issues,
    reference,
    validate: (name, value) => ajv.getSchema(`schema#/${container}/${name}`)?.(value) === true,
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
