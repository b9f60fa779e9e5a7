import type { Side } from "../../shared/model/protocol.js";

/** What a change means for those who are not ready for it; the worst comes first. */
export const categories = ["wire", "behaviour", "source", "unstated", "deprecation", "addition"] as const;

export type DiffCategory = (typeof categories)[number];

export const categoryTexts: Readonly<Record<DiffCategory, string>> = {
  wire: "peers of the two revisions reject or misread each other's messages",
  behaviour: "messages have the same shape, but peers behave differently",
  source: "TypeScript code must change",
  unstated: "no overlay states the fact yet",
  deprecation: "it still works, but is deprecated",
  addition: "new; existing code can ignore it",
};

/** What `diff` finds out about two revisions. Plain JSON data. */
export interface DiffReport {
  /** Version of this data format. */
  readonly format: 1;
  readonly before: ComparedRevision;
  readonly after: ComparedRevision;
  /** By category, then rule, then place. */
  readonly findings: readonly DiffFinding[];
  /** Findings that an ignore list names, with its reasons. */
  readonly ignored: readonly IgnoredFinding[];
  /** Entries of the ignore list that name no finding. */
  readonly staleIgnores: readonly IgnoreEntry[];
  /** How many findings there are of each category. */
  readonly counts: Readonly<Record<DiffCategory, number>>;
}

export interface ComparedRevision {
  readonly revision: string;
  /** The file as it was named. */
  readonly file: string;
}

export interface DiffFinding {
  readonly rule: string;
  readonly category: DiffCategory;
  /** `Type`, `Type.member`, `client method`, `profile.field` and the like: what ignore lists name. */
  readonly at: string;
  readonly message: string;
  /** Where it stands on either side; absent where there is no such thing. */
  readonly before?: DiffPlace;
  readonly after?: DiffPlace;
  /** The sender; both sides if the schema does not state it. */
  readonly sentBy: readonly Side[];
  /** The effects on receivers, on senders, and on TypeScript code that handles it. */
  readonly receiver: string;
  readonly sender: string;
  readonly source: string;
  readonly hint: string;
}

export interface DiffPlace {
  /** What is said there, on one line. */
  readonly text: string;
  /** The definition's path. */
  readonly path: string;
  readonly file?: string;
  readonly line?: number;
  /** The specification. */
  readonly link?: string;
}

export interface IgnoreEntry {
  /** A rule's id, or `*`. */
  readonly rule: string;
  /** The place; `*` stands for any part of it. */
  readonly at: string;
  readonly reason: string;
}

export interface IgnoredFinding {
  readonly finding: DiffFinding;
  readonly reason: string;
}
