import { writeFileSync } from "node:fs";
import { said, within } from "../run.js";
import type { Outcome } from "../target.js";

/** One way to use a log-in. */
export type LogInFeature = readonly [name: string, tryIt: () => Promise<void>];

/** Tries the features one after the other, and prints the outcomes. */
export async function report(features: readonly LogInFeature[]): Promise<never> {
  const outcomes: Outcome[] = [];
  for (const [feature, tryIt] of features)
    outcomes.push(
      await within(tryIt()).then(
        () => ({ feature }),
        (error: unknown) => ({ feature, problem: said(error) }),
      ),
    );
  writeFileSync(1, JSON.stringify(outcomes));
  process.exit(0);
}
