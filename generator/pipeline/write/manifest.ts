import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../shared/is-object.js";
import { isOutputPath, manifestName } from "../../shared/files/output-path.js";

/** Incremented when older versions cannot read the format. */
const format = 1;

/**
 * The files that the generator wrote into a folder, and their inputs. From it, later runs know which files are ours.
 */
export interface Manifest {
  readonly format: typeof format;
  /** Version of mcpwright. */
  readonly generator: string;
  /** Number of the contract between generated code and runtime. */
  readonly contract: number;
  /** sha256 of all inputs, by revision, folder of an extension, or `shared`. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly revisions: readonly string[];
  /** The revisions whose schema did not come with the package; absent when there are none. */
  readonly handedIn?: readonly string[];
  /** The names of the extensions; absent when there are none. */
  readonly extensions?: readonly string[];
  /** sha256 of the content with LF line ends, by path relative to the folder. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Reads the manifest of an output folder. A foreign file with that name counts as absent.
 * @throws DiagnosticError manifest-malformed when it was ours and is no longer readable, manifest-newer
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, manifestName);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const manifest = parseManifest(text, path);
  if (!manifest && ["contract", "files", "generator", "inputs"].every((key) => text.includes(`"${key}":`)))
    fail("manifest-malformed", { path });
  return manifest;
}

/** @throws DiagnosticError manifest-newer when a later version wrote it in an unknown format */
export function parseManifest(text: string, path: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isManifest(value)) return value;
  if (isObject(value)) {
    const { format: later, generator, contract } = value;
    if (Number.isInteger(later) && Number(later) > format && typeof generator === "string" && contract !== undefined)
      fail("manifest-newer", { path, generator });
  }
  return undefined;
}

/** Keys are sorted at every level, so that equal manifests have equal text. */
export function printManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, (_, value: unknown) => (isObject(value) ? sortedByKey(value) : value), 2)}\n`;
}

function isManifest(value: unknown): value is Manifest {
  return (
    isObject(value) &&
    value["format"] === format &&
    typeof value["generator"] === "string" &&
    typeof value["contract"] === "number" &&
    isObject(value["inputs"]) &&
    Object.values(value["inputs"]).every((hash) => typeof hash === "string") &&
    isTexts(value["revisions"]) &&
    (value["handedIn"] === undefined || isTexts(value["handedIn"])) &&
    (value["extensions"] === undefined || isTexts(value["extensions"])) &&
    isObject(value["files"]) &&
    Object.entries(value["files"]).every(([path, hash]) => isOutputPath(path) && isHash(hash))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function sortedByKey(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
