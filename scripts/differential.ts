/**
 * Compares the predicates of the revisions, and of the constructs of both readers, with ajv on seeded random instances: `npm run differential -- [--count N] [--seed TEXT]`, or
 * `--replay SEED` with a seed that a failure printed. Exits with 1 when they disagree on an instance.
 */
import { parseArgs } from "node:util";
import { constructDifferential } from "../test/support/construct-differential.js";
import { differential, replay } from "../test/support/differential.js";
import { removeTemporaryFolders } from "../test/support/temporary-folder.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    seed: { type: "string", default: "mcpwright" },
    replay: { type: "string" },
  },
});

if (values.replay !== undefined) {
  const disagreement = replay(values.replay);
  console.log(disagreement ?? "no disagreement");
  if (disagreement !== undefined) process.exitCode = 1;
} else {
  const wanted = Number(values.count);
  if (!Number.isInteger(wanted) || wanted < 1)
    throw new Error(`--count must be a positive integer, not ${values.count}`);
  const since = performance.now();
  let count = 0;
  let accepted = 0;
  let failed = 0;
  for (let pass = 0; count < wanted; pass++) {
    const outcome = differential(`${values.seed}-${pass}`, 120);
    count += outcome.count;
    accepted += outcome.accepted;
    if (pass === 0)
      console.log(
        `reference: ${outcome.reference === "official" ? "the official schema.json, corrected" : "our schema.json; the official files are not here"}`,
      );
    for (const { seed, text } of outcome.disagreements.slice(0, 10))
      console.log(`${text}\n  replay: npm run differential -- --replay ${seed}`);
    failed += outcome.disagreements.length;
  }
  const constructs = await constructDifferential(values.seed, Math.ceil(wanted / 1000));
  for (const text of constructs.disagreements.slice(0, 10)) console.log(text);
  failed += constructs.disagreements.length;
  console.log(`constructs: ${constructs.count} instances, ${constructs.accepted} of them valid`);
  removeTemporaryFolders();
  console.log(
    `${count + constructs.count} instances, ${accepted + constructs.accepted} of them valid, ${failed} disagreements, ${Math.round((performance.now() - since) / 1000)} s`,
  );
  if (failed > 0) process.exitCode = 1;
}
