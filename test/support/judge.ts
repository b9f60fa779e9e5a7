/** Compares predicates with a reference, on seeded random instances. */
import type { Issue } from "@mcpwright/protocol/issues";
import { damage, randomFrom, type InstanceMaker } from "./random-instances.js";

export interface Disagreement {
  /** The seed for `--replay`. */
  readonly seed: string;
  readonly text: string;
}

/** The types of one module, and what decides about their values. */
export interface Subject {
  /** Part of the seeds; contains no slash. */
  readonly id: string;
  readonly names: readonly string[];
  readonly make: InstanceMaker;
  /** The exports of the entry, with `isFoo`. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** The exports of the entry of issues, with `checkFoo`. */
  readonly issues: Readonly<Record<string, unknown>>;
  /** The verdict of the reference. */
  readonly validate: (name: string, value: unknown) => boolean;
}

export interface Verdicts {
  readonly count: number;
  readonly accepted: number;
  readonly disagreements: readonly Disagreement[];
}

/** A generated value, and the same value with one more fault each time. */
const variants = 6;

/** Checks `perDefinition` instances of every definition. */
export function judge(subject: Subject, seed: string, perDefinition: number): Verdicts {
  const disagreements: Disagreement[] = [];
  let [count, accepted] = [0, 0];
  for (const name of subject.names) {
    for (let round = 0; round * variants < perDefinition; round++) {
      const roundSeed = `${seed}/${subject.id}/${name}/${round}`;
      const verdict = judgeRound(subject, name, roundSeed);
      count += variants;
      accepted += verdict.accepted;
      if (verdict.disagreement !== undefined) disagreements.push({ seed: roundSeed, text: verdict.disagreement });
    }
  }
  return { count, accepted, disagreements };
}

/** Checks one round, whose seed determines its values. */
export function judgeRound(
  { id, make, entry, issues, validate }: Subject,
  name: string,
  seed: string,
): { readonly accepted: number; readonly disagreement?: string } {
  const random = randomFrom(seed);
  const is = entry[`is${name}`] as (value: unknown) => boolean;
  const check = issues[`check${name}`] as (value: unknown) => readonly Issue[];
  let accepted = 0;
  let value = make(name, random);
  for (let variant = 0; variant < variants; variant++) {
    if (variant > 0) value = damage(value, random);
    const expected = validate(name, value);
    if (expected) accepted++;
    const explained = random() < 0.1 && check(value).length > 0 === expected;
    if (is(value) === expected && !explained) continue;
    return {
      accepted,
      disagreement: `${id} ${name}: ajv ${expected ? "accepts" : "refuses"} ${JSON.stringify(value)}`,
    };
  }
  return { accepted };
}
