import { expect, test } from "vitest";
import { readLinked } from "../../../../generator/pipeline/read-model.js";
import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";
import { line } from "../../shared/diagnostics/problems.js";

const schema = {
  file: "s.json",
  text: JSON.stringify({
    $defs: { Own: { $ref: "other.json#/$defs/Theirs" }, Part: { $ref: "other.json#/$defs/Part" } },
  }),
};
const other = {
  file: "elsewhere.json",
  text: JSON.stringify({
    $defs: { Theirs: { type: "array", items: { $ref: "#/$defs/Leaf" } }, Leaf: {}, Part: {}, Unused: {} },
  }),
};

async function problemsOf(...args: Parameters<typeof readLinked>): Promise<readonly string[]> {
  const error: unknown = await readLinked(...args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DiagnosticError)) throw new Error("expected a DiagnosticError", { cause: error });
  return error.diagnostics.map(line);
}

test("a reference to a definition of another file is resolved by --import", async () => {
  const text = schema.text.replace('"Part"', '"Whole"');
  const module = await readLinked({ ...schema, text }, new Map([["other.json", other]]));
  expect(module.declarations.map(({ name }) => name)).toEqual(["Own", "Whole", "Theirs", "Leaf", "Part"]);
  expect(module.declarations[1]).toMatchObject({ type: { kind: "reference", name: "Part" } });
});

test("without the file, each such reference is an error with the option to pass", async () => {
  expect(await problemsOf(schema)).toEqual([
    "s.json:1:25 import-unresolved: no file is given for the import other.json",
  ]);
});

test("a definition that the other file lacks, and one of the same name, are errors", async () => {
  const text = JSON.stringify({ $defs: { A: { $ref: "other.json#/$defs/Missing" } } });
  expect(await problemsOf({ ...schema, text }, new Map([["other.json", other]]))).toEqual([
    "s.json:1:23 import-name-missing: elsewhere.json, which is imported as other.json, does not declare Missing",
  ]);
  const problems = await problemsOf(schema, new Map([["other.json", other]]));
  expect(problems).toEqual([expect.stringContaining("import-collision: Part is also declared at elsewhere.json")]);
});
