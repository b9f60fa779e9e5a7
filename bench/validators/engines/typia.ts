import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { Engine, Predicate, Revision } from "../contract.js";
import { builtFolder, importBuilt, writeBuilt } from "./built.js";

const typiaFolder = dirname(createRequire(import.meta.url).resolve("typia/package.json"));

export const typia: Engine = {
  name: "typia",
  packageName: "typia",
  load: async (revision, definitions) => {
    const inputs = inputsOf(revision, definitions);
    // The compiler takes ten seconds for each revision.
    const output = builtBefore(revision, inputs) ?? transform(revision, inputs);
    const { outputText } = ts.transpileModule(output, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    });
    const built = await importBuilt(fileOf(revision, "predicates.mjs"), outputText);
    return (definition) => built[`is${definition}`] as Predicate | undefined;
  },
};

type Inputs = Readonly<Record<string, string>>;

/** Our types and one line per predicate: typia reads types, not schemas. */
function inputsOf(revision: Revision, definitions: readonly string[]): Inputs {
  const types = readFileSync(new URL(`../../../generated/${revision}/types.ts`, import.meta.url), "utf8");
  const predicates = definitions.map((name) => `export const is${name} = typia.createIs<types.${name}>();\n`);
  return {
    // The other engines treat formats as annotations; typia would check them.
    "input/types.ts": types.replaceAll(/^ *\* @format .*\n/gm, ""),
    "input/predicates.ts": `import typia from "typia";\nimport type * as types from "./types.js";\n\n${predicates.join("")}`,
    "tsconfig.json": JSON.stringify({
      compilerOptions: { target: "es2023", module: "esnext", moduleResolution: "bundler", strict: true, types: [] },
      include: ["input"],
    }),
    "typia.json": readFileSync(join(typiaFolder, "package.json"), "utf8"),
  };
}

function builtBefore(revision: Revision, inputs: Inputs): string | undefined {
  const same = Object.entries(inputs).every(([name, text]) => readBuilt(revision, name) === text);
  return same ? readBuilt(revision, "output/predicates.ts") : undefined;
}

function transform(revision: Revision, inputs: Inputs): string {
  for (const [name, text] of Object.entries(inputs)) writeBuilt(fileOf(revision, name), text);
  const project = fileURLToPath(new URL(fileOf(revision, ""), builtFolder));
  const cli = join(typiaFolder, "lib", "executable", "typia.js");
  const options = ["--input", "input", "--output", "output", "--project", "tsconfig.json"];
  execFileSync(process.execPath, [cli, "generate", ...options], {
    cwd: project,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const output = readBuilt(revision, "output/predicates.ts");
  if (output === undefined || output.includes("createIs<"))
    throw new Error(`typia did not compile its predicates of ${revision}`);
  return output;
}

function readBuilt(revision: Revision, name: string): string | undefined {
  const file = new URL(fileOf(revision, name), builtFolder);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function fileOf(revision: Revision, name: string): string {
  return `typia-${revision}/${name}`;
}
