import type { Diagnostic } from "../shared/diagnostics/diagnostic.js";
import { contentHash } from "../shared/files/content-hash.js";
import type { ProtocolModel } from "../shared/model/protocol.js";
import type { ExtensionModel } from "../shared/model/extension.js";
import {
  hasSchema,
  knownExtensions,
  readExtensionAt,
  readKnownExtension,
  type ExtensionTexts,
} from "../shared/sources/extension-folder.js";
import { isSchemaLocation, type SchemaText } from "../shared/sources/schema-folder.js";
import { modelInputs, readImportedFiles } from "./load-model.js";
import { effectiveOverlay } from "./overlay/effective-overlay.js";
import { nameOf, readExtensionOverlay } from "./overlay/extension-overlay.js";
import { assertLaidOver, buildExtension, type BuiltExtension } from "./passes/build-extension.js";
import { readDocs } from "./passes/read-docs.js";
import { hashInputs, readLinked, readModel, readSchema, type ModelInputs } from "./read-model.js";

/** All inputs of an extension's model. */
export interface ExtensionInputs extends ExtensionTexts {
  /** The name of its folder. */
  readonly name: string;
  /** The revision that it is laid over. */
  readonly base: ModelInputs;
  /** The files that the schema imports, by specifier; other imports mean the revision. */
  readonly imports: ReadonlyMap<string, SchemaText>;
}

export interface LoadExtensionOptions {
  /** Path or URL of the schema of an extension, or of the folder with its schema and overlay. */
  readonly extension: string;
  /** The revision to lay it over, or path or URL of its schema. Default: the last one that its overlay states. */
  readonly over?: string;
  /** The id of the schema in `over`. Default: its LATEST_PROTOCOL_VERSION, or else the date in its folder's name. */
  readonly revision?: string;
  /** Paths or URLs of the files that the schema imports, by specifier. Default: none. */
  readonly imports?: Readonly<Record<string, string>>;
}

/** Collects the inputs of an extension that the user names. */
export async function extensionInputs({
  extension,
  over,
  revision,
  imports = {},
}: LoadExtensionOptions): Promise<ExtensionInputs> {
  const texts = await readExtensionAt(extension);
  const files = await readImportedFiles(imports);
  if (over === undefined || !isSchemaLocation(over)) return withBase(texts, over, files);
  const overlay = readExtensionOverlay(texts.overlay.text, texts.overlay.file);
  const base = await modelInputs({ schema: over, imports, ...(revision !== undefined && { revision }) });
  return { ...texts, name: nameOf(overlay.file), base, imports: files };
}

/** Collects the inputs of the extensions of the package that are laid over one of these revisions. */
export async function knownExtensionInputs(revisions: readonly string[]): Promise<readonly ExtensionInputs[]> {
  const known = (await knownExtensions()).filter((extension) => hasSchema(extension));
  const inputs = await Promise.all(
    known.map(async (extension) => withBase(await readKnownExtension(extension), undefined, new Map())),
  );
  return inputs.filter(({ base }) => revisions.includes(base.revision));
}

async function withBase(
  texts: ExtensionTexts,
  over: string | undefined,
  imports: ReadonlyMap<string, SchemaText>,
): Promise<ExtensionInputs> {
  const overlay = readExtensionOverlay(texts.overlay.text, texts.overlay.file);
  const revision = over ?? overlay.file.over.at(-1) ?? "";
  assertLaidOver(overlay, revision);
  return { ...texts, name: nameOf(overlay.file), base: await modelInputs({ revision }), imports };
}

export interface ReadExtension extends BuiltExtension {
  /** The revision that it is laid over. */
  readonly base: ProtocolModel;
}

/** READ, OVERLAY and PASSES for one extension. */
export async function readExtension(inputs: ExtensionInputs): Promise<ReadExtension> {
  const { base, imports } = inputs;
  const overlay = readExtensionOverlay(inputs.overlay.text, inputs.overlay.file);
  const [own, module, { model }] = await Promise.all([
    readSchema(inputs.schema),
    readLinked(base.schema, base.imports),
    readModel(base),
  ]);
  const files = new Map(
    await Promise.all([...imports].map(async ([specifier, text]) => [specifier, await readSchema(text)] as const)),
  );
  const revisions = base.overlays.map(({ revision }) => revision);
  const built = buildExtension(
    own,
    overlay,
    {
      model,
      module,
      overlay: effectiveOverlay(base.revision, base.overlays),
      docs: readDocs(base.docs.text, base.docs.file, revisions),
    },
    (specifier) => files.get(specifier),
  );
  return { ...built, base: model };
}

/**
 * Reads the schema of an extension and builds its model without writing anything.
 * @throws DiagnosticError when an input or an overlay is invalid
 */
export async function loadExtension(
  options: LoadExtensionOptions,
): Promise<{ readonly model: ExtensionModel; readonly findings: readonly Diagnostic[] }> {
  const { layered, findings } = await readExtension(await extensionInputs(options));
  return { model: layered.model, findings };
}

/** sha256 of all inputs of an extension's model. */
export function hashExtensionInputs(inputs: ExtensionInputs, more: readonly string[]): string {
  const texts = [
    hashInputs(inputs.base, []),
    inputs.schema.text,
    inputs.overlay.text,
    ...[...inputs.imports].flatMap(([specifier, { text }]) => [specifier, text]),
    ...more,
  ];
  return contentHash(JSON.stringify(texts.map((text) => text.replaceAll("\r\n", "\n"))));
}
