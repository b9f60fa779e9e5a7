import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { customFunctionsFor } from "../shared/sources/custom-functions.js";
import type { Locate } from "./conversions/build-step.js";
import { buildSteps } from "./conversions/build-steps.js";
import type { Diagnostic } from "../shared/diagnostics/diagnostic.js";
import { emitExtension, type BaseModules } from "./emit/extension-files.js";
import { emitRevision, outputs, withImports, type Output } from "./emit/revision-files.js";
import {
  conversionsFile,
  emitShared,
  issuesFile,
  lossesFile,
  methodsFile,
  privatePackage,
  standardSchemaFile,
  type SharedChoice,
} from "./emit/shared-files.js";
import { format } from "./format/format.js";
import type { GenerateOptions } from "./generate-options.js";
import type { ExtensionModel } from "../shared/model/extension.js";
import type { ProtocolModel } from "../shared/model/protocol.js";
import type { Span } from "../shared/model/source.js";
import { packageRoot } from "../shared/package-root.js";
import { createRenderer, type Render } from "./render/render.js";
import { hashExtensionInputs, readExtension, type ExtensionInputs } from "./read-extension.js";
import { hashInputs, readModel, type ModelInputs, type Phase } from "./read-model.js";
import { createGeneratorFingerprint } from "./generator-fingerprint.js";
import { contentHash } from "../shared/files/content-hash.js";
import type { Manifest } from "./write/manifest.js";

