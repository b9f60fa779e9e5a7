/**
 * Runs our client and server against other implementations, and clients with servers through gateways:
 * `npm run interop -- [gateway] [part of a name]... [--write]`, where `gateway` chooses the latter. Fails when a
 * feature fails that is not a known gap of the peer; when docs/reference/interoperability.md or docs/gateway-matrix.md does not match the results,
 * which `--write` writes; and when docs/reference/official-names.md does not contain a public name of the official SDK, or docs/guide/migrating-tasks.md does
 * not show the programs that it compares.
 */
import { parseArgs } from "node:util";
import { checkDocument, writeDocument } from "./document.js";
import { installPinned } from "../pinned.js";
import { checkTypes } from "./check-types.js";
import { comparisonProblems } from "./comparison.js";
import { runMatrix } from "./gateway/matrix.js";
import { migratingProblems } from "./migrating.js";
import { type Cell, hasFailed, type Pairing, tryPairing } from "./pairing.js";
import { listPairings } from "./pairings.js";
import { knownGapsList, problems, table } from "./report.js";
import { interopFolder } from "./paths.js";
import { makeStage } from "./stage.js";

/** The number of pairings that run at the same time. They wait more than they compute. */
const atOnce = 3;

const { values, positionals: wanted } = parseArgs({ options: { write: { type: "boolean" } }, allowPositionals: true });

const start = performance.now();
installPinned(interopFolder);
checkTypes();
const stage = await makeStage();
const isWriting = values.write === true;
if (wanted[0] === "gateway") {
  const isDone = await runMatrix(stage, isWriting, wanted.slice(1)).finally(() => stage.remove());
  process.exit(isDone ? 0 : 1);
}
const { all, end } = listPairings(stage);
const some = all.filter(({ peer, role, transport }) =>
  wanted.every((part) => `${peer} as ${role} over ${transport}`.includes(part)),
);
if (some.length === 0) throw new Error(`no pairing matches ${wanted.join(", ")}`);
const { cells, isMatrixDone } = await tryEverything().finally(async () => {
  await end();
  stage.remove();
});

console.log(table(cells));
for (const part of [knownGapsList(cells), problems(cells)]) if (part !== "") console.log(`\n${part}`);
let failed = cells.length === 0 || cells.some(hasFailed);
if (!failed && wanted.length === 0) {
  if (isWriting) await writeDocument(cells);
  else if (!(await checkDocument(cells))) {
    failed = true;
    console.log("\ndocs/reference/interoperability.md does not match these results: run npm run interop -- --write");
  }
}
if (wanted.length === 0) {
  const pages = {
    "reference/official-names.md": migratingProblems(),
    "guide/migrating-tasks.md": comparisonProblems(),
  };
  for (const [page, found] of Object.entries(pages))
    for (const problem of found) {
      failed = true;
      console.log(`\ndocs/${page}: ${problem}`);
    }
}
failed ||= !isMatrixDone;
const lacks = cells.filter(({ knownGap: lack, problem }) => lack && problem !== undefined).length;
console.log(
  `\n${cells.length} cells: ${cells.filter(({ problem }) => problem === undefined).length} pass, ${lacks} that the peer lacks, ${cells.filter(hasFailed).length} fail; ${((performance.now() - start) / 1_000).toFixed(1)} s`,
);
process.exit(failed ? 1 : 0);

async function tryEverything(): Promise<{ readonly cells: readonly Cell[]; readonly isMatrixDone: boolean }> {
  const cells = await tryAll(some);
  return { cells, isMatrixDone: wanted.length > 0 || (await runMatrix(stage, isWriting)) };
}

/** @returns the results, in the order of the pairings */
async function tryAll(pairings: readonly Pairing[]): Promise<readonly Cell[]> {
  const controls = new Map<Pairing, ReturnType<Pairing["tryIt"]>>();
  const jobs = pairings.flatMap((pairing) => pairing.revisions.map((revision) => ({ pairing, revision })));
  const found: (readonly Cell[])[] = [];
  const queue = [...jobs.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [place, { pairing, revision }] = next;
      const control = controls.get(pairing) ?? pairing.control?.();
      if (control) controls.set(pairing, control);
      found[place] = await tryPairing(pairing, revision, control);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found.flat();
}
