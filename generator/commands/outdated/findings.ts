import type { DiffCategory } from "../diff/finding.js";

/** Something that is newer than what the project has. */
export type NewerItem =
  | {
      /** A published revision that is not known, a draft that has changed since it was vendored, or the draft after the newest revision. */
      readonly kind: "revision" | "draft";
      readonly name: string;
      /** The revision that it was compared with. */
      readonly ours: string;
      /** URL of its schema.ts. */
      readonly url: string;
      /** How many findings `mcpwright diff` has of each category; absent if the schema cannot be read. */
      readonly changes?: Readonly<Record<DiffCategory, number>>;
      /** Why `changes` is absent. */
      readonly problem?: string;
      readonly remedy: string;
    }
  | {
      /** A published file that has changed since it was pinned. */
      readonly kind: "changed-file";
      readonly name: string;
      readonly url: string;
      /** The changed definitions. */
      readonly difference: string;
      readonly remedy: string;
    }
  | {
      readonly kind: "package";
      readonly name: string;
      /** The installed version. */
      readonly ours: string;
      readonly newest: string;
      readonly remedy: string;
    };

/** A question without an answer. */
export interface OpenQuestion {
  readonly question: string;
  readonly reason: string;
}

/** What one question found out. */
export interface Answer {
  readonly newer: readonly NewerItem[];
  readonly open: readonly OpenQuestion[];
}

export const nothingNewer: Answer = { newer: [], open: [] };

export function openQuestion(question: string, reason: string): Answer {
  return { newer: [], open: [{ question, reason }] };
}

export function joined(answers: readonly Answer[]): Answer {
  return { newer: answers.flatMap(({ newer }) => newer), open: answers.flatMap(({ open }) => open) };
}
