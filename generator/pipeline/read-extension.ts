import { fail, type Diagnostic } from "../shared/diagnostics/diagnostic.js";
import { contentHash } from "../shared/files/content-hash.js";
import type { ProtocolModel } from "../shared/model/protocol.js";
import type { ExtensionModel, ExtensionOverlayFile } from "../shared/model/extension.js";
import type { Declaration } from "../shared/model/source.js";
import { isExtensionId } from "../shared/sources/extension-id.js";
import {
  hasSchema,
  knownExtensions,
  readExtensionAt,
  readKnownExtension,
  readKnownOverlay,
  recognizedExtension,
  type ExtensionTexts,
} from "../shared/sources/extension-folder.js";
import { isSchemaLocation, knownRevisions, type SchemaText } from "../shared/sources/schema-folder.js";
import { modelInputs, readImportedFiles } from "./load-model.js";
import { effectiveOverlay } from "./overlay/effective-overlay.js";
import { assertNames, nameOf, readExtensionOverlay, type ExtensionOverlay } from "./overlay/extension-overlay.js";
import { assertLaidOver, buildExtension, type BuiltExtension } from "./passes/build-extension.js";
import { readDocs } from "./passes/read-docs.js";
import { statedId, valueOf } from "./passes/stated-roles.js";
import { hashInputs, readLinked, readModel, readSchema, type ModelInputs } from "./read-model.js";

/** All inputs of an extension's model. */
export interface ExtensionInputs {
  readonly schema: SchemaText;
  readonly overlay: ExtensionOverlay;
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
  /**
   * The revision to lay it over, or path or URL of its schema. Default: the last one that its overlay states; without an overlay,
   * the newest of the package.
   */
  readonly over?: string;
  /** The id of the schema in `over`. Default: its LATEST_PROTOCOL_VERSION, or else the date in its folder's name. */
  readonly revision?: string;
  /** Paths or URLs of the files that the schema imports, by specifier. Default: none. */
  readonly imports?: Readonly<Record<string, string>>;
}

/** Collects the inputs of an extension that the user names. */
export async function extensionInputs({ extension, ...layer }: LoadExtensionOptions): Promise<ExtensionInputs> {
  return layeredInputs(await readExtensionAt(extension), layer);
}

/** Collects the other inputs of an extension whose schema is read, with the overlay beside it, if there is one. */
export async function layeredInputs(
  { schema, overlay: beside }: Pick<ExtensionTexts, "schema"> & Partial<ExtensionTexts>,
  { over, revision, imports = {} }: Omit<LoadExtensionOptions, "extension">,
): Promise<ExtensionInputs> {
  const files = await readImportedFiles(imports);
  const stated = statedId(await readSchema(schema));
  const id = stated && valueOf(stated);
  if (typeof id === "string" && !isExtensionId(id)) fail("extension-id-invalid", { id }, stated?.span);
  const layered = over === undefined ? undefined : await revisionAt(over, revision, imports);
  const facts = {
    ...(typeof id === "string" && { id }),
    over: [layered?.revision ?? knownRevisions().at(-1) ?? ""],
  };
  const written = beside ?? (stated ? undefined : await packageOverlay(schema));
  const overlay = written
    ? readExtensionOverlay(written.text, written.file, facts)
    : statedOverlay(stated, facts, schema.file);
  if (layered && !isSchemaLocation(over)) assertLaidOver(overlay, layered.revision);
  const base = layered ?? (await modelInputs({ revision: overlay.file.over.at(-1) ?? "" }));
  return { schema, overlay, name: nameOf(overlay.file), base, imports: files };
}

async function revisionAt(
  over: string,
  revision: string | undefined,
  imports: Readonly<Record<string, string>>,
): Promise<ModelInputs> {
  if (!isSchemaLocation(over)) return modelInputs({ revision: over });
  return modelInputs({ schema: over, imports, ...(revision !== undefined && { revision }) });
}

/** The overlay of the package for an extension that a schema mentions. */
async function packageOverlay({ text }: SchemaText): Promise<ExtensionTexts["overlay"] | undefined> {
  const known = await recognizedExtension(text);
  return known && readKnownOverlay(known);
}

/** The facts about an extension without an overlay. @throws DiagnosticError when its schema does not state an id, or an invalid one */
function statedOverlay(
  stated: Declaration | undefined,
  { id, over }: Partial<ExtensionOverlayFile> & Pick<ExtensionOverlayFile, "over">,
  path: string,
): ExtensionOverlay {
  if (!stated || id === undefined) return fail("extension-overlay-missing", { path }, stated?.span);
  const facts = { file: { id, over }, at: () => stated.span };
  assertNames(facts);
  return facts;
}

/** Collects the inputs of the extensions of the package that are laid over one of these revisions. */
export async function knownExtensionInputs(revisions: readonly string[]): Promise<readonly ExtensionInputs[]> {
  const known = (await knownExtensions()).filter((extension) => hasSchema(extension));
  const inputs = await Promise.all(
    known.map(async (extension): Promise<ExtensionInputs> => {
      const { schema, overlay: text } = await readKnownExtension(extension);
      const overlay = readExtensionOverlay(text.text, text.file);
      const base = await modelInputs({ revision: overlay.file.over.at(-1) ?? "" });
      return { schema, overlay, name: nameOf(overlay.file), base, imports: new Map() };
    }),
  );
  return inputs.filter(({ base }) => revisions.includes(base.revision));
}

export interface ReadExtension extends BuiltExtension {
  /** The revision that it is laid over. */
  readonly base: ProtocolModel;
}

/** READ, OVERLAY and PASSES for one extension. */
export async function readExtension(inputs: ExtensionInputs): Promise<ReadExtension> {
  const { base, imports, overlay } = inputs;
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
    JSON.stringify(inputs.overlay.file),
    ...[...inputs.imports].flatMap(([specifier, { text }]) => [specifier, text]),
    ...more,
  ];
  return contentHash(JSON.stringify(texts.map((text) => text.replaceAll("\r\n", "\n"))));
}
