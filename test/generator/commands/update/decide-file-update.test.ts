import { expect, test } from "vitest";
import { decideFileUpdate, type FileDecision } from "../../../../generator/commands/update/decide-file-update.js";
import { mergeLines } from "../../../../generator/commands/update/merge-lines.js";

const none = undefined;
const old = "one\ntwo\nthree\nfour\n";
/** The templates' first line, and the user's last, are others. */
const [newer, own, both] = ["ONE\ntwo\nthree\nfour\n", "one\ntwo\nthree\nFOUR\n", "ONE\ntwo\nthree\nFOUR\n"];
const clash = "<<<<<<< yours\nUNO\n=======\nONE\n>>>>>>> mcpwright 9\ntwo\nthree\nfour\n";

test.each<
  [name: string, base: string | undefined, yours: string | undefined, theirs: string | undefined, FileDecision]
>([
  ["nobody changed it", old, old, old, { kind: "current" }],
  ["you changed it", old, own, old, { kind: "current" }],
  ["the template changed", old, old, newer, { kind: "replace", text: newer }],
  ["both changed it, apart", old, own, newer, { kind: "merge", text: both }],
  ["both changed it, in the same way", old, newer, newer, { kind: "current" }],
  ["you had made the change already, and others", old, both, newer, { kind: "current" }],
  ["both changed the same lines", old, "UNO\ntwo\nthree\nfour\n", newer, { kind: "conflict", text: clash }],
  ["you deleted it", old, none, old, { kind: "current" }],
  ["you deleted it, and the template changed", old, none, newer, { kind: "keep", reason: "you deleted it" }],
  ["the template is gone", old, old, none, { kind: "remove" }],
  [
    "the template is gone, and you changed it",
    old,
    own,
    none,
    { kind: "keep", reason: "you changed it, and mcpwright no longer has it" },
  ],
  ["both deleted it", old, none, none, { kind: "current" }],
  ["the template is new", none, none, newer, { kind: "add", text: newer }],
  ["both added it, alike", none, newer, newer, { kind: "current" }],
  [
    "both added it",
    none,
    own,
    newer,
    { kind: "keep", reason: "you created it, and mcpwright now has a file of that name" },
  ],
  [
    "you emptied it",
    old,
    "",
    newer,
    { kind: "conflict", text: `<<<<<<< yours\n=======\nONE\ntwo\nthree\nfour\n>>>>>>> mcpwright 9\n` },
  ],
])("%s", (_name, base, yours, theirs, verdict) => {
  expect(decideFileUpdate({ base, yours, theirs }, "mcpwright 9")).toEqual(verdict);
});

test("texts that are too long to compare are for a person", () => {
  const long = "x\n".repeat(400_000);
  expect(mergeLines(old, long, newer, "")).toEqual({ text: newer, clean: false });
});
