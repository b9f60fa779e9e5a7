import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DiagnosticError, fail, type Diagnostic } from "./diagnostics/diagnostic.js";
import { emitRevision, outputs, withImports, type Output } from "./emit/revision-files.js";
import {
  contract,
  conversionsFile,
  emitShared,
  issuesFile,
  lossesFile,
  methodsFile,
  standardSchemaFile,
  type SharedChoice,
} from "./emit/shared-files.js";
import { format } from "./format/format.js";
import { holesFor } from "./conversions/holes.js";
import { buildSteps } from "./conversions/steps.js";
import type { Locate } from "./conversions/step.js";
import type { ProtocolModel } from "./model/protocol.js";
import type { Span } from "./model/source.js";
import { JsonLocations } from "./read/json-locations.js";
import { packageRoot } from "./package-root.js";
import { createRenderer, type Render } from "./render/render.js";
import { modelInputs } from "./load-model.js";
import { hashInputs, readModel, type ModelInputs, type Phase } from "./sources/read-model.js";
import { byAge, knownRevisions } from "./sources/schema-folder.js";
import { createStamp } from "./stamp.js";
import { contentHash } from "./write/content-hash.js";
import { readManifest, type Manifest } from "./write/manifest.js";
import { outputEdited, writeOutput, type WriteReport } from "./write/write-output.js";

export interface GenerateOptions {
  /** Revisions to generate. Default: all that come with the package. */
  readonly revisions?: readonly string[];
  /** Path or URL of a schema.ts, .d.ts or schema.json to generate from instead. */
  readonly schema?: string;
  /** The id of `schema`. Default: its LATEST_PROTOCOL_VERSION, else the date that its folder is named after. */
  readonly revision?: string;
  /** Output folder. Default: `generated` in the working directory. */
  readonly out?: string;
  /** Write nothing; report what would change. */
  readonly check?: boolean;
  /** Like `check`, for a person who only wants to see. */
  readonly dryRun?: boolean;
  /** Outputs to generate, with all that they import. Default: all but `corpus`. */
  readonly only?: readonly Output[];
  /** Called when a phase of a revision begins; `shared` stands for the files of all revisions. */
  readonly onPhase?: (revision: string, phase: Phase) => void;
}

export interface GenerateResult {
  /** What the folder then holds, oldest first. */
  readonly revisions: readonly string[];
  readonly models: readonly ProtocolModel[];
  readonly findings: readonly Diagnostic[];
  readonly report: WriteReport;
  readonly out: string;
}

/**
 * The whole pipeline: schemas to code in a folder.
 * Revisions that the folder already holds and that are not named stay as they are.
 * @throws DiagnosticError when an input, an overlay or the folder is at fault; then nothing was written
 */
export async function generate(options: GenerateOptions = {}): Promise<GenerateResult> {
  return generateFrom(await collectInputs(options), options);
}

/** What a caller that writes more than the output has to know of its writing. */
export interface WriteHooks {
  /** Runs once when all the output is made, just before the first file of it is written. */
  readonly beforeWrite: () => Promise<void>;
  /** Whether a signal came: the caller defers them. */
  readonly interrupted: () => boolean;
}

