import type { OverlayText } from "../../shared/sources/overlay-text.js";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import type * as overlay from "../../shared/model/overlay.js";
import type { OverlayFile } from "../../shared/model/overlay.js";
import { profileFields } from "../../shared/model/profile.js";
import type { Span } from "../../shared/model/source.js";
import { isTypeName } from "../../shared/names/identifier.js";
import { JsonLocations } from "../../shared/json/json-locations.js";
import { overlayStructure } from "./overlay-structure.js";
import { findDeviation } from "../../shared/json/json-structure.js";

/** An entry that applies to a revision, and whether that revision's own file states it. */
export interface Entry<T> {
  readonly value: T;
  readonly own: boolean;
  readonly span: Span;
}

export type Table<T> = ReadonlyMap<string, Entry<T>>;

/** All overlay entries that apply to one revision, collected along its chain of files. */
export interface EffectiveOverlay {
  /** The revision whose file heads the chain; another revision when this one has no file. */
  readonly from: string | undefined;
  readonly specification: string;
  readonly integers: Table<overlay.Sourced>;
  readonly commonParams: Table<overlay.CommonParams>;
  readonly names: Table<overlay.NameFact>;
  readonly results: Table<overlay.ResultLink>;
  readonly resultTag: Entry<overlay.ResultTag> | undefined;
  readonly inBand: Entry<overlay.InBand> | undefined;
  readonly clientMethods: Table<overlay.MethodFact>;
  readonly serverMethods: Table<overlay.MethodFact>;
  readonly clientCapabilities: Table<overlay.Sourced>;
  readonly serverCapabilities: Table<overlay.Sourced>;
  readonly errors: Table<overlay.ErrorFact>;
  readonly limits: Table<overlay.LimitFact>;
  readonly defaults: Table<overlay.DefaultFact>;
  readonly tolerances: Table<overlay.ToleranceFact>;
  readonly metaKeys: Table<overlay.Sourced>;
  readonly deprecated: Table<overlay.DeprecationFact>;
  readonly profile: Table<overlay.ProfileFact>;
  readonly authorization: Table<overlay.AuthorizationFact>;
  readonly sections: Table<readonly string[]>;
  /** Those of the revision's own file, and the older revision that they refer to. Conversions are not inherited. */
  readonly conversions:
    { readonly neighbour: string; readonly up: ConversionTable; readonly down: ConversionTable } | undefined;
}

type ConversionTable = overlay.ConversionFacts;

interface Link {
  readonly file: OverlayFile;
  readonly own: boolean;
  readonly at: (pointer: readonly string[]) => Span;
}

/**
 * OVERLAY: the facts that apply to `revision`, from its own file or, without one, from the newest file.
 * @param texts all overlay files that can be extended, oldest first
 * @throws DiagnosticError when a file is malformed or extends an unknown or cyclic base
 */
export function effectiveOverlay(revision: string, texts: readonly OverlayText[]): EffectiveOverlay {
  const head = texts.find((text) => text.revision === revision) ?? texts.at(-1);
  const chain: Link[] = [];
  for (let text = head; text;) {
    const locations = new JsonLocations(text.text, text.file);
    const file = readOverlay(text, locations);
    chain.unshift({ file, own: text.revision === revision, at: (pointer) => locations.locate(pointer) });
    const base = file.extends;
    if (base === undefined) break;
    const seen = chain.length > texts.length;
    text = seen ? undefined : texts.find((other) => other.revision === base);
    if (!text)
      fail(
        "overlay-base-unknown",
        { base, known: texts.map((other) => other.revision).join(", ") },
        locations.locate(["extends"]),
      );
  }

  const neighbour = head?.revision === revision ? chain.at(-1)?.file.extends : head?.revision;
  const own = head?.revision === revision ? chain.at(-1)?.file.conversions : undefined;
  const table = <T>(...path: string[]): Table<T> => mergeTable(chain, path);
  const single = <T>(key: "resultTag" | "inBand"): Entry<T> | undefined => {
    const link = chain.findLast(({ file }) => file[key] !== undefined);
    const value = link?.file[key];
    return link && value ? { value: value as T, own: link.own, span: link.at([key]) } : undefined;
  };
  return {
    from: head?.revision,
    specification: chain.findLast(({ file }) => file.specification !== undefined)?.file.specification ?? "",
    integers: table("integers"),
    commonParams: table("commonParams"),
    names: table("names"),
    results: table("results"),
    resultTag: single("resultTag"),
    inBand: single("inBand"),
    clientMethods: table("methods", "client"),
    serverMethods: table("methods", "server"),
    clientCapabilities: table("capabilities", "client"),
    serverCapabilities: table("capabilities", "server"),
    errors: table("errors"),
    limits: table("limits"),
    defaults: table("defaults"),
    tolerances: table("tolerances"),
    metaKeys: table("metaKeys"),
    deprecated: table("deprecated"),
    profile: table("profile"),
    authorization: table("authorization"),
    sections: table("sections"),
    conversions: neighbour === undefined ? undefined : { neighbour, up: own?.up ?? {}, down: own?.down ?? {} },
  };
}

