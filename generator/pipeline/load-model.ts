import { fail, type Diagnostic } from "../shared/diagnostics/diagnostic.js";
import { readCorrections } from "../shared/fidelity/corrections.js";
import type { ProtocolModel } from "../shared/model/protocol.js";
import { overlaysFor, readModel, revisionOf, type ModelInputs } from "./read-model.js";
import {
  knownRevisions,
  readDocsText,
  readKnown,
  readLocation,
  readOverlays,
  type SchemaText,
} from "../shared/sources/schema-folder.js";

export interface LoadModelOptions {
  /** A revision of the package or, together with `schema`, the id of that file. */
  readonly revision?: string;
  /** Path or URL of a schema.ts, .d.ts or schema.json. */
  readonly schema?: string;
  /** Paths or URLs of the files that `schema` imports, by specifier. Default: none. */
  readonly imports?: Readonly<Record<string, string>>;
}

/**
 * Reads a schema and builds its model without writing anything.
 * @throws DiagnosticError when an input or an overlay is invalid
 */
export async function loadModel(
  options: LoadModelOptions,
): Promise<{ readonly model: ProtocolModel; readonly findings: readonly Diagnostic[] }> {
  const { model, findings } = await readModel(await modelInputs(options));
  return { model, findings };
}

/** Collects the inputs of a model. */
export async function modelInputs({ revision, schema, imports = {} }: LoadModelOptions): Promise<ModelInputs> {
  const [overlays, docs, imported] = await Promise.all([readOverlays(), readDocsText(), readImportedFiles(imports)]);
  if (schema !== undefined) {
    const text = await readLocation(schema);
    const id = await revisionOf(text, revision);
    const corrections = text.file.endsWith(".json") ? await readCorrections(id) : undefined;
    const lost = corrections && { schema: await readKnown(id), corrections };
    return {
      revision: id,
      schema: text,
      overlays: overlaysFor(id, text, overlays),
      docs,
      ...(imported.size > 0 && { imports: imported }),
      ...(lost && { lost }),
    };
  }
  const known = knownRevisions();
  const id = revision ?? known.at(-1) ?? "";
  if (!known.includes(id)) fail("revision-unknown", { revision: id, known: known.join(", ") });
  return { revision: id, schema: await readKnown(id), overlays, docs, fromPackage: true };
}

/** The texts of the files that a schema imports, by specifier. */
export async function readImportedFiles(
  imports: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, SchemaText>> {
  return new Map(
    await Promise.all(
      Object.entries(imports).map(async ([specifier, location]) => [specifier, await readLocation(location)] as const),
    ),
  );
}
