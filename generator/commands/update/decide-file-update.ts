import { mergeLines } from "./merge-lines.js";

/** The three versions of a file; undefined if it does not exist. */
export interface FileVersions {
  /** As generated when the project was created or last updated. */
  readonly base: string | undefined;
  /** As it is in the project. */
  readonly yours: string | undefined;
  /** As the current templates generate it. */
  readonly theirs: string | undefined;
}

/** The decision about a file. */
export type FileDecision =
  | { readonly kind: "current" }
  | { readonly kind: "add" | "replace" | "merge"; readonly text: string }
  | { readonly kind: "remove" }
  /** The templates differ, but the user's change or deletion takes precedence. */
  | { readonly kind: "keep"; readonly reason: string }
  /** Both changed the same lines; `text` contains both versions with conflict markers. */
  | { readonly kind: "conflict"; readonly text: string };

/** Decides by the three versions. Changes of the user are never lost: only an unchanged file is replaced. */
export function decideFileUpdate({ base, yours, theirs }: FileVersions, label: string): FileDecision {
  if (yours === theirs) return { kind: "current" };
  if (theirs === undefined) {
    if (yours === base) return { kind: "remove" };
    return base === undefined
      ? { kind: "current" }
      : { kind: "keep", reason: "you changed it, and mcpwright no longer has it" };
  }
  if (yours === undefined) {
    if (base === undefined) return { kind: "add", text: theirs };
    return base === theirs ? { kind: "current" } : { kind: "keep", reason: "you deleted it" };
  }
  if (base === undefined) return { kind: "keep", reason: "you created it, and mcpwright now has a file of that name" };
  if (base === theirs) return { kind: "current" };
  if (yours === base) return { kind: "replace", text: theirs };
  const { text, clean } = mergeLines(base, yours, theirs, label);
  if (!clean) return { kind: "conflict", text };
  return text === yours ? { kind: "current" } : { kind: "merge", text };
}
