import { fail } from "../../shared/diagnostics/diagnostic.js";
import { digestsByName } from "../../shared/fidelity/digest.js";
import { isObject } from "../../shared/is-object.js";
import type { SourceModule } from "../../shared/model/source.js";
import { contentHash } from "../../shared/files/content-hash.js";

/** The content of a schema.ts when it was vendored. The pins of the package contain this and more. */
export interface VendorPin {
  /** Commit of the specification's repository; absent for a branch or a file. */
  readonly commit?: string;
  /** sha256 of the file with LF line ends. */
  readonly "schema.ts": string;
  /** Digests of the definitions by name, without prose. */
  readonly definitions: Readonly<Record<string, { readonly ts: string }>>;
}

/** `pins.json` of a schema folder, including the package's own, by revision. */
export type VendorPins = Readonly<Record<string, VendorPin>>;

export function pinOf(text: string, module: SourceModule, commit: string | undefined): VendorPin {
  return {
    ...(commit !== undefined && { commit }),
    "schema.ts": contentHash(text),
    definitions: Object.fromEntries(Object.entries(digestsByName(module)).map(([name, ts]) => [name, { ts }])),
  };
}

/** The pin of a revision or extension; ignores members of the prototype. */
export function pinFor<Pin>(pins: Readonly<Record<string, Pin>>, id: string): Pin | undefined {
  return Object.hasOwn(pins, id) ? pins[id] : undefined;
}

/** Describes how a file differs from its pin; undefined for the pinned file. */
export function pinDifference(pinned: VendorPin, found: VendorPin): string | undefined {
  const [before, after] = [pinned, found].map(({ definitions }) => definitionDigests(definitions));
  return describeDifference(before ?? {}, after ?? {}, pinned["schema.ts"] === found["schema.ts"]);
}

/** The digest per definition, of whichever kind. */
export function definitionDigests(
  definitions: Readonly<Record<string, { readonly ts: string } | { readonly json: string }>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, pin]) => [name, "ts" in pin ? pin.ts : pin.json] as const),
  );
}

/**
 * Names the definitions that differ; undefined for equal files.
 * @param before digests by name
 */
export function describeDifference(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  isSameText: boolean,
): string | undefined {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name) => {
    if (!Object.hasOwn(before, name)) return [`${name} (new)`];
    if (!Object.hasOwn(after, name)) return [`${name} (gone)`];
    return before[name] === after[name] ? [] : [name];
  });
  if (changed.length > 0) {
    const more = changed.length - 10;
    return `changed are ${[...changed.slice(0, 10), ...(more > 0 ? [`${more} more`] : [])].join(", ")}`;
  }
  return isSameText ? undefined : "no definition changed, but other text";
}

/** @throws DiagnosticError pins-malformed */
export function parseVendorPins(text: string, path: string): VendorPins {
  return parsePins(text, path, isPin);
}

/** @throws DiagnosticError pins-malformed */
export function parsePins<Pin>(
  text: string,
  path: string,
  isValid: (value: unknown) => value is Pin,
): Readonly<Record<string, Pin>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail("pins-malformed", { path, reason: error instanceof Error ? error.message : String(error) });
  }
  if (!isObject(value)) return fail("pins-malformed", { path, reason: "not an object" });
  const wrong = Object.keys(value).find((id) => !isValid(value[id]));
  if (wrong !== undefined) fail("pins-malformed", { path, reason: `the entry ${wrong} is not a pin` });
  return value as Readonly<Record<string, Pin>>;
}

/** One line per definition, so that a change of one shows as one line. */
export function printVendorPins(pins: Readonly<Record<string, object>>): string {
  const sorted = Object.fromEntries(Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(sorted, null, 2).replace(/\{\s+("(?:ts|json)": "\w+")\s+\}/g, "{ $1 }")}\n`;
}

function isPin(value: unknown): value is VendorPin {
  return (
    isObject(value) &&
    (value["commit"] === undefined || typeof value["commit"] === "string") &&
    typeof value["schema.ts"] === "string" &&
    isObject(value["definitions"]) &&
    Object.values(value["definitions"]).every((pin) => isObject(pin) && typeof pin["ts"] === "string")
  );
}
