import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { ExtensionPins } from "../../shared/fidelity/pins.js";
import { withLf } from "../../shared/files/content-hash.js";
import type { SourceModule } from "../../shared/model/source.js";
import {
  extensionFile,
  namedExtension,
  readKnownOverlay,
  recognizedExtension,
  type KnownExtension,
} from "../../shared/sources/extension-folder.js";
import { isExtensionId } from "../../shared/sources/extension-id.js";
import { isDate, readLocation, schemaFolder } from "../../shared/sources/schema-folder.js";
import { nameOf, readExtensionOverlay } from "../../pipeline/overlay/extension-overlay.js";
import { statedId, valueOf } from "../../pipeline/passes/stated-roles.js";
import { readSchema } from "../../pipeline/read-model.js";
import { extensionIdOf } from "./extension-id-of.js";

/** The schema of an extension as it was published. */
export interface ExtensionSource {
  /** Path or URL, without credentials. */
  readonly file: string;
  /** With LF line ends. */
  readonly text: string;
  readonly module: SourceModule;
  readonly id: string;
  /** The name of its folder. */
  readonly name: string;
  /** The name of the folder below it. */
  readonly version: string;
  /** The overlay beside the file, or else that of the package; absent when a first one has to be written. */
  readonly overlay?: { readonly from: "beside" | "package"; readonly file: string; readonly text: string };
  /** The pin of the package, for an extension that the user names by its id. */
  readonly pinnedAs?: string;
}

export interface ExtensionSourceOptions {
  /** Path or URL of the schema, folder of the schema, or id or short name of an extension of the package. */
  readonly extension: string;
  /** The id of the extension. Default: the one that an overlay, the schema, or mcpwright states. */
  readonly id?: string;
  /** The version. Default: the one that the schema declares, or the name of its folder if it is a date, or else `draft`. */
  readonly version?: string;
}

/** @throws DiagnosticError when it cannot be read, or has no id */
export async function readExtensionSource(
  { extension, id: stated, version }: ExtensionSourceOptions,
  pins: ExtensionPins,
): Promise<ExtensionSource> {
  const named = await namedExtension(extension);
  const pinnedAs = named && `${named.name}/${named.version}`;
  const location = pinnedAs === undefined ? extensionFile(extension) : sourceOf(pinnedAs, pins);
  const read = await readLocation(location);
  const text = withLf(read.text);
  // Some servers return an HTML page for every URL; one message is clearer than its syntax errors.
  if (/^\s*</.test(text)) fail("vendor-not-schema", { path: read.file });
  const { overlay: beside, file } = read;
  const module = await readSchema({ file, text });
  const besideFile = join(dirname(file), "overlay.json");
  const own = beside === undefined ? undefined : readExtensionOverlay(beside, besideFile).file;
  const constant = statedId(module);
  const declared = own?.id ?? named?.id ?? (constant && String(valueOf(constant)));
  if (stated !== undefined && declared !== undefined && stated !== declared)
    fail("extension-id-other", { path: file, declared, id: stated });
  const known = own ? undefined : (named ?? (declared === undefined ? await recognizedAs(stated, text) : undefined));
  const id = declared ?? stated ?? known?.id ?? extensionIdOf(text, module);
  if (!isExtensionId(id)) fail("extension-id-invalid", { id }, constant?.span);
  const overlay =
    beside === undefined ? await overlayOf(known) : ({ from: "beside", file: besideFile, text: beside } as const);
  return {
    file,
    text,
    module,
    id,
    name: nameOf(own ?? known ?? { id }),
    version: version ?? declaredVersion(module) ?? folderVersion(file) ?? named?.version ?? "draft",
    ...(overlay && { overlay }),
    ...(pinnedAs !== undefined && { pinnedAs }),
  };
}

/** The pins of the package's extensions. */
export async function packageExtensionPins(): Promise<ExtensionPins> {
  return JSON.parse(await readFile(join(schemaFolder(), "extensions", "pins.json"), "utf8")) as ExtensionPins;
}

function sourceOf(id: string, pins: ExtensionPins): string {
  return pins[id]?.source ?? fail("extension-source-unknown", { id });
}

/** The extension of the package that a schema states; a schema with another id can mention it. */
async function recognizedAs(id: string | undefined, schema: string): Promise<KnownExtension | undefined> {
  const known = await recognizedExtension(schema);
  return id === undefined || id === known?.id ? known : undefined;
}

/** Texts that identify a schema are for the package only. */
async function overlayOf(known: KnownExtension | undefined): Promise<ExtensionSource["overlay"]> {
  if (!known) return undefined;
  const { file, text } = await readKnownOverlay(known);
  const { recognizedBy: _, ...overlay } = JSON.parse(text) as Record<string, unknown>;
  return { from: "package", file, text: `${JSON.stringify(overlay, null, 2)}\n` };
}

function declaredVersion({ declarations }: SourceModule): string | undefined {
  const constant = declarations.find(({ name }) => name === "LATEST_PROTOCOL_VERSION");
  return constant?.kind === "constant" && typeof constant.value === "string" ? constant.value : undefined;
}

function folderVersion(file: string): string | undefined {
  const folder = basename(dirname(file));
  return isDate(folder) || folder === "draft" ? folder : undefined;
}
