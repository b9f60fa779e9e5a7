import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ts } from "ts-morph";
import type { Extension } from "@mcpwright/protocol/contract";
import { besideRevision, emitExtension } from "../../pipeline/emit/extension-files.js";
import { valueNames } from "../../pipeline/emit/extension-methods.js";
import { emitRevision, withImports } from "../../pipeline/emit/revision-files.js";
import { emitShared } from "../../pipeline/emit/shared-files.js";
import { rejectCollisions } from "../../pipeline/passes/build-extension.js";
import { extensionInputs, readExtension, type ReadExtension } from "../../pipeline/read-extension.js";
import { assertRevision } from "../../pipeline/read-model.js";
import { createRenderer } from "../../pipeline/render/render.js";
import type { LayeredExtension } from "../../shared/model/extension.js";
import type { ProtocolModel } from "../../shared/model/protocol.js";
import { packageRoot } from "../../shared/package-root.js";
import { readRevision } from "../diff/read-revision.js";
import { layered } from "./layered-modules.js";
import { factsFrom, type Checks, type RevisionFacts, type RevisionModules } from "./revision-facts.js";

/**
 * The facts of a revision that is not in the package.
 * @param schema a path or URL of a schema.ts, schema.json or model.json, or a generated folder
 * @param imports paths or URLs of the files that the schema imports, by specifier
 * @throws DiagnosticError when it cannot be read or is invalid
 */
export async function loadOwnFacts(schema: string, imports?: Readonly<Record<string, string>>): Promise<RevisionFacts> {
  const { model } = await readRevision(schema, "unnamed", imports);
  assertRevision(model.revision);
  return generatedFacts(model, []);
}

/**
 * The facts of a revision with extensions laid over it.
 * @param over a revision of the package, or a path or URL of a schema. Default: the revision of the first extension
 * @throws DiagnosticError when an input is invalid, or when two extensions collide
 */
export async function loadLayeredFacts(
  extensions: readonly [string, ...string[]],
  over: string | undefined,
  imports: Readonly<Record<string, string>> = {},
): Promise<RevisionFacts> {
  const [first, ...others] = extensions;
  const read = async (extension: string, base: string | undefined): Promise<ReadExtension> =>
    readExtension(await extensionInputs({ extension, imports, ...(base !== undefined && { over: base }) }));
  const { base, layered: layer } = await read(first, over);
  const layers = [layer];
  for (const other of others) layers.push((await read(other, over ?? base.revision)).layered);
  rejectCollisions(layers.map(({ model }) => model));
  return generatedFacts(base, layers);
}

/**
 * Generates the code of a revision and its extensions into a temporary folder and imports it, so that messages are checked by
 * the same predicates as those of a published one.
 */
async function generatedFacts(model: ProtocolModel, layers: readonly LayeredExtension[]): Promise<RevisionFacts> {
  const folder = mkdtempSync(join(tmpdir(), "mcpwright-validate-"));
  try {
    for (const [path, text] of await generatedFiles(model, layers)) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file.replace(/\.ts$/, ".js"), path.endsWith(".ts") ? javaScriptOf(text) : text);
    }
    const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href) as Promise<unknown>;
    let modules: RevisionModules = {
      sides: (await load(`${model.revision}/index.js`)) as RevisionModules["sides"],
      checks: (await load(`${model.revision}/issues.js`)) as Checks,
      model,
      extensions: [],
    };
    for (const { model: own } of layers) {
      const place = `extensions/${own.name}`;
      const exported = (await load(`${place}/index.js`)) as Readonly<Record<string, Extension>>;
      const extension = exported[valueNames(own).valueName];
      const checks = (await load(`${place}/issues.js`)) as Checks;
      if (extension) modules = layered(modules, { extension, checks, model: own });
    }
    return factsFrom(modules);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function generatedFiles(
  model: ProtocolModel,
  layers: readonly LayeredExtension[],
): Promise<ReadonlyMap<string, string>> {
  const { folder, version } = packageRoot();
  const render = await createRenderer(join(folder, "templates"));
  const { revision } = model;
  const choice = { methods: [revision], issues: [revision], conversions: [], standardSchemas: [] };
  const conversions = { steps: [], customFunctions: new Map<string, string>() };
  const chosen = withImports(["methods", "constants", "issues"]);
  const modules = besideRevision(revision);
  const extensions = layers.map((layer) => layer.model);
  return new Map([
    ...inFolder(revision, emitRevision(model, chosen, render)),
    ...layers.flatMap((layer) =>
      inFolder(`extensions/${layer.model.name}`, emitExtension(layer, modules, chosen, render)),
    ),
    ...emitShared([model], extensions, choice, conversions, { name: undefined, version }, render),
  ]);
}

function inFolder(folder: string, files: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...files].map(([file, text]) => [`${folder}/${file}`, text] as const);
}

function javaScriptOf(text: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}
