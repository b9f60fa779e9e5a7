import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { schemaFolder } from "../sources/schema-folder.js";

/**
 * Places where the official schema.json differs from schema.ts and the prose, each with its correction. Paths lead from
 * a definition's name through its keywords.
 */
export interface Corrections {
  /** Lossy rule: `number` was printed as `integer`. */
  readonly "number-as-integer": readonly string[];
  /** Lossy rule: `null` was lost from a list of types. */
  readonly "null-dropped"?: readonly string[];
  /** Erratum: these messages declare `params` without the members that all params carry; `from` has them. */
  readonly "common-params"?: Readonly<Record<string, { readonly from: string; readonly to: readonly string[] }>>;
}

type Schema = Record<string, unknown>;

/** The entries of `schema/corrections.json` for a revision. */
export async function readCorrections(revision: string): Promise<Corrections | undefined> {
  const text = await readFile(join(schemaFolder(), "corrections.json"), "utf8");
  const all = JSON.parse(text) as Readonly<Record<string, Corrections>>;
  return Object.hasOwn(all, revision) ? all[revision] : undefined;
}

/**
 * Corrects the definitions of an official schema.json.
 * @param unfit called with places that differ from the list, or are already correct. Default: throws
 * @returns a copy
 */
export function correct(
  definitions: Readonly<Record<string, unknown>>,
  corrections: Corrections,
  unfit: (reason: string) => void = (reason) => {
    throw new Error(reason);
  },
): Record<string, unknown> {
  const corrected = structuredClone(definitions) as Schema;
  for (const path of corrections["number-as-integer"]) {
    const { holder, key } = keywordAt(corrected, path);
    if (!holder) unfit(`${path}: not found`);
    else if (holder[key] === "integer") holder[key] = "number";
    else unfit(`${path}: expected "integer", found ${JSON.stringify(holder[key])}`);
  }
  for (const path of corrections["null-dropped"] ?? []) {
    const types = at(corrected, path);
    if (Array.isArray(types) && !types.includes("null")) types.push("null");
    else unfit(`${path}: expected a list of types without "null"`);
  }
  for (const { from, to } of Object.values(corrections["common-params"] ?? {})) {
    const common = at(corrected, from);
    if (common === undefined) unfit(`${from}: not found`);
    for (const message of to) {
      const properties = at(corrected, `${message}/properties/params/properties`) as Schema | undefined;
      if (properties && !("_meta" in properties)) properties["_meta"] = structuredClone(common);
      else unfit(`${message}: expected inline params without _meta`);
    }
  }
  return corrected;
}

/** The object and key that contain a type: the schema's `type`, or an item of a list of types. */
function keywordAt(definitions: Schema, path: string): { readonly holder: Schema | undefined; readonly key: string } {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const list = path.includes("/type/") ? at(definitions, path.slice(0, -last.length - 1)) : undefined;
  const holder = list ?? at(definitions, path);
  return {
    holder: typeof holder === "object" && holder !== null ? (holder as Schema) : undefined,
    key: list ? last : "type",
  };
}

function at(definitions: Schema, path: string): unknown {
  return path.split("/").reduce<unknown>((value, key) => (value as Schema | undefined)?.[key], definitions);
}
