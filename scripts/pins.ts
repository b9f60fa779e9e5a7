/**
 * Writes schema/pins.json from the published files: npm run pins -- --from <folder> --commit <sha>.
 * The folder is a checkout of the specification's repository, or holds `<revision>/schema.ts` and `schema.json`.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { digestsByName } from "../generator/shared/fidelity/digest.js";
import { applyLossyRules } from "../generator/shared/fidelity/lossy-rules.js";
import { changedNames, pinDrift, pinnedDigests, printPins, type Pins } from "../generator/shared/fidelity/pins.js";
import { pinRevision } from "./pin-revision.js";
import { readTypeScript } from "../generator/pipeline/read/typescript.js";
import { knownRevisions, schemaFolder } from "../generator/shared/sources/schema-folder.js";

const { from, commit } = parseArgs({ options: { from: { type: "string" }, commit: { type: "string" } } }).values;
if (from === undefined || commit === undefined) refuse("usage: npm run pins -- --from <folder> --commit <sha>");
if (!/^[0-9a-f]{40}$/.test(commit)) refuse(`--commit ${commit} is not a full commit sha (40 hex digits)`);

const folder = existsSync(join(from, "schema")) ? join(from, "schema") : from;
const revisions = knownRevisions();
const missing = revisions
  .flatMap((revision) => [join(folder, revision, "schema.ts"), join(folder, revision, "schema.json")])
  .filter((file) => !existsSync(file));
if (missing.length > 0) refuse(`not found:\n${missing.join("\n")}`);

const pins: Pins = Object.fromEntries(
  revisions.map((revision) => {
    const read = (name: string): Uint8Array => readFileSync(join(folder, revision, name));
    return [
      revision,
      pinRevision(revision, { commit, "schema.ts": read("schema.ts"), "schema.json": read("schema.json") }),
    ];
  }),
);

const target = join(schemaFolder(), "pins.json");
const before = existsSync(target) ? (JSON.parse(readFileSync(target, "utf8")) as Pins) : {};
const drift = pinDrift(before, pins);
console.log(
  drift.length > 0
    ? `changed since the last pins:\n${drift.map((line) => `  ${line}`).join("\n")}`
    : "nothing changed since the last pins",
);

for (const [revision, pin] of Object.entries(pins)) {
  const module = readTypeScript(readFileSync(join(folder, revision, "schema.ts"), "utf8"), `${revision}/schema.ts`);
  const unexplained = changedNames(digestsByName(applyLossyRules(module).module), pinnedDigests(pin, "json"));
  if (unexplained.length === 0) continue;
  console.error(`${revision}: no lossy rule explains schema.json of ${unexplained.join(", ")}`);
  process.exitCode = 1;
}
writeFileSync(target, printPins(pins));

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
