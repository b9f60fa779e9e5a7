import { readCorrections } from "../../shared/fidelity/corrections.js";
import type { ExtensionPins, Pins } from "../../shared/fidelity/pins.js";
import { zodRules } from "../../shared/fidelity/zod-rules.js";
import { effectiveOverlay } from "../../pipeline/overlay/effective-overlay.js";
import { readImportedFiles } from "../../pipeline/load-model.js";
import { readLinked } from "../../pipeline/read-model.js";
import { knownExtension } from "../../shared/sources/extension-folder.js";
import { knownRevisions, readLocation, readOverlays } from "../../shared/sources/schema-folder.js";
import { compareModules, countExplanations, type KnownFacts } from "./compare-modules.js";
import type { ReadSchema, SchemaPair } from "./official-pair.js";
import type { CompareSchemaReport } from "./compare-schema-report.js";

/** The two files to compare: any pair, the published pair of a revision or extension, or our schema of an extension and a file. */
export type CompareSchemaOptions =
  CompareSchemaFilesOptions | CompareSchemaRevisionOptions | CompareSchemaExtensionOptions;

export interface CompareSchemaFilesOptions {
  /** Path or URL of a schema.ts or .d.ts. */
  readonly schemaTs: string;
  /** Path or URL of the schema.json that was generated from it. */
  readonly schemaJson: string;
  /** Paths or URLs of the files that schema.ts imports, by specifier. Default: none. */
  readonly imports?: Readonly<Record<string, string>>;
}

export interface CompareSchemaRevisionOptions {
  /** A revision of the package. */
  readonly revision: string;
  /** Where `<commit>/schema/<revision>/schema.ts` is served; Default: the specification's repository. */
  readonly baseUrl?: string;
  /** The pins of the files. Default: those of the package. */
  readonly pins?: Pins;
}

export interface CompareSchemaExtensionOptions {
  /** The id or short name of an extension of the package. */
  readonly extension: string;
  /**
   * Path or URL of a schema.ts or schema.json to compare with mcpwright's schema of the extension. Default: the published
   * schema.json is compared with the published schema.ts; without a published schema.json, the schema.ts with mcpwright's.
   */
  readonly schema?: string;
  /** The pins of the published files. Default: those of the package. */
  readonly pins?: ExtensionPins;
}

/**
 * Compares a schema.json with the schema.ts it was generated from, type by type, and explains each difference by a lossy
 * rule or an erratum.
 * @throws DiagnosticError when a file cannot be read, or differs from its pin
 */
export async function compareSchema(options: CompareSchemaOptions): Promise<CompareSchemaReport> {
  const { ts, json } = await readPair(options);
  const revision = "revision" in options ? options.revision : declaredRevision(ts);
  const extension = "extension" in options ? (await knownExtension(options.extension)).id : undefined;
  const known = extension === undefined ? await knownFacts(revision) : extensionFacts(json);
  const findings = compareModules(ts.module, json.module, known);
  return {
    format: 1,
    ...(extension !== undefined ? { extension } : revision !== undefined && { revision }),
    files: { ts: ts.file, json: json.file },
    findings,
    counts: countExplanations(findings),
    explained: findings.every(({ explanation }) => explanation.kind !== "unexplained"),
  };
}

async function readPair(options: CompareSchemaOptions): Promise<SchemaPair> {
  if ("revision" in options) {
    // Pins require the TypeScript reader, which is slow to load.
    const { fetchOfficialPair, readPackagePins } = await import("./official-pair.js");
    return fetchOfficialPair(options.revision, options.pins ?? (await readPackagePins()), options.baseUrl);
  }
  if ("extension" in options) {
    const { readExtensionPair, readExtensionPins } = await import("./extension-pair.js");
    return readExtensionPair(options.extension, options.schema, options.pins ?? (await readExtensionPins()));
  }
  const imports = await readImportedFiles(options.imports ?? {});
  const read = async (location: string): Promise<ReadSchema> => {
    const schema = await readLocation(location);
    return { ...schema, module: await readLinked(schema, imports) };
  };
  const [ts, json] = await Promise.all([read(options.schemaTs), read(options.schemaJson)]);
  return { ts, json };
}

function declaredRevision({ module }: ReadSchema): string | undefined {
  const constant = module.declarations.find(({ name }) => name === "LATEST_PROTOCOL_VERSION");
  return constant?.kind === "constant" && typeof constant.value === "string" ? constant.value : undefined;
}

/** Another printer makes the schema.json files of extensions. */
function extensionFacts({ module }: ReadSchema): KnownFacts {
  return { integers: new Set(), rules: module.syntax === "json-schema" ? zodRules : [] };
}

/** Errata and prose apply to the revisions of the package. */
async function knownFacts(revision: string | undefined): Promise<KnownFacts> {
  if (revision === undefined || !knownRevisions().includes(revision)) return { integers: new Set() };
  const corrections = await readCorrections(revision);
  const { integers } = effectiveOverlay(revision, await readOverlays());
  return { integers: new Set(integers.keys()), ...(corrections && { corrections }) };
}