/** The same from inputs that are at hand. */
export async function generateFrom(
  inputs: readonly ModelInputs[],
  options: GenerateOptions,
  hooks?: WriteHooks,
): Promise<GenerateResult> {
  const out = resolve(options.out ?? "generated");
  const manifest = await readManifest(out);
  const run = new Run(out, options, manifest);

  const named = new Set(inputs.map(({ revision }) => revision));
  const kept = (manifest?.revisions ?? []).filter((revision) => !named.has(revision));
  const ids = [...named, ...kept].sort(byAge);
  refuseCaseCollision(ids);

  for (const input of inputs) await run.generate(input);
  const models = await Promise.all(ids.map(async (id) => run.models.get(id) ?? readModelFile(out, id, manifest)));
  await run.shared(models, locator(inputs));

  const { version } = packageRoot();
  const mode = options.check ? "check" : options.dryRun ? "dry-run" : "write";
  run.phase("shared", "write");
  const keep = (path: string): boolean => kept.some((id) => path.startsWith(`${id}/`));
  const meta = {
    generator: version,
    contract,
    inputs: { ...pick(manifest?.inputs ?? {}, kept), ...run.hashes },
    revisions: ids,
  };
  await hooks?.beforeWrite();
  const report = await writeOutput(out, run.files, meta, {
    mode,
    keep,
    ...(hooks && { interrupted: hooks.interrupted }),
  });
  if (mode === "write") run.stamp.keep(out);
  return { revisions: ids, models, findings: run.findings, report, out };
}

class Run {
  readonly files = new Map<string, string>();
  readonly models = new Map<string, ProtocolModel>();
  readonly findings: Diagnostic[] = [];
  readonly hashes: Record<string, string> = {};
  /** Where the declarations of revisions stand that were read. */
  private readonly spans: ReadonlyMap<string, Span>[] = [];
  readonly stamp = createStamp();
  private readonly chosen: ReadonlySet<Output>;
  /** The npm name of our own package; a user's output has none. */
  private readonly name: string | undefined;
  private renderer: Promise<Render> | undefined;

  constructor(
    private readonly out: string,
    private readonly options: GenerateOptions,
    private readonly manifest: Manifest | undefined,
  ) {
    this.name = out === join(packageRoot().folder, "generated") ? "@mcpwright/protocol" : undefined;
    this.chosen = withImports(options.only ?? defaultOutputs(this.name !== undefined));
  }

  phase(revision: string, phase: Phase): void {
    this.options.onPhase?.(revision, phase);
  }

  async generate(inputs: ModelInputs): Promise<void> {
    const { revision } = inputs;
    const hash = hashInputs(inputs, [...this.chosen].sort());
    this.hashes[revision] = hash;
    if (await this.reuse(revision, hash)) return;
    const { model, module, findings } = await readModel(inputs, (phase) => this.phase(revision, phase));
    const spans = new Map(module.declarations.map(({ name, span }) => [name, span]));
    this.spans.push(spans);
    this.models.set(revision, model);
    this.findings.push(...findings);
    if (findings.length > 0) this.hashes[revision] = "has findings"; // so that the next run finds them again
    this.phase(revision, "emit");
    await this.add(
      revision,
      emitRevision(model, this.chosen, await this.render(), (name) => spans.get(name)),
      `${revision}/`,
    );
  }

  /** Files of all revisions; they depend on every model, so they are reused only when all models are. */
  async shared(models: readonly ProtocolModel[], locate: Locate): Promise<void> {
    const choice = this.sharedChoice(models);
    const { version } = packageRoot();
    const { name } = this;
    const hash = contentHash(JSON.stringify([name, choice, models]));
    this.hashes["shared"] = hash;
    if (await this.reuse("shared", hash)) return;
    this.phase("shared", "emit");
    const { steps, findings } = buildSteps(models, locate);
    const conversions = {
      steps: steps.filter(({ newer }) => choice.conversions.includes(newer)),
      holes: holesFor(models),
    };
    if (conversions.steps.length > 0 && findings.length > 0) {
      this.findings.push(...findings);
      this.hashes["shared"] = "has findings";
    }
    const place = (declaration: string): Span | undefined =>
      this.spans.find((spans) => spans.has(declaration))?.get(declaration);
    const files = emitShared(models, choice, conversions, { name, version }, await this.render(), place);
    await this.add("shared", files, "");
  }

