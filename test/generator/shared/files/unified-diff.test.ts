import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { unifiedDiff } from "../../../../generator/shared/files/unified-diff.js";

test("no differences, no text", () => {
  expect(unifiedDiff([])).toBe("");
});

test("shows added, changed, removed and kept lines", () => {
  const diff = unifiedDiff([
    { path: "added.ts", kind: "added", after: "one\ntwo\n" },
    { path: "changed.ts", kind: "changed", before: "a\nb\nc\nd\ne\nf\ng\nh\n", after: "a\nb\nc\nd\nE\nf\ng\nh\n" },
    { path: "empty.ts", kind: "added", after: "" },
    { path: "kept.ts", kind: "changed", before: "by hand" },
    { path: "removed.ts", kind: "removed", before: "gone" },
  ]);
  expect(diff).toBe(`--- /dev/null
+++ b/added.ts
@@ -0,0 +1,2 @@
+one
+two
--- a/changed.ts
+++ b/changed.ts
@@ -2,7 +2,7 @@
 b
 c
 d
-e
+E
 f
 g
 h
--- /dev/null
+++ b/empty.ts
# kept.ts was changed by hand, and this run does not generate it
--- a/removed.ts
+++ /dev/null
@@ -1,1 +0,0 @@
-gone
\\ No newline at end of file
`);
});

test("shows a large file without common lines as a whole, in time", { timeout: 20_000 }, () => {
  const text = (word: string): string => Array.from({ length: 30_000 }, (_, index) => `${word} ${index}\n`).join("");
  const start = performance.now();
  const diff = unifiedDiff([{ path: "model.json", kind: "changed", before: text("old"), after: text("new") }]);
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(applyPatch(text("old"), diff)).toBe(text("new"));
});