/** The state of one run: the models, the files in memory, and the findings. */
export class Generation {
  readonly files = new Map<string, string>();
  readonly models = new Map<string, ProtocolModel>();
  /** The models of extensions, by name. */
  readonly extensions = new Map<string, ExtensionModel>();
  readonly findings: Diagnostic[] = [];
  readonly hashes: Record<string, string> = {};
  /** Positions of declarations, for the revisions that were read. */
  private readonly spans: ReadonlyMap<string, Span>[] = [];
  readonly fingerprint = createGeneratorFingerprint();
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
    if (findings.length > 0) this.hashes[revision] = "has findings"; // so that the next run reports them again
    this.phase(revision, "emit");
    await this.add(
      revision,
      emitRevision(model, this.chosen, await this.render(), (name) => spans.get(name)),
      `${revision}/`,
    );
  }

  /** @param modules the modules of the revision that the files import */
  async generateExtension(inputs: ExtensionInputs, modules: BaseModules): Promise<void> {
    const folder = extensionFolder(inputs.name);
    const hash = hashExtensionInputs(inputs, [...[...this.chosen].sort(), JSON.stringify(modules)]);
    this.hashes[folder] = hash;
    if (await this.reuse(folder, hash)) return;
    this.phase(folder, "build");
    const { layered, module, findings } = await readExtension(inputs);
    const spans = new Map(module.declarations.map(({ name, span }) => [name, span]));
    this.spans.push(spans);
    this.extensions.set(inputs.name, layered.model);
    this.findings.push(...findings);
    if (findings.length > 0) this.hashes[folder] = "has findings";
    this.phase(folder, "emit");
    await this.add(
      folder,
      emitExtension(layered, modules, this.chosen, await this.render(), (name) => spans.get(name)),
      `${folder}/`,
    );
  }

  /**
   * Generates the files of all revisions. They depend on every model, so they are reused only when all models are.
   * @param bases older neighbours that are not in the folder, for the steps to and from them
   */
  async shared(
    models: readonly ProtocolModel[],
    extensions: readonly ExtensionModel[],
    bases: readonly ModelInputs[],
    locate: Locate,
  ): Promise<void> {
    const choice = this.sharedChoice(models, bases);
    const { version } = packageRoot();
    const { name } = this;
    const needed = bases.filter(({ revision }) =>
      models.some((model) => choice.conversions.includes(model.revision) && model.conversions?.neighbour === revision),
    );
    const hashes = needed.map((base) => hashInputs(base, []));
    const hash = contentHash(JSON.stringify([name, choice, models, extensions, ...hashes]));
    this.hashes["shared"] = hash;
    if (await this.reuse("shared", hash)) return;
    const older = await Promise.all(needed.map((base) => readModel(base, (phase) => this.phase(base.revision, phase))));
    this.phase("shared", "emit");
    const { steps, findings } = buildSteps([...older.map(({ model }) => model), ...models], locate);
    const functions = customFunctionsFor(models, (revision) => !this.models.has(revision));
    const conversions = {
      steps: steps.filter(({ newer }) => choice.conversions.includes(newer)),
      customFunctions: functions.customFunctions,
    };
    const unsettled = [...findings, ...functions.findings];
    if (conversions.steps.length > 0 && unsettled.length > 0) {
      this.findings.push(...unsettled);
      this.hashes["shared"] = "has findings";
    }
    const place = (declaration: string): Span | undefined =>
      this.spans.find((spans) => spans.has(declaration))?.get(declaration);
    const files = emitShared(models, extensions, choice, conversions, { name, version }, await this.render(), place);
    await this.add("shared", files, "");
  }

  /** The shared files of a folder that has only extensions, which import the others from the published package. */
  async withoutRevisions(): Promise<void> {
    await this.add("shared", new Map([["package.json", privatePackage]]), "");
  }

  /** Revisions that stay unchanged keep the files that they import. */
  private sharedChoice(models: readonly ProtocolModel[], bases: readonly ModelInputs[]): SharedChoice {
    const ids = models.map(({ revision }) => revision);
    const neighbours = new Set([...ids, ...bases.map(({ revision }) => revision)]);
    const has = (id: string, output: Output, file: string): boolean =>
      this.models.has(id) ? this.chosen.has(output) : Object.hasOwn(this.manifest?.files ?? {}, file);
    return {
      methods: ids.filter((id) => has(id, "methods", methodsFile(id))),
      issues: ids.filter((id) => has(id, "issues", issuesFile(id))),
      conversions: models.flatMap(({ revision: id, conversions }) => {
        if (!neighbours.has(conversions?.neighbour ?? "")) return [];
        // An older neighbour that is added later also produces steps for a revision that stays unchanged.
        return this.chosen.has("conversions") || has(id, "conversions", conversionsFile(id)) ? [id] : [];
      }),
      standardSchemas: ids.filter((id) => has(id, "standard", standardSchemaFile(id))),
    };
  }

  /** Reuses a revision's files if its inputs, the generator and the files are unchanged since they were written. */
  private async reuse(revision: string, hash: string): Promise<boolean> {
    const { manifest, out, options, fingerprint } = this;
    if (
      options.check ||
      manifest?.generator !== packageRoot().version ||
      manifest.inputs[revision] !== hash ||
      !fingerprint.isCurrent(out)
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
      if (isExtensionFolder(revision)) {
        const read = JSON.parse(model) as ExtensionModel;
        this.extensions.set(read.name, read);
      } else this.models.set(revision, JSON.parse(model) as ProtocolModel);
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

/** All outputs. Only our own package includes the corpus, which is many times as large as the code. */
function defaultOutputs(ownPackage: boolean): readonly Output[] {
  return (Object.keys(outputs) as Output[]).filter((output) => ownPackage || output !== "corpus");
}

/** The folder of an extension in the output. */
export function extensionFolder(name: string): string {
  return `extensions/${name}`;
}

function isExtensionFolder(folder: string): boolean {
  return folder.startsWith("extensions/");
}

/** The revision, or folder of an extension, whose inputs determine a file, or `shared`. */
function ownerOf(path: string): string {
  const [folder = "", file] = path.split("/");
  if (isExtensionFolder(path)) return extensionFolder(file ?? "");
  const shared = [issuesFile, standardSchemaFile, conversionsFile, lossesFile].map((of) => of(folder));
  return file === undefined || shared.includes(path) ? "shared" : folder;
}
