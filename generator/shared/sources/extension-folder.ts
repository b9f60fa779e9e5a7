import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../diagnostics/diagnostic.js";
import type { ExtensionOverlayFile } from "../model/extension.js";
import { isExtensionId } from "./extension-id.js";
import { byAge, readLocation, readText, schemaFolder, type SchemaText } from "./schema-folder.js";

/** An extension of the package: a folder with its versions. */
export interface KnownExtension {
  /** The name of its folder and of its entry, such as `tasks`. */
  readonly name: string;
  readonly id: string;
  /** Texts that identify a schema which does not contain the id. */
  readonly recognizedBy: readonly string[];
  /** The newest version, as the folder in the package's schema folder. */
  readonly version: string;
}

/** The schema and the overlay of an extension. */
export interface ExtensionTexts {
  readonly schema: SchemaText;
  readonly overlay: { readonly file: string; readonly text: string };
}

/** The extensions of the package, by name. Those without a schema have only an overlay, for the schema that a user passes. */
export async function knownExtensions(folder = schemaFolder()): Promise<readonly KnownExtension[]> {
  const names = foldersIn(join(folder, "extensions"));
  return Promise.all(
    names.map(async (name) => {
      const version = newestVersion(name, folder);
      const file = overlayFile(name, version);
      const text = await readText(join(folder, file), `schema/${file}`);
      const { id, recognizedBy = [] } = JSON.parse(text) as Pick<ExtensionOverlayFile, "id" | "recognizedBy">;
      return { name, id, recognizedBy, version };
    }),
  );
}

/** The ids of the extensions of the package, by the names of their folders. */
export function knownExtensionIds(folder = schemaFolder()): readonly string[] {
  return foldersIn(join(folder, "extensions")).map((name) => {
    const version = newestVersion(name, folder);
    const text = readFileSync(join(folder, overlayFile(name, version)), "utf8");
    return (JSON.parse(text) as Pick<ExtensionOverlayFile, "id">).id;
  });
}

function newestVersion(name: string, folder: string): string {
  return [...foldersIn(join(folder, "extensions", name))].sort(byAge).at(-1) ?? "";
}

/** Whether the package has a schema of the extension. */
export function hasSchema({ name, version }: KnownExtension, folder = schemaFolder()): boolean {
  return existsSync(join(folder, "extensions", name, version, "schema.ts"));
}

export async function readKnownExtension(
  { name, version }: KnownExtension,
  folder = schemaFolder(),
): Promise<ExtensionTexts> {
  const path = `extensions/${name}/${version}/schema.ts`;
  const schema = { file: `schema/${path}`, text: await readText(join(folder, path), `schema/${path}`) };
  return { schema, overlay: await readKnownOverlay({ name, version }, folder) };
}

/** The overlay of an extension of the package. */
export async function readKnownOverlay(
  { name, version }: Pick<KnownExtension, "name" | "version">,
  folder = schemaFolder(),
): Promise<ExtensionTexts["overlay"]> {
  const path = overlayFile(name, version);
  return { file: `schema/${path}`, text: await readText(join(folder, path), `schema/${path}`) };
}

/**
 * Reads the schema of an extension that the user names: the id or short name of one of the package, a file, or a folder with `schema.ts` or
 * `schema.json`; with the overlay beside it, if there is one.
 * @throws DiagnosticError when there is no schema
 */
export async function readExtensionAt(
  location: string,
): Promise<Pick<ExtensionTexts, "schema"> & Partial<ExtensionTexts>> {
  const named = await namedExtension(location);
  if (named) return readKnownExtension(named);
  const file = extensionFile(location);
  const schema = await readLocation(file);
  if (schema.overlay !== undefined)
    return { schema, overlay: { file: join(dirname(file), "overlay.json"), text: schema.overlay } };
  return { schema };
}

/** The extension of the package whose id, or another text that identifies it, is in a schema. */
export async function recognizedExtension(schema: string): Promise<KnownExtension | undefined> {
  const known = await knownExtensions();
  return known.find(({ id, recognizedBy }) => [id, ...recognizedBy].some((text) => schema.includes(text)));
}

/**
 * The extension of the package with an id or a short name: that of its folder, or the part of its id after the slash. Undefined for other
 * names.
 * @throws DiagnosticError extension-ambiguous; extension-unknown for another id
 */
export async function extensionNamed(name: string, folder = schemaFolder()): Promise<KnownExtension | undefined> {
  const known = await knownExtensions(folder);
  const found = known.filter((one) => one.id === name || one.name === name || one.id.endsWith(`/${name}`));
  const [only, ...others] = found;
  if (others.length > 0) fail("extension-ambiguous", { name, ids: found.map(({ id }) => id).join(", ") });
  return only ?? (isExtensionId(name) ? unknownExtension(name, known) : undefined);
}

/** @throws DiagnosticError extension-unknown when the package does not have it; extension-ambiguous */
export async function knownExtension(name: string, folder = schemaFolder()): Promise<KnownExtension> {
  return (await extensionNamed(name, folder)) ?? unknownExtension(name, await knownExtensions(folder));
}

/**
 * The extension of the package that a user names where paths and URLs are also possible, for which it returns undefined. A path that
 * exists takes precedence.
 * @throws DiagnosticError extension-unknown, extension-ambiguous
 */
export async function namedExtension(location: string, folder = schemaFolder()): Promise<KnownExtension | undefined> {
  if (existsSync(location)) return undefined;
  return isExtensionId(location) || /^[a-z\d][\w-]*$/i.test(location) ? knownExtension(location, folder) : undefined;
}

function unknownExtension(id: string, known: readonly KnownExtension[]): never {
  return fail("extension-unknown", { id, known: known.map((one) => one.id).join(", ") });
}

/** The schema file of a location, which may be a folder. */
export function extensionFile(location: string): string {
  return isFolder(location) ? schemaIn(location) : location;
}

function overlayFile(name: string, version: string): string {
  return `extensions/${name}/${version}/overlay.json`;
}

function schemaIn(folder: string): string {
  const found = ["schema.ts", "schema.json"].map((name) => join(folder, name)).find((path) => existsSync(path));
  return found ?? join(folder, "schema.ts");
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
