import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { changedNames, pinnedDigests, type Pins } from "../../shared/fidelity/pins.js";
import { digestsByName } from "../../shared/fidelity/digest.js";
import type { SourceModule } from "../../shared/model/source.js";
import { readSchema } from "../../pipeline/read-model.js";
import { officialBase } from "../../shared/sources/official-base.js";
import { readLocation, schemaFolder, type SchemaText } from "../../shared/sources/schema-folder.js";

/** A schema with the declarations in it. */
export interface ReadSchema extends SchemaText {
  readonly module: SourceModule;
}

export interface SchemaPair {
  readonly ts: ReadSchema;
  readonly json: ReadSchema;
}

/**
 * Fetches the two published files of a revision and checks them against their pins.
 * @throws DiagnosticError when the revision has no pin, a file cannot be fetched, or differs from its pin
 */
export async function fetchOfficialPair(revision: string, pins: Pins, baseUrl = officialBase): Promise<SchemaPair> {
  const pin = Object.hasOwn(pins, revision) ? pins[revision] : undefined;
  if (!pin) return fail("revision-unknown", { revision, known: Object.keys(pins).join(", ") });
  const fetched = async (name: "schema.ts" | "schema.json", kind: "ts" | "json"): Promise<ReadSchema> => {
    const schema = await readLocation(`${baseUrl.replace(/\/+$/, "")}/${pin.commit}/schema/${revision}/${name}`);
    const mismatch = (changes: string): never => fail("pin-mismatch", { path: schema.file, revision, changes });
    const sum = createHash("sha256").update(schema.text).digest("hex");
    if (sum !== pin[name])
      mismatch(`its sha256 is ${sum}${looksLikePage(schema.text) ? " (a web page)" : ""}, not ${pin[name]}`);
    const module = await readSchema(schema);
    const changed = changedNames(digestsByName(module), pinnedDigests(pin, kind));
    if (changed.length > 0) mismatch(`the digests of ${changed.join(", ")} differ`);
    return { ...schema, module };
  };
  const [ts, json] = await Promise.all([fetched("schema.ts", "ts"), fetched("schema.json", "json")]);
  return { ts, json };
}

export async function readPackagePins(folder = schemaFolder()): Promise<Pins> {
  return JSON.parse(await readFile(join(folder, "pins.json"), "utf8")) as Pins;
}

function looksLikePage(text: string): boolean {
  return /^\s*</.test(text);
}
