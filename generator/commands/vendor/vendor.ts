import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { generateFrom, type GenerateResult } from "../../pipeline/generate.js";
import type { GenerateOptions } from "../../pipeline/generate-options.js";
import { readImportedFiles } from "../../pipeline/load-model.js";
import { assertRevision, overlaysFor } from "../../pipeline/read-model.js";
import { customFunctionsBeside, readDocsText, readOverlays, schemaFolder } from "../../shared/sources/schema-folder.js";
import { contentHash } from "../../shared/files/content-hash.js";
import { realDisk, type Disk } from "../../shared/files/disk.js";
import type { FileDifference } from "../../shared/files/file-difference.js";
import { officialUrl, readOfficial, type OfficialFile } from "./official-file.js";
import { placeAndGenerate, relocated } from "./place-and-generate.js";
import { placeSchemaFiles } from "./place-schema-files.js";
import { assertSchemaFolder, readTarget, type SchemaTarget } from "./schema-target.js";
import { pinDifference, pinFor, pinOf, printVendorPins, type VendorPin, type VendorPins } from "./vendor-pin.js";

export interface VendorOptions {
  readonly revision: string;
  /** Path or URL of its schema.ts. Default: the specification's repository, at the pinned commit if there is one. */
  readonly from?: string;
  /** Paths or URLs of the files that the schema imports, by specifier. They are not stored. Default: none. */
  readonly imports?: Readonly<Record<string, string>>;
  /** Schema folder. Default: `schema` in the working directory. */
  readonly to?: string;
  /** Output folder. Default: `generated` in the working directory. */
  readonly out?: string;
  /** The pins of known revisions. Default: the pins of the package. */
  readonly pins?: VendorPins;
  /** Base URL of the raw files of the specification's repository. Default: GitHub. */
  readonly baseUrl?: string;
  readonly onPhase?: NonNullable<GenerateOptions["onPhase"]>;
}

export interface VendorResult extends GenerateResult {
  /** Path or URL of the source file. */
  readonly source: string;
  /** The path of the vendored schema.ts, relative like `to`. */
  readonly file: string;
  /** The pin that verified the file: the package's, the schema folder's, or none (pinned on first sight). */
  readonly pinnedBy: "package" | "folder" | "first sight";
  /** sha256 of the file. */
  readonly sha256: string;
}

/**
 * Stores an official schema.ts and its pin in a schema folder and generates from it.
 * @param disk for tests of failing disks
 * @throws DiagnosticError when anything fails; then neither folder was changed
 */
export async function vendor(options: VendorOptions, disk: Disk = realDisk): Promise<VendorResult> {
  const { revision, onPhase } = options;
  assertRevision(revision);
  const { to = "schema", out = "generated" } = options;
  assertSchemaFolder(to, out);
  readTarget(to, revision);

  const known = pinFor(options.pins ?? (await packagePins()), revision);
  const official = await readOfficial(options.from ?? officialUrl(revision, known?.commit, options.baseUrl), revision);
  const pin = pinOf(official.text, official.module, known?.commit);
  if (known) holdAgainstPackage(known, pin, revision, official.source);
  const look = (): Look => plan(to, revision, official, pin);
  const { target, pinned } = look();

  const file = join(to, revision, "schema.ts");
  const inputs = {
    revision,
    // Until it is in place, errors name the file that was read.
    schema: { file: official.source, text: official.text, ...customFunctionsBeside(file) },
    overlays: overlaysFor(
      revision,
      { file, text: official.text, ...(target.overlay !== undefined && { overlay: target.overlay }) },
      await readOverlays(),
    ),
    docs: await readDocsText(),
    imports: await readImportedFiles(options.imports ?? {}),
  };
  const result = await placeAndGenerate(
    (stop) => placeSchemaFiles(to, () => look().differences, disk, stop),
    look().differences.length > 0,
    (hooks) => generateFrom([inputs], [], { out, ...(onPhase && { onPhase }) }, hooks),
  );
  return {
    ...result,
    findings: result.findings.map((finding) => relocated(finding, official.source, file)),
    source: official.source,
    file,
    pinnedBy: known ? "package" : pinned ? "folder" : "first sight",
    sha256: pin["schema.ts"],
  };
}

async function packagePins(): Promise<VendorPins> {
  return JSON.parse(await readFile(join(schemaFolder(), "pins.json"), "utf8")) as VendorPins;
}

function holdAgainstPackage(known: VendorPin, found: VendorPin, revision: string, path: string): void {
  const changes = pinDifference(known, found);
  if (changes !== undefined) fail("pin-mismatch", { path, revision, changes });
}

interface Look {
  readonly target: SchemaTarget;
  readonly pinned: boolean;
  readonly differences: readonly FileDifference[];
}

/** What vendoring would change in the schema folder as it is now. */
function plan(to: string, revision: string, { text, source }: OfficialFile, pin: VendorPin): Look {
  const target = readTarget(to, revision);
  const pinned = pinFor(target.pins, revision);
  if (target.schema !== undefined && contentHash(target.schema) !== (pinned ?? pin)["schema.ts"])
    fail("vendor-foreign", { path: join(to, revision, "schema.ts") });
  const changes = pinned && pinDifference(pinned, pin);
  if (changes !== undefined) fail("pin-changed", { path: source, pins: join(to, "pins.json"), revision, changes });

  const schema: FileDifference = { path: `${revision}/schema.ts`, kind: "added", after: text };
  const pins: FileDifference = {
    path: "pins.json",
    kind: target.pinsText === undefined ? "added" : "changed",
    after: printVendorPins({ ...target.pins, [revision]: pin }),
  };
  return {
    target,
    pinned: pinned !== undefined,
    differences: [...(target.schema === undefined ? [schema] : []), ...(pinned === undefined ? [pins] : [])],
  };
}
