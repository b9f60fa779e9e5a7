/**
 * Compares the predicates of the revisions, of the extensions, and of the constructs of both readers, with ajv on seeded random
 * instances: `npm run differential -- [--count N] [--seed TEXT]`, or
 * `--replay SEED` with a seed that a failure printed. Exits with 1 when they disagree on an instance.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { constructDifferential } from "../test/support/construct-differential.js";
import { differential, replay } from "../test/support/differential.js";
import {
  extensionDifferential,
  isOfExtension,
  replayExtension,
  unusedRules,
} from "../test/support/extension-differential.js";
import type { Disagreement } from "../test/support/judge.js";
import { publishedExtensions } from "../test/support/protocol.js";
import { removeTemporaryFolders } from "../test/support/temporary-folder.js";
import { officialExtensions } from "./official-files.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    seed: { type: "string", default: "mcpwright" },
    replay: { type: "string" },
  },
});

if (values.replay !== undefined) {
  const seed = values.replay;
  const disagreement = isOfExtension(seed) ? replayExtension(seed, await officialDefinitions()) : replay(seed);
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
  const report = (disagreements: readonly Disagreement[]): void => {
    for (const { seed, text } of disagreements.slice(0, 10))
      console.log(`${text}\n  replay: npm run differential -- --replay ${seed}`);
    failed += disagreements.length;
  };
  for (let pass = 0; count < wanted; pass++) {
    const outcome = differential(`${values.seed}-${pass}`, 120);
    count += outcome.count;
    accepted += outcome.accepted;
    if (pass === 0)
      console.log(
        `reference: ${outcome.reference === "official" ? "the official schema.json, corrected" : "our schema.json; the official files are not here"}`,
      );
    report(outcome.disagreements);
  }
  const official = await officialDefinitions();
  for (const extension of extensionDifferential(values.seed, Math.ceil(wanted / 500), official)) {
    count += extension.count;
    accepted += extension.accepted;
    report(extension.disagreements);
    const reference = extension.reference === "official" ? "the official schema.json, corrected" : "our schema.json";
    console.log(
      `${extension.name}: ${extension.count} instances, ${extension.accepted} of them valid, by ${reference}: ${extension.disagreements.length} disagreements`,
    );
  }
  // All rules are needed only when all official files are here.
  const unused = official.size === publishedExtensions.length ? unusedRules(official) : [];
  if (unused.length > 0) console.log(`rules that correct nothing: ${unused.join(", ")}`);
  failed += unused.length;
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

/** The definitions of the official schema.json of extensions. */
async function officialDefinitions(): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const files = await officialExtensions(console.log);
  return new Map(
    files.map(({ name, json }) => {
      const { $defs } = JSON.parse(readFileSync(json, "utf8")) as { readonly $defs: Readonly<Record<string, unknown>> };
      return [name, $defs];
    }),
  );
}