/** The address of a section: `spec` below the specification's root, unless it is an address of its own. */
export function linkTo({ specification }: Pick<EffectiveOverlay, "specification">, spec: string): string {
  return /^https?:/.test(spec) ? spec : specification + spec;
}

function mergeTable<T>(chain: readonly Link[], path: readonly string[]): Table<T> {
  const merged = new Map<string, Entry<T>>();
  for (const { file, own, at } of chain) {
    const found = path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], file);
    for (const [key, value] of Object.entries((found ?? {}) as Record<string, T | null>)) {
      if (value === null) merged.delete(key);
      else merged.set(key, { value, own, span: at([...path, key]) });
    }
  }
  return merged;
}

function readOverlay({ file }: OverlayText, locations: JsonLocations): OverlayFile {
  let value: unknown;
  try {
    value = JSON.parse(locations.text);
  } catch (error) {
    return fail("overlay-malformed", { reason: (error as Error).message }, locations.syntaxError(error as Error));
  }
  const found = findDeviation(value, overlayStructure);
  if (found)
    fail(
      "overlay-malformed",
      { reason: `${found.path.join(".") || file}: expected ${found.expected}` },
      locations.locate(found.path),
    );
  const [twice] = locations.repetitions();
  if (twice) fail("overlay-malformed", { reason: `${twice.pointer.join(".")}: stated twice` }, twice.second);
  const data = value as OverlayFile;
  const expect = (path: readonly string[], expected: string): never =>
    fail("overlay-malformed", { reason: `${path.join(".")}: expected ${expected}` }, locations.locate(path));
  for (const { name, type } of profileFields) {
    const stated = data.profile?.[name];
    if (!stated || profileValueFits(stated.value, type)) continue;
    expect(["profile", name, "value"], typeof type === "string" ? type : type.join(", "));
  }
  for (const direction of ["up", "down"] as const)
    for (const [key, fact] of Object.entries(data.conversions?.[direction] ?? {})) {
      const problem = actionProblem(fact);
      if (problem !== undefined) expect(["conversions", direction, key], problem);
    }
  for (const [name, fact] of Object.entries(data.names ?? {}))
    if (fact && !isTypeName(fact.name)) expect(["names", name, "name"], "a TypeScript identifier");
  for (const [code, fact] of Object.entries(data.errors ?? {})) {
    if (!/^-?\d+$/.test(code)) expect(["errors", code], "an error code as the key");
    // The name is that of a generated constant.
    if (fact?.name !== undefined && !/^[A-Z][A-Z0-9_]*$/.test(fact.name))
      expect(["errors", code, "name"], "capitals, digits and underscores");
  }
  return data;
}

const actions = ["fill", "drop", "substitute", "function", "unsupported", "envelope"] as const;

function actionProblem(fact: overlay.ConversionFact): string | undefined {
  const [action, ...others] = actions.filter((name) => Object.hasOwn(fact, name));
  if (action === undefined || others.length > 0) return `one of ${actions.join(", ")}`;
  if (fact.keep !== undefined && action !== "fill") return "`keep` only beside `fill`";
  const lossy = action === "drop" || action === "substitute" || action === "function";
  return lossy && fact.loss === undefined ? "a loss: the data that is left out or changed" : undefined;
}

function profileValueFits(value: unknown, type: (typeof profileFields)[number]["type"]): boolean {
  switch (type) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isInteger(value);
    case "string | null":
      return value === null || typeof value === "string";
    default:
      return typeof value === "string" && type.includes(value);
  }
}
