import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readCustomFunctions } from "./custom-functions.js";
import { fail } from "../diagnostics/diagnostic.js";
import { fetchText } from "./fetch-text.js";
import type { OverlayText } from "./overlay-text.js";
import { packageRoot } from "../package-root.js";

/** The text of a schema and its name in diagnostics. */
export interface SchemaText {
  readonly file: string;
  readonly text: string;
  /** The overlay next to the file, if there is one. */
  readonly overlay?: string;
  /** The functions in `conversions/` next to the file, by name. */
  readonly customFunctions?: ReadonlyMap<string, string>;
}

const maxBytes = 8_000_000;

/** The schemas of the package, by revision, oldest first. */
export function knownRevisions(folder = schemaFolder()): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "schema.ts")))
    .map(({ name }) => name)
    .sort(byAge);
}

/** Dates sort by age; ids that are not dates come after all dates. */
export function byAge(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether an id is a date. Published revisions are named by their date; drafts and other protocols are not. */
export function isDate(revision: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(revision);
}

export function schemaFolder(): string {
  return join(packageRoot().folder, "schema");
}

export async function readKnown(revision: string, folder = schemaFolder()): Promise<SchemaText> {
  const file = `schema/${revision}/schema.ts`;
  return { file, text: await readText(join(folder, revision, "schema.ts"), file) };
}

/** All overlay files of the package, oldest first. */
export async function readOverlays(folder = schemaFolder()): Promise<readonly OverlayText[]> {
  const found = knownRevisions(folder).filter((revision) => existsSync(join(folder, revision, "overlay.json")));
  return Promise.all(
    found.map(async (revision) => {
      const file = `schema/${revision}/overlay.json`;
      return { revision, file, text: await readText(join(folder, revision, "overlay.json"), file) };
    }),
  );
}

export async function readDocsText(folder = schemaFolder()): Promise<{ readonly file: string; readonly text: string }> {
  return { file: "schema/docs.json", text: await readText(join(folder, "docs.json"), "schema/docs.json") };
}

/**
 * Reads a schema that the user names, with the `overlay.json` next to it.
 * @param location a path or an http(s) URL
 * @throws DiagnosticError when it cannot be read, is too large, or is neither TypeScript nor JSON
 */
export async function readLocation(location: string): Promise<SchemaText> {
  if (isUrl(location)) return readUrl(new URL(location));
  const name = basename(location);
  if (!isSchemaName(name)) fail("input-type-unknown", { path: location });
  const text = await readText(location, location);
  const beside = join(dirname(location), "overlay.json");
  return {
    file: location,
    text,
    ...(name !== "overlay.json" && existsSync(beside) && { overlay: await readText(beside, beside) }),
    ...customFunctionsBeside(location),
  };
}

/** The functions in `conversions/` next to a schema. */
export function customFunctionsBeside(schema: string): Pick<SchemaText, "customFunctions"> {
  const folder = join(dirname(schema), "conversions");
  return existsSync(folder) && statSync(folder).isDirectory() ? { customFunctions: readCustomFunctions(folder) } : {};
}

export function isUrl(location: string): boolean {
  return /^https?:\/\//.test(location) && URL.canParse(location);
}

/** Whether a text names a schema file, not a revision. */
export function isSchemaLocation(text: string | undefined): boolean {
  return text !== undefined && (isUrl(text) || isSchemaName(text));
}

function isSchemaName(name: string): boolean {
  return /\.(ts|mts|cts|json)$/.test(name);
}

/** The name of a URL in messages, without its user, password and query, which may be secret. */
async function readUrl(url: URL): Promise<SchemaText> {
  const file = url.origin + url.pathname;
  if (!isSchemaName(url.pathname)) fail("input-type-unknown", { path: file });
  const text = await fetchText(url, {
    maxBytes,
    timeoutMs: 30_000,
    refusesDowngrades: false,
    notFound: (reason) => fail("input-not-found", { path: file, reason }),
    tooLarge: () =>
      fail("input-too-large", { bytes: `more than ${maxBytes}`, limit: maxBytes }, { file, line: 1, column: 1 }),
  });
  return { file, text };
}

/** @throws DiagnosticError when the file cannot be read, or is larger than any schema */
export async function readText(path: string, shown: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > maxBytes)
      fail("input-too-large", { bytes: bytes.length, limit: maxBytes }, { file: shown, line: 1, column: 1 });
    return bytes.toString("utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) fail("input-not-found", { path: shown, reason: String(error.code) });
    throw error;
  }
}
