import { join } from "node:path";
import { fail, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { contentHash } from "../../shared/files/content-hash.js";
import { realDisk, type Disk } from "../../shared/files/disk.js";
import type { FileDifference } from "../../shared/files/file-difference.js";
import type { ExtensionPins } from "../../shared/fidelity/pins.js";
import { notWritable } from "../../shared/files/file-errors.js";
import { isUrl } from "../../shared/sources/schema-folder.js";
import { generateFrom, type GenerateResult } from "../../pipeline/generate.js";
import type { GenerateOptions } from "../../pipeline/generate-options.js";
import { modelInputs } from "../../pipeline/load-model.js";
import { isExtensionOverlay, readExtensionOverlay } from "../../pipeline/overlay/extension-overlay.js";
import { layeredInputs, type LoadExtensionOptions } from "../../pipeline/read-extension.js";
import { assertRevision, readModel } from "../../pipeline/read-model.js";
import {
  extensionPinDifference,
  extensionPinOf,
  isExtensionPin,
  sha256Of,
  type VendoredExtensionPin,
  type VendoredExtensionPins,
} from "./extension-pin.js";
import { extensionSkeleton } from "./extension-skeleton.js";
import {
  packageExtensionPins,
  readExtensionSource,
  type ExtensionSource,
  type ExtensionSourceOptions,
} from "./extension-source.js";
import { placeAndGenerate, relocated } from "./place-and-generate.js";
import { placeSchemaFiles } from "./place-schema-files.js";
import { assertSchemaFolder, readOwn } from "./schema-target.js";
import { parsePins, pinFor, printVendorPins } from "./vendor-pin.js";

export interface VendorExtensionOptions extends ExtensionSourceOptions, Pick<LoadExtensionOptions, "imports"> {
  /** A revision of the package to lay it over. Default: the last one that its overlay states, or else the newest. */
  readonly over?: string;
  /** Schema folder; the extension is stored below its folder `extensions`. Default: `schema` in the working directory. */
  readonly to?: string;
  /** Output folder. Default: `generated` in the working directory. */
  readonly out?: string;
  /** The pins of known extensions. Default: the pins of the package. */
  readonly pins?: ExtensionPins;
  readonly onPhase?: NonNullable<GenerateOptions["onPhase"]>;
}

export interface VendorExtensionResult extends GenerateResult {
  /** The id of the extension. */
  readonly extension: string;
  readonly version: string;
  /** Path or URL of the source file. */
  readonly source: string;
  /** The path of the vendored schema, relative like `to`. */
  readonly file: string;
  /** The path of the overlay beside it. */
  readonly overlay: string;
  /**
   * The origin of the overlay: it was in the folder before, or beside the source file; it is that of the package; or it was
   * written from the schema, and the findings name the facts to check.
   */
  readonly overlayFrom: "folder" | "beside" | "package" | "schema";
  /** The pin that verified the file: the package's, the schema folder's, or none (pinned on first sight, or updated). */
  readonly pinnedBy: "package" | "folder" | "first sight" | "update";
  /** How the schema differs from the one that was in the folder; absent when it does not. */
  readonly changes?: string;
  /** sha256 of the file. */
  readonly sha256: string;
}

/**
 * Stores the schema of an extension, its pin and an overlay in a schema folder and generates from it. A schema that was
 * vendored before is updated; its overlay is kept.
 * @param disk for tests of failing disks
 * @throws DiagnosticError when anything fails; then neither folder was changed
 */
export async function vendorExtension(
  options: VendorExtensionOptions,
  disk: Disk = realDisk,
): Promise<VendorExtensionResult> {
  const { to = "schema", out = "generated", onPhase, over, imports } = options;
  assertSchemaFolder(to, out);
  const known = options.pins ?? (await packageExtensionPins());
  const source = await readExtensionSource(options, known);
  const { id, name, version, pinnedAs, text, file: from } = source;
  assertRevision(version);
  const pin = extensionPinOf(text, source.module, isUrl(from) ? from : undefined);
  const official = Object.values(known).some((one) => sha256Of(one) === sha256Of(pin));
  const pinned = pinnedAs === undefined ? undefined : known[pinnedAs];
  const differs = pinned && !official ? extensionPinDifference(pinned, pin) : undefined;
  if (differs !== undefined) fail("pin-mismatch", { path: from, revision: pinnedAs ?? id, changes: differs });

  const target = readExtensionTarget(to, name, version);
  const overlayFile = join(to, target.folder, "overlay.json");
  if (target.overlay !== undefined && isExtensionOverlay(target.overlay)) {
    const other = readExtensionOverlay(target.overlay, overlayFile).file.id;
    if (other !== id) fail("extension-collision", { part: `the folder ${target.folder}`, first: other, second: id });
  }
  const overlay = target.overlay ?? source.overlay?.text;
  const first = overlay === undefined ? await firstOverlay(source, over, overlayFile) : undefined;
  const stored = overlay ?? first?.text ?? "";
  const look = (): Plan => plan(to, source, pin, stored);
  const { changes, isPinned } = look();

  const file = join(to, target.folder, schemaName(source));
  const overlayRead = target.overlay === undefined ? (source.overlay?.file ?? overlayFile) : overlayFile;
  const inputs = await layeredInputs(
    // Until they are in place, errors name the files that were read.
    { schema: { file: from, text }, overlay: { file: overlayRead, text: stored } },
    { ...(over !== undefined && { over }), ...(imports && { imports }) },
  );
  const result = await placeAndGenerate(
    (stop) => placeSchemaFiles(to, () => look().differences, disk, stop),
    look().differences.length > 0,
    (hooks) =>
      generateFrom(inputs.base.fromPackage ? [] : [inputs.base], [inputs], { out, ...(onPhase && { onPhase }) }, hooks),
  );
  return {
    ...result,
    findings: [...(first?.findings ?? []), ...result.findings].map((finding) =>
      relocated(relocated(finding, from, file), overlayRead, overlayFile),
    ),
    extension: id,
    version,
    source: from,
    file,
    overlay: overlayFile,
    overlayFrom: target.overlay !== undefined ? "folder" : (source.overlay?.from ?? "schema"),
    pinnedBy: official ? "package" : changes !== undefined ? "update" : isPinned ? "folder" : "first sight",
    ...(changes !== undefined && { changes }),
    sha256: sha256Of(pin),
  };
}

/** The overlay that the schema suggests, for the newest revision unless the user names another. */
async function firstOverlay(
  { module, id }: ExtensionSource,
  over: string | undefined,
  file: string,
): Promise<{ readonly text: string; readonly findings: readonly Diagnostic[] }> {
  const inputs = await modelInputs(over === undefined ? {} : { revision: over });
  const { model } = await readModel(inputs);
  return extensionSkeleton(module, id, { base: model, isStated: over !== undefined }, file);
}

interface ExtensionTarget {
  readonly folder: string;
  readonly "schema.ts"?: string;
  readonly "schema.json"?: string;
  readonly overlay?: string;
  readonly pinsText?: string;
  readonly pins: VendoredExtensionPins;
}

const pinsFile = "extensions/pins.json";

function readExtensionTarget(to: string, name: string, version: string): ExtensionTarget {
  const folder = `extensions/${name}/${version}`;
  try {
    const [ts, json, overlay] = ["schema.ts", "schema.json", "overlay.json"].map((own) =>
      readOwn(to, `${folder}/${own}`),
    );
    const pinsText = readOwn(to, pinsFile);
    return {
      folder,
      ...(ts !== undefined && { "schema.ts": ts }),
      ...(json !== undefined && { "schema.json": json }),
      ...(overlay !== undefined && { overlay }),
      ...(pinsText !== undefined && { pinsText }),
      pins: pinsText === undefined ? {} : parsePins(pinsText, join(to, pinsFile), isExtensionPin),
    };
  } catch (error) {
    throw notWritable(to, error);
  }
}

interface Plan {
  readonly differences: readonly FileDifference[];
  readonly isPinned: boolean;
  readonly changes?: string;
}

/** What vendoring would change in the schema folder as it is now. */
function plan(to: string, source: ExtensionSource, pin: VendoredExtensionPin, overlay: string): Plan {
  const target = readExtensionTarget(to, source.name, source.version);
  const key = `${source.name}/${source.version}`;
  const pinned = pinFor(target.pins, key);
  const name = schemaName(source);
  for (const own of ["schema.ts", "schema.json"] as const) {
    const stored = target[own];
    // The user edited or wrote it.
    if (stored !== undefined && contentHash(stored) !== (pinned ?? pin)[own])
      fail("vendor-foreign", { path: join(to, target.folder, own) });
  }
  const changes = pinned && extensionPinDifference(pinned, pin);
  const added = (path: string, before: string | undefined, after: string): readonly FileDifference[] =>
    before === after ? [] : [{ path, kind: before === undefined ? "added" : "changed", after }];
  const other = name === "schema.ts" ? "schema.json" : "schema.ts";
  const isSame = pinned !== undefined && changes === undefined;
  return {
    isPinned: pinned !== undefined,
    ...(changes !== undefined && { changes }),
    differences: [
      ...added(`${target.folder}/${name}`, target[name], source.text),
      ...(target[other] === undefined ? [] : [{ path: `${target.folder}/${other}`, kind: "removed" as const }]),
      ...(target.overlay === undefined ? added(`${target.folder}/overlay.json`, undefined, overlay) : []),
      ...(isSame ? [] : added(pinsFile, target.pinsText, printVendorPins({ ...target.pins, [key]: pin }))),
    ],
  };
}

function schemaName({ module }: ExtensionSource): "schema.ts" | "schema.json" {
  return module.syntax === "json-schema" ? "schema.json" : "schema.ts";
}
