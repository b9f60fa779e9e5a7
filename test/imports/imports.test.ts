import { join } from "node:path";
import { expect, test } from "vitest";
import { borders, missingPaths, unlistedFolders } from "../../scripts/imports/borders.js";
import { checkImports, printProblem } from "../../scripts/imports/check.js";

const tree = join(import.meta.dirname, "fixtures/tree");

test("reports circles, types included, and imports over a border", async () => {
  const { files, problems } = await checkImports(
    tree,
    ["src"],
    [{ root: "src", folders: { cli: ["pipeline", "shared"], pipeline: ["shared"], shared: [] } }],
  );
  expect(files).toBe(11);
  expect(problems.map(printProblem).toSorted()).toEqual([
    "border-of-pipeline  src/pipeline/load.ts\n  -> src/cli/options.ts",
    "border-of-shared  src/shared/shared.ts\n  -> src/cli/options.ts",
    "import-circle  src/free/one.ts\n  -> src/free/two.ts\n  -> src/free/three.ts\n  -> src/free/one.ts",
    "import-circle  src/free/other-values.ts\n  -> src/free/values.ts\n  -> src/free/other-values.ts",
  ]);
});

test("allows and rejects imports of single files", async () => {
  const { problems } = await checkImports(
    tree,
    ["src/cli", "src/pipeline", "src/shared"],
    [{ root: "src", folders: { pipeline: ["cli/options.ts", "shared"], "shared/shared.ts": [] } }],
  );
  expect(problems.map(printProblem)).toEqual([
    "border-of-shared/shared.ts  src/shared/shared.ts\n  -> src/cli/options.ts",
  ]);
});

test("reports listed folders and files that do not exist", () => {
  const listed = [{ root: "src", folders: { cli: ["shared", "gone"], moved: ["cli", "one.ts", "cli/options.ts"] } }];
  expect(missingPaths(tree, listed)).toEqual(["src/gone", "src/moved", "src/one.ts"]);
});

test("reports folders that are not listed", () => {
  expect(unlistedFolders(tree, [{ root: "src", folders: { cli: [], free: [] } }])).toEqual([
    "src/pipeline",
    "src/shared",
  ]);
});

test.each(borders)("allows no folder of $root to import a later one", ({ folders }) => {
  const order = Object.keys(folders);
  for (const [folder, allowed] of Object.entries(folders))
    for (const other of allowed.filter((name) => Object.hasOwn(folders, name)))
      expect(order.indexOf(other), `${folder} -> ${other}`).toBeLessThan(order.indexOf(folder));
});
