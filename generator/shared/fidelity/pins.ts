import type { SourceModule } from "../model/source.js";
import { applyLossyRules, lossyRules } from "./lossy-rules.js";

/**
 * `schema/pins.json`: digests of the published files of each revision. The files themselves are not in the repository.
 */
export type Pins = Readonly<Record<string, RevisionPin>>;

export interface RevisionPin {
  /** Commit of the specification's repository that the files were taken from. */
  readonly commit: string;
  /** sha256 of the file's bytes. */
  readonly "schema.ts": string;
  /** sha256 of the file's bytes. */
  readonly "schema.json": string;
  readonly definitions: Readonly<Record<string, DefinitionPin>>;
  /** Lossy rule -> names of the definitions that it changes; rules that change none are left out. */
  readonly lossy: Readonly<Record<string, readonly string[]>>;
}

/** `schema/extensions/pins.json`: the same for each version of an extension, by `<name>/<version>`. */
export type ExtensionPins = Readonly<Record<string, ExtensionPin>>;

export interface ExtensionPin {
  /** URL of the schema.ts, of a commit or of a published package. */
  readonly source: string;
  /** sha256 of the file's bytes. */
  readonly "schema.ts": string;
  /** sha256 of the file's bytes; absent where no list of rules explains the published schema.json. */
  readonly "schema.json"?: string;
  readonly definitions: Readonly<Record<string, DefinitionPin>>;
  readonly lossy: Readonly<Record<string, readonly string[]>>;
}

export interface DefinitionPin {
  /** Digest of the definition in schema.ts. */
  readonly ts: string;
  /** Digest of the definition in schema.json; absent for constants, which schema.json does not have. */
  readonly json?: string;
}

/** The changes that the lossy rules make to a module read from schema.ts, in the pinned format. */
export function lossyNames(module: SourceModule, rules = lossyRules): RevisionPin["lossy"] {
  return Object.fromEntries(
    Object.entries(applyLossyRules(module, rules).touched).filter(([, names]) => names.length > 0),
  );
}

/** The pinned digests of one kind, in the format of `digests`. */
export function pinnedDigests(
  { definitions }: Pick<RevisionPin, "definitions">,
  kind: keyof DefinitionPin,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(definitions).flatMap(([name, { [kind]: digest }]) => (digest === undefined ? [] : [[name, digest]])),
  );
}

/** Names whose digests differ, or that only one side has; sorted. */
export function changedNames(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]).sort();
}

/** The differences between two states of the pins, one line each; empty when they are equal. */
export function pinDrift(before: Pins, after: Pins): readonly string[] {
  const revisions = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return revisions.flatMap((revision) => {
    const [old, now] = [before[revision], after[revision]];
    if (!old) return [`${revision}: new`];
    if (!now) return [`${revision}: gone`];
    const files = (["commit", "schema.ts", "schema.json"] as const).filter((key) => old[key] !== now[key]);
    const changed = (["ts", "json"] as const).flatMap((kind) =>
      changedNames(pinnedDigests(old, kind), pinnedDigests(now, kind)).map((name) => {
        const states = [old, now].map((pin) => Object.hasOwn(pin.definitions, name));
        return `${kind} of ${name}${states[0] ? (states[1] ? "" : " (gone)") : " (new)"}`;
      }),
    );
    const rules = [...new Set([...Object.keys(old.lossy), ...Object.keys(now.lossy)])].sort();
    const touched = rules.filter((rule) => old.lossy[rule]?.join() !== now.lossy[rule]?.join());
    return [...files, ...changed, ...touched.map((rule) => `names under ${rule}`)].map(
      (what) => `${revision}: ${what}`,
    );
  });
}

/** The text of pins.json: one line per definition and per lossy rule, so that each change shows as one line. */
export function printPins(pins: Pins | ExtensionPins): string {
  const rows = (values: Readonly<Record<string, unknown>>): string => {
    const lines = Object.entries(values).map(([name, value]) => `      ${JSON.stringify(name)}: ${spaced(value)}`);
    return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n    }`;
  };
  const entries = Object.entries<RevisionPin | ExtensionPin>(pins)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { definitions, lossy, ...head }]) => {
      const lines = Object.entries(head).map(
        ([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`,
      );
      const body = `    "definitions": ${rows(definitions)},\n    "lossy": ${rows(lossy)}`;
      return `  ${JSON.stringify(id)}: {\n${lines.join("")}${body}\n  }`;
    });
  return `{\n${entries.join(",\n")}\n}\n`;
}

function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ").replace(/^\[ /, "[").replace(/ \]$/, "]");
}
