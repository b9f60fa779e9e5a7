import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DiagnosticError, fail, type Diagnostic } from "../shared/diagnostics/diagnostic.js";
import type { GenerateOptions } from "./generate-options.js";
import { besideRevision, ofPackage } from "./emit/extension-files.js";
import { contract } from "./emit/shared-files.js";
import type { Locate } from "./conversions/build-step.js";
import type { ExtensionModel } from "../shared/model/extension.js";
import type { ProtocolModel } from "../shared/model/protocol.js";
import { JsonLocations } from "../shared/json/json-locations.js";
import { packageRoot } from "../shared/package-root.js";
import { modelInputs } from "./load-model.js";
import { extensionFolder, Generation } from "./generation.js";
import { rejectCollisions } from "./passes/build-extension.js";
import { extensionInputs, knownExtensionInputs, type ExtensionInputs } from "./read-extension.js";
import { readModel, type ModelInputs } from "./read-model.js";
import { byAge, knownRevisions } from "../shared/sources/schema-folder.js";
import { contentHash } from "../shared/files/content-hash.js";
import { readManifest, type Manifest } from "./write/manifest.js";
import { outputEdited, writeOutput, type WriteReport } from "./write/write-output.js";

export interface GenerateResult {
  /** The revisions in the folder afterwards, oldest first. */
  readonly revisions: readonly string[];
  readonly models: readonly ProtocolModel[];
  /** The extensions in the folder afterwards, by name. */
  readonly extensions: readonly ExtensionModel[];
  readonly findings: readonly Diagnostic[];
  readonly report: WriteReport;
  readonly out: string;
}

/**
 * The whole pipeline: schemas to code in a folder.
 * Revisions that are in the folder but are not named stay unchanged.
 * @throws DiagnosticError when an input, an overlay or the folder is invalid; then nothing was written
 */
export async function generate(options: GenerateOptions = {}): Promise<GenerateResult> {
  const { extension, over, imports, revision } = options;
  if (extension === undefined) {
    const inputs = await collectInputs(options);
    return generateFrom(inputs, await collectExtensions(inputs, options), options);
  }
  const given = {
    ...(over !== undefined && { over }),
    ...(imports && { imports }),
    ...(revision !== undefined && { revision }),
  };
  const input = await extensionInputs({ extension, ...given });
  // The published package does not have a revision that the user passes, so it is generated beside the extension.
  return generateFrom(input.base.fromPackage ? [] : [input.base], [input], options);
}

/** Callbacks for a caller that writes more than the output. */
export interface WriteHooks {
  /** Called once when all output is generated, just before the first file is written. */
  readonly beforeWrite: () => Promise<void>;
  /** Whether a signal has arrived; the caller defers signals. */
  readonly interrupted: () => boolean;
}

/** Runs the pipeline from inputs that are already read. */
export async function generateFrom(
  inputs: readonly ModelInputs[],
  extensions: readonly ExtensionInputs[],
  options: GenerateOptions,
  hooks?: WriteHooks,
): Promise<GenerateResult> {
  const out = resolve(options.out ?? "generated");
  const manifest = await readManifest(out);
  const generation = new Generation(out, options, manifest);

  const named = new Set(inputs.map(({ revision }) => revision));
  const kept = (manifest?.revisions ?? []).filter((revision) => !named.has(revision));
  const ids = [...named, ...kept].sort(byAge);
  refuseCaseCollision(ids);

  for (const input of inputs) await generation.generate(input);
  const models = await Promise.all(
    ids.map(async (id) => generation.models.get(id) ?? readModelFile(out, id, manifest)),
  );
  // A revision that was generated with fewer outputs may lack what an extension imports.
  const isComplete = (revision: string): boolean =>
    named.has(revision) ||
    ["types", "validate", "issues"].every((file) => Object.hasOwn(manifest?.files ?? {}, `${revision}/${file}.ts`));
  for (const input of extensions) {
    const { revision } = input.base;
    const isBeside = ids.includes(revision) && isComplete(revision);
    await generation.generateExtension(input, isBeside ? besideRevision(revision) : ofPackage(revision));
  }
  const others = (manifest?.extensions ?? []).filter((name) => !generation.extensions.has(name));
  const generated = [...generation.extensions.values()];
  // An extension that has another name than before takes the place of the old one.
  const keptModels = (await Promise.all(others.map((name) => readExtensionFile(out, name, manifest)))).filter(
    ({ extension }) => !generated.some((one) => one.extension === extension),
  );
  const keptExtensions = keptModels.map(({ name }) => name);
  const extensionModels = [...generated, ...keptModels].sort((a, b) => byAge(a.name, b.name));
  rejectCollisions(extensionModels);
  if (ids.length > 0) await generation.shared(models, extensionModels, await basesOf(models), locator(inputs));
  else await generation.withoutRevisions();

  const { version } = packageRoot();
  const mode = options.check ? "check" : options.dryRun ? "dry-run" : "write";
  generation.phase("shared", "write");
  const keptFolders = [...kept, ...keptExtensions.map(extensionFolder)];
  const keep = (path: string): boolean => keptFolders.some((folder) => path.startsWith(`${folder}/`));
  const handedIn = [
    ...kept.filter((id) => manifest?.handedIn?.includes(id)),
    ...inputs.flatMap(({ revision, fromPackage }) => (fromPackage ? [] : [revision])),
  ].sort(byAge);
  const meta = {
    generator: version,
    contract,
    inputs: { ...pick(manifest?.inputs ?? {}, keptFolders), ...generation.hashes },
    revisions: ids,
    ...(handedIn.length > 0 && { handedIn }),
    ...(extensionModels.length > 0 && { extensions: extensionModels.map(({ name }) => name) }),
  };
  await hooks?.beforeWrite();
  const report = await writeOutput(out, generation.files, meta, {
    mode,
    keep,
    ...(hooks && { interrupted: hooks.interrupted }),
  });
  if (mode === "write") generation.fingerprint.remember(out);
  return { revisions: ids, models, extensions: extensionModels, findings: generation.findings, report, out };
}

