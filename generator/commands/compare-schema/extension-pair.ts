import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { changedNames, pinnedDigests, type ExtensionPins } from "../../shared/fidelity/pins.js";
import { digestsByName } from "../../shared/fidelity/digest.js";
import type { SourceModule } from "../../shared/model/source.js";
import { readExtensionOverlay } from "../../pipeline/overlay/extension-overlay.js";
import { readSchema } from "../../pipeline/read-model.js";
import {
  hasSchema,
  knownExtension,
  readKnownExtension,
  type KnownExtension,
} from "../../shared/sources/extension-folder.js";
import { readKnown, readLocation, schemaFolder } from "../../shared/sources/schema-folder.js";
import type { ReadSchema, SchemaPair } from "./official-pair.js";

/**
 * The two files to compare for an extension of the package: its published schema.ts and schema.json, or ours and a file of
 * the user. When no schema.json is published, ours and the published schema.ts.
 * @throws DiagnosticError when the extension or its pin is unknown, or a file cannot be read, or differs from its pin
 */
export async function readExtensionPair(
  id: string,
  file: string | undefined,
  pins: ExtensionPins,
): Promise<SchemaPair> {
  const known = await knownExtension(id);
  if (!hasSchema(known)) return fail("extension-source-unknown", { id });
  const texts = await readKnownExtension(known);
  const ours = await withModule(texts.schema);
  const core = await coreNames(texts.overlay);
  const withoutCore = (schema: ReadSchema): ReadSchema => ({ ...schema, module: ownOf(schema.module, ours, core) });
  if (file !== undefined) return { ts: ours, json: withoutCore(await withModule(await readLocation(file))) };
  const published = await fetchPublished(known, pins);
  return published.json ? { ts: published.ts, json: withoutCore(published.json) } : { ts: ours, json: published.ts };
}

export async function readExtensionPins(folder = schemaFolder()): Promise<ExtensionPins> {
  return JSON.parse(await readFile(join(folder, "extensions", "pins.json"), "utf8")) as ExtensionPins;
}

async function withModule(schema: Omit<ReadSchema, "module">): Promise<ReadSchema> {
  return { ...schema, module: await readSchema(schema) };
}

/** The published files, which must be those that are pinned. */
async function fetchPublished(
  { id, name, version }: KnownExtension,
  pins: ExtensionPins,
): Promise<{ readonly ts: ReadSchema; readonly json?: ReadSchema }> {
  const key = `${name}/${version}`;
  const pin = Object.hasOwn(pins, key) ? pins[key] : undefined;
  if (!pin) return fail("extension-source-unknown", { id });
  const fetched = async (location: string, sum: string, kind: "ts" | "json"): Promise<ReadSchema> => {
    const schema = await readLocation(location);
    const mismatch = (changes: string): never => fail("pin-mismatch", { path: schema.file, revision: key, changes });
    const found = createHash("sha256").update(schema.text).digest("hex");
    if (found !== sum) mismatch(`its sha256 is ${found}, not ${sum}`);
    const read = await withModule(schema);
    const pinned = pinnedDigests(pin, kind);
    const digests = Object.entries(digestsByName(read.module)).filter(([one]) => Object.hasOwn(pinned, one));
    const changed = changedNames(Object.fromEntries(digests), pinned);
    if (changed.length > 0) mismatch(`the digests of ${changed.join(", ")} differ`);
    return read;
  };
  const ts = await fetched(pin.source, pin["schema.ts"], "ts");
  const sum = pin["schema.json"];
  return sum === undefined ? { ts } : { ts, json: await fetched(pin.source.replace(/\.ts$/, ".json"), sum, "json") };
}

/** The names of the types of the revisions that the extension is laid over. */
async function coreNames({
  text,
  file,
}: {
  readonly text: string;
  readonly file: string;
}): Promise<ReadonlySet<string>> {
  const { over } = readExtensionOverlay(text, file).file;
  const modules = await Promise.all(over.map(async (revision) => readSchema(await readKnown(revision))));
  return new Set(modules.flatMap(({ declarations }) => declarations.map(({ name }) => name)));
}

/** A schema.json of an extension repeats the types of the revision to which its own types lead. */
function ownOf(module: SourceModule, ours: ReadSchema, core: ReadonlySet<string>): SourceModule {
  const own = new Set(ours.module.declarations.map(({ name }) => name));
  return { ...module, declarations: module.declarations.filter(({ name }) => own.has(name) || !core.has(name)) };
}
