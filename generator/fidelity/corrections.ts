/**
 * Where the official schema.json refuses or admits what schema.ts and the prose do not: the listed places, each with
 * the change that puts it right. Paths lead from a definition's name through its keywords.
 */
export interface Corrections {
  /** Lossy rule: `number` was printed as `integer`. */
  readonly "number-as-integer": readonly string[];
  /** Lossy rule: `null` was lost from a list of types. */
  readonly "null-dropped"?: readonly string[];
  /** Erratum: these messages declare `params` without what all params carry; `from` has it. */
  readonly "common-params"?: Readonly<Record<string, { readonly from: string; readonly to: readonly string[] }>>;
}

type Schema = Record<string, unknown>;

/**
 * Corrects the definitions of an official schema.json.
 * @returns a copy
 * @throws Error when a place is not as the list expects, or is already right
 */
export function correct(
  definitions: Readonly<Record<string, unknown>>,
  corrections: Corrections,
): Record<string, unknown> {
  const corrected = structuredClone(definitions) as Schema;
  for (const path of corrections["number-as-integer"]) {
    const [holder, key] = keywordAt(corrected, path);
    if (holder[key] !== "integer") throw new Error(`${path}: expected "integer", found ${JSON.stringify(holder[key])}`);
    holder[key] = "number";
  }
  for (const path of corrections["null-dropped"] ?? []) {
    const types = at(corrected, path);
    if (!Array.isArray(types) || types.includes("null"))
      throw new Error(`${path}: expected a list of types without "null"`);
    types.push("null");
  }
  for (const { from, to } of Object.values(corrections["common-params"] ?? {})) {
    const common = at(corrected, from);
    if (common === undefined) throw new Error(`${from}: not found`);
    for (const message of to) {
      const properties = at(corrected, `${message}/properties/params/properties`) as Schema | undefined;
      if (!properties || "_meta" in properties) throw new Error(`${message}: expected inline params without _meta`);
      properties["_meta"] = structuredClone(common);
    }
  }
  return corrected;
}

/** The object and key of a type: the schema's `type`, or an item of a list of types. */
function keywordAt(definitions: Schema, path: string): [Schema, string] {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const list = path.includes("/type/") ? at(definitions, path.slice(0, -last.length - 1)) : undefined;
  const holder = list ?? at(definitions, path);
  if (typeof holder !== "object" || holder === null) throw new Error(`${path}: not found`);
  return [holder as Schema, list ? last : "type"];
}

function at(definitions: Schema, path: string): unknown {
  return path.split("/").reduce<unknown>((value, key) => (value as Schema | undefined)?.[key], definitions);
}
