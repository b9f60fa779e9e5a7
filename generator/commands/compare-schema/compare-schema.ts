import { readCorrections } from "../../shared/fidelity/corrections.js";
import type { Pins } from "../../shared/fidelity/pins.js";
import { effectiveOverlay } from "../../pipeline/overlay/effective-overlay.js";
import { readSchema } from "../../pipeline/read-model.js";
import { knownRevisions, readLocation, readOverlays } from "../../shared/sources/schema-folder.js";
import { compareModules, countExplanations, type KnownFacts } from "./compare-modules.js";
import type { ReadSchema, SchemaPair } from "./official-pair.js";
import type { CompareSchemaReport } from "./compare-schema-report.js";

/** Which two files are compared: any pair, or the published one of a revision. */
export type CompareSchemaOptions = CompareSchemaFilesOptions | CompareSchemaRevisionOptions;

export interface CompareSchemaFilesOptions {
  /** Path or URL of a schema.ts or .d.ts. */
  readonly schemaTs: string;
  /** Path or URL of the schema.json that was made of it. */
  readonly schemaJson: string;
}

export interface CompareSchemaRevisionOptions {
  /** A revision that comes with the package. */
  readonly revision: string;
  /** Where `<commit>/schema/<revision>/schema.ts` is served; the specification's repository by default. */
  readonly baseUrl?: string;
  /** What the files have to be; by default the pins that come with the package. */
  readonly pins?: Pins;
}

/**
 * Tells what a schema.json says otherwise than the schema.ts it was made of, type by type, and which lossy rule or
 * erratum explains it.
 * @throws DiagnosticError when a file cannot be read, or is not the one that is pinned
 */
export async function compareSchema(options: CompareSchemaOptions): Promise<CompareSchemaReport> {
  const { ts, json } = await readPair(options);
  const revision = "revision" in options ? options.revision : declaredRevision(ts);
  const findings = compareModules(ts.module, json.module, await knownFacts(revision));
  return {
    format: 1,
    ...(revision !== undefined && { revision }),
    files: { ts: ts.file, json: json.file },
    findings,
    counts: countExplanations(findings),
    explained: findings.every(({ explanation }) => explanation.kind !== "unexplained"),
  };
}

async function readPair(options: CompareSchemaOptions): Promise<SchemaPair> {
  if ("revision" in options) {
    // Pins need the reader of TypeScript, which is slow to load.
    const { fetchOfficialPair, readPackagePins } = await import("./official-pair.js");
    return fetchOfficialPair(options.revision, options.pins ?? (await readPackagePins()), options.baseUrl);
  }
  const read = async (location: string): Promise<ReadSchema> => {
    const schema = await readLocation(location);
    return { ...schema, module: await readSchema(schema) };
  };
  const [ts, json] = await Promise.all([read(options.schemaTs), read(options.schemaJson)]);
  return { ts, json };
}

function declaredRevision({ module }: ReadSchema): string | undefined {
  const constant = module.declarations.find(({ name }) => name === "LATEST_PROTOCOL_VERSION");
  return constant?.kind === "constant" && typeof constant.value === "string" ? constant.value : undefined;
}

/** Errata and prose count for the revisions that come with the package. */
async function knownFacts(revision: string | undefined): Promise<KnownFacts> {
  if (revision === undefined || !knownRevisions().includes(revision)) return { integers: new Set() };
  const corrections = await readCorrections(revision);
  const { integers } = effectiveOverlay(revision, await readOverlays());
  return { integers: new Set(integers.keys()), ...(corrections && { corrections }) };
}
