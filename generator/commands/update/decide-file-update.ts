import { mergeLines } from "./merge-lines.js";

/** The three texts of one file; absent: there is no such file. */
export interface FileVersions {
  /** As the templates gave it when the project was made or last updated. */
  readonly base: string | undefined;
  /** As it stands in the project. */
  readonly yours: string | undefined;
  /** As the templates give it now. */
  readonly theirs: string | undefined;
}

/** What becomes of a file. */
export type FileDecision =
  | { readonly kind: "current" }
  | { readonly kind: "add" | "replace" | "merge"; readonly text: string }
  | { readonly kind: "remove" }
  /** The templates have something else, but what was written or deleted by hand counts more. */
  | { readonly kind: "keep"; readonly reason: string }
  /** Both changed the same lines; `text` has both, marked. */
  | { readonly kind: "conflict"; readonly text: string };

/** Decides by three texts. What was written by hand is never lost: a file is replaced only if nobody has touched it. */
export function decideFileUpdate({ base, yours, theirs }: FileVersions, label: string): FileDecision {
  if (yours === theirs) return { kind: "current" };
  if (theirs === undefined) {
    if (yours === base) return { kind: "remove" };
    return base === undefined
      ? { kind: "current" }
      : { kind: "keep", reason: "you changed it, and mcpwright has it no longer" };
  }
  if (yours === undefined) {
    if (base === undefined) return { kind: "add", text: theirs };
    return base === theirs ? { kind: "current" } : { kind: "keep", reason: "you deleted it" };
  }
  if (base === undefined) return { kind: "keep", reason: "it is yours, and mcpwright now has a file of that name" };
  if (base === theirs) return { kind: "current" };
  if (yours === base) return { kind: "replace", text: theirs };
  const { text, clean } = mergeLines(base, yours, theirs, label);
  if (!clean) return { kind: "conflict", text };
  return text === yours ? { kind: "current" } : { kind: "merge", text };
}
