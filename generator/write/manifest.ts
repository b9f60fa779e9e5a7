import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../diagnostics/diagnostic.js";
import { isOutputPath, manifestName } from "./output-path.js";

/** What the generator wrote into a folder, and from what: the list by which it later knows its own files. */
export interface Manifest {
  readonly format: 1;
  /** Version of mcpwright. */
  readonly generator: string;
  /** Number of the contract between generated code and runtime. */
  readonly contract: number;
  /** sha256 of all inputs, by revision or `shared`. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly revisions: readonly string[];
  /** sha256 of the content with LF line ends, by path relative to the folder. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The manifest of an output folder; a file of others with that name counts as none.
 * @throws DiagnosticError manifest-malformed when it was ours and cannot be read any more
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, manifestName);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const manifest = parseManifest(text);
  if (!manifest && ["contract", "files", "generator", "inputs"].every((key) => text.includes(`"${key}":`)))
    fail("manifest-malformed", { path });
  return manifest;
}

export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Keys are sorted at every level, so that equal manifests are equal texts. */
export function printManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, (_, value: unknown) => (isRecord(value) ? sortedByKey(value) : value), 2)}\n`;
}

function isManifest(value: unknown): value is Manifest {
  return (
    isRecord(value) &&
    value["format"] === 1 &&
    typeof value["generator"] === "string" &&
    typeof value["contract"] === "number" &&
    isRecord(value["inputs"]) &&
    Object.values(value["inputs"]).every((hash) => typeof hash === "string") &&
    Array.isArray(value["revisions"]) &&
    value["revisions"].every((revision) => typeof revision === "string") &&
    isRecord(value["files"]) &&
    Object.entries(value["files"]).every(([path, hash]) => isOutputPath(path) && isHash(hash))
  );
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortedByKey(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
