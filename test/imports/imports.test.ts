import { join } from "node:path";
import { expect, test } from "vitest";
import { borders, missingFolders } from "../../scripts/imports/borders.js";
import { checkImports, printProblem } from "../../scripts/imports/check.js";

const tree = join(import.meta.dirname, "fixtures/tree");

test("circles, types included, and imports over a border", async () => {
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

test("folders that are listed and do not exist", () => {
  const listed = [{ root: "src", folders: { cli: ["shared", "gone"], moved: ["cli"] } }];
  expect(missingFolders(tree, listed)).toEqual(["src/gone", "src/moved"]);
});

test.each(borders)("no two folders of $root may import each other", ({ folders }) => {
  const allowed = (from: string): readonly string[] => folders[from] ?? [];
  for (const folder of Object.keys(folders))
    for (const other of allowed(folder)) expect(allowed(other), `${other} -> ${folder}`).not.toContain(folder);
});