async function collectInputs(options: GenerateOptions): Promise<readonly ModelInputs[]> {
  const { schema, revision, revisions, imports } = options;
  if (schema !== undefined)
    return [await modelInputs({ schema, ...(imports && { imports }), ...(revision !== undefined && { revision }) })];
  const known = knownRevisions();
  const chosen = revisions?.length ? revisions : known;
  return Promise.all([...new Set(chosen)].sort(byAge).map((id) => modelInputs({ revision: id })));
}

/** The extensions of the package, unless the user chose revisions or a schema. */
async function collectExtensions(
  inputs: readonly ModelInputs[],
  { schema, revisions = [] }: GenerateOptions,
): Promise<readonly ExtensionInputs[]> {
  if (schema !== undefined || revisions.length > 0) return [];
  return knownExtensionInputs(inputs.map(({ revision }) => revision));
}

/**
 * The older neighbours that are not in the folder, of revisions that the package does not know. The steps between known
 * revisions are in the package, so a known revision is generated without its neighbour.
 */
async function basesOf(models: readonly ProtocolModel[]): Promise<readonly ModelInputs[]> {
  const known = knownRevisions();
  const ids = models.map(({ revision }) => revision);
  const bases = new Set(
    models.flatMap(({ revision, conversions }) => (known.includes(revision) ? [] : (conversions?.neighbour ?? []))),
  );
  const missing = [...bases].filter((id) => known.includes(id) && !ids.includes(id));
  return Promise.all(missing.map((id) => modelInputs({ revision: id })));
}

/**
 * The model of a revision that stays unchanged, read from its generated file. When `only` left that file out, the model
 * is built again from the package's schema, provided that it was built from that schema.
 */
async function readModelFile(out: string, revision: string, manifest: Manifest | undefined): Promise<ProtocolModel> {
  const name = `${revision}/model.json`;
  const path = join(out, name);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) {
    const isLost = Object.hasOwn(manifest?.files ?? {}, name) || manifest?.handedIn?.includes(revision) === true;
    if (isLost || !knownRevisions().includes(revision)) return fail("output-incomplete", { path: out, revision });
    return (await readModel(await modelInputs({ revision }))).model;
  }
  if (manifest?.files[name] !== contentHash(text)) throw new DiagnosticError([outputEdited(path)]);
  return JSON.parse(text) as ProtocolModel;
}

/** The model of an extension that stays unchanged, read from its generated file. */
async function readExtensionFile(out: string, name: string, manifest: Manifest | undefined): Promise<ExtensionModel> {
  const file = `${extensionFolder(name)}/model.json`;
  const text = await readFile(join(out, file), "utf8").catch(() => undefined);
  if (text === undefined) return fail("output-incomplete", { path: out, revision: extensionFolder(name) });
  if (manifest?.files[file] !== contentHash(text)) throw new DiagnosticError([outputEdited(join(out, file))]);
  return JSON.parse(text) as ExtensionModel;
}

function locator(inputs: readonly ModelInputs[]): Locate {
  return (revision, pointer) => {
    const overlays = inputs.find((input) => input.revision === revision)?.overlays;
    const overlay = overlays?.find((found) => found.revision === revision);
    return overlay && new JsonLocations(overlay.text, overlay.file).locate(pointer);
  };
}

function refuseCaseCollision(ids: readonly string[]): void {
  for (const [at, name] of ids.entries()) {
    const other = ids.slice(at + 1).find((id) => id.toLowerCase() === name.toLowerCase());
    if (other !== undefined) fail("name-case-collision", { name, other });
  }
}

function pick(record: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)));
}