  /** Revisions that stay as they are keep what they import. */
  private sharedChoice(models: readonly ProtocolModel[]): SharedChoice {
    const ids = models.map(({ revision }) => revision);
    const has = (id: string, output: Output, file: string): boolean =>
      this.models.has(id) ? this.chosen.has(output) : Object.hasOwn(this.manifest?.files ?? {}, file);
    return {
      methods: ids.filter((id) => has(id, "methods", methodsFile(id))),
      issues: ids.filter((id) => has(id, "issues", issuesFile(id))),
      conversions: models.flatMap(({ revision: id, conversions }) => {
        if (!ids.includes(conversions?.neighbour ?? "")) return [];
        // A neighbour that is added later gives steps to a revision that stays.
        return this.chosen.has("conversions") || has(id, "conversions", conversionsFile(id)) ? [id] : [];
      }),
      standardSchemas: ids.filter((id) => has(id, "standard", standardSchemaFile(id))),
    };
  }

  /** Takes over a revision's files when neither its inputs, the generator nor the files have changed since they were written. */
  private async reuse(revision: string, hash: string): Promise<boolean> {
    const { manifest, out, options, stamp } = this;
    if (
      options.check ||
      manifest?.generator !== packageRoot().version ||
      manifest.inputs[revision] !== hash ||
      !stamp.isCurrent(out)
    )
      return false;
    const listed = Object.entries(manifest.files).filter(([path]) => ownerOf(path) === revision);
    const texts = new Map<string, string>();
    for (const [path, written] of listed) {
      const text = await readFile(join(out, path), "utf8").catch(() => undefined);
      if (text === undefined || contentHash(text) !== written) return false;
      texts.set(path, text.replaceAll("\r\n", "\n"));
    }
    if (revision !== "shared") {
      const model = texts.get(`${revision}/model.json`);
      if (model === undefined) return false;
      this.models.set(revision, JSON.parse(model) as ProtocolModel);
    }
    for (const [path, text] of texts) this.files.set(path, text);
    return true;
  }

  private async add(revision: string, files: ReadonlyMap<string, string>, folder: string): Promise<void> {
    this.phase(revision, "format");
    for (const [file, text] of files) this.files.set(folder + file, await format(file, text));
  }

  private render(): Promise<Render> {
    return (this.renderer ??= createRenderer(join(packageRoot().folder, "templates")));
  }
}

async function collectInputs({ schema, revision, revisions }: GenerateOptions): Promise<readonly ModelInputs[]> {
  if (schema !== undefined) return [await modelInputs({ schema, ...(revision !== undefined && { revision }) })];
  const known = knownRevisions();
  const chosen = revisions?.length ? revisions : known;
  return Promise.all([...new Set(chosen)].sort(byAge).map((id) => modelInputs({ revision: id })));
}

/**
 * The model of a revision that stays as it is; only what was generated is taken for a model. Where none was, by `only`,
 * it is made again of the schema that comes with the package.
 */
async function readModelFile(out: string, revision: string, manifest: Manifest | undefined): Promise<ProtocolModel> {
  const name = `${revision}/model.json`;
  const path = join(out, name);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) {
    const isListed = Object.hasOwn(manifest?.files ?? {}, name);
    if (isListed || !knownRevisions().includes(revision)) return fail("output-incomplete", { path: out, revision });
    return (await readModel(await modelInputs({ revision }))).model;
  }
  if (manifest?.files[name] !== contentHash(text)) throw new DiagnosticError([outputEdited(path)]);
  return JSON.parse(text) as ProtocolModel;
}

/** All of them; only our own package also publishes the corpus, which is many times as large as the code. */
function defaultOutputs(ownPackage: boolean): readonly Output[] {
  return (Object.keys(outputs) as Output[]).filter((output) => ownPackage || output !== "corpus");
}

/** The revision whose inputs alone decide on a file, or `shared`. */
function ownerOf(path: string): string {
  const [folder = "", file] = path.split("/");
  const shared = [issuesFile, standardSchemaFile, conversionsFile, lossesFile].map((of) => of(folder));
  return file === undefined || shared.includes(path) ? "shared" : folder;
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
