import type { DiffCategory } from "./finding.js";
import type { PairKind, Pairs } from "./pairs.js";

/**
 * One kind of change. In the texts `{at}`, `{name}`, `{before}`, `{after}` stand for the place and what is said there,
 * `{key}` for what an overlay calls the place,
 * `{old}` and `{new}` for the revisions, `{sender}` and `{receiver}` for the sides; the rest comes from `find`.
 */
export interface Rule<K extends PairKind = PairKind> {
  readonly id: string;
  readonly category: DiffCategory;
  /** What it looks for, in one sentence. */
  readonly purpose: string;
  readonly on: K;
  /** One detail per finding in this pair; none when the rule has nothing to say. */
  readonly find: (pair: Pairs[K]) => readonly Detail[];
  readonly message: string;
  readonly receiver: string;
  readonly sender: string;
  readonly source: string;
  readonly hint: string;
  /** Replaces `hint` if the overlay of the newer revision has no such entry in `conversions`. */
  readonly withoutEntry?: { readonly direction: "up" | "down"; readonly key: string; readonly hint: string };
}

/** Values for the texts of a rule; `at`, `before` and `after` take the place of the pair's own. */
export type Detail = Readonly<Record<string, string>>;

/** A finding when something holds. */
export function when(holds: boolean, detail: Detail = {}): readonly Detail[] {
  return holds ? [detail] : [];
}

export function rule<K extends PairKind>(data: Rule<K>): Rule<K> {
  return data;
}

/** The hints of a rule whose change an overlay's conversion may settle: with the entry, and without it. */
export function entryHints(
  direction: "up" | "down",
  states: string,
  { key = "{key}", before = "" } = {},
): Pick<Rule, "hint" | "withoutEntry"> {
  const entry = `\`conversions.${direction}.${key}\``;
  return {
    hint: `${before}The overlay of {new} states under ${entry} ${states}.`,
    withoutEntry: {
      direction,
      key,
      hint: `${before}The overlay of {new} has no entry ${entry}. Add one if a finding \`conversion-unstated\` asks for it: it states ${states}.`,
    },
  };
}
