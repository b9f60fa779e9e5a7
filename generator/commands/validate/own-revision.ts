import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ts } from "ts-morph";
import { emitRevision, withImports } from "../../pipeline/emit/revision-files.js";
import { emitShared } from "../../pipeline/emit/shared-files.js";
import { assertRevision } from "../../pipeline/read-model.js";
import { createRenderer } from "../../pipeline/render/render.js";
import type { ProtocolModel } from "../../shared/model/protocol.js";
import { packageRoot } from "../../shared/package-root.js";
import { readRevision } from "../diff/read-revision.js";
import { factsFrom, type RevisionFacts, type RevisionModules } from "./revision-facts.js";

/**
 * The facts of a revision that is not in the package. Its code is generated into a temporary folder and imported, so that
 * it is checked by the same predicates as a published one.
 * @param schema a path or URL of a schema.ts, schema.json or model.json, or a generated folder
 * @param imports paths or URLs of the files that the schema imports, by specifier
 * @throws DiagnosticError when it cannot be read or is invalid
 */
export async function loadOwnFacts(schema: string, imports?: Readonly<Record<string, string>>): Promise<RevisionFacts> {
  const { model } = await readRevision(schema, "unnamed", imports);
  assertRevision(model.revision);
  const folder = mkdtempSync(join(tmpdir(), "mcpwright-validate-"));
  try {
    for (const [path, text] of await generatedFiles(model)) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file.replace(/\.ts$/, ".js"), path.endsWith(".ts") ? javaScriptOf(text) : text);
    }
    const load = (file: string): Promise<unknown> =>
      import(pathToFileURL(join(folder, model.revision, file)).href) as Promise<unknown>;
    const sides = (await load("index.js")) as RevisionModules["sides"];
    const checks = (await load("issues.js")) as RevisionModules["checks"];
    return factsFrom({ sides, checks, model });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function generatedFiles(model: ProtocolModel): Promise<ReadonlyMap<string, string>> {
  const { folder, version } = packageRoot();
  const render = await createRenderer(join(folder, "templates"));
  const { revision } = model;
  const choice = { methods: [revision], issues: [revision], conversions: [], standardSchemas: [] };
  const conversions = { steps: [], customFunctions: new Map<string, string>() };
  const own = emitRevision(model, withImports(["methods", "constants", "issues"]), render);
  return new Map([
    ...[...own].map(([file, text]) => [`${revision}/${file}`, text] as const),
    ...emitShared([model], [], choice, conversions, { name: undefined, version }, render),
  ]);
}

function javaScriptOf(text: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}
