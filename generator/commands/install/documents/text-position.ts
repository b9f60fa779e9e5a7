import type { Span } from "../../../shared/model/source.js";

/** Line and column of an offset, both from 1. */
export function spanAt(file: string, text: string, offset: number): Span {
  const before = text.slice(0, offset).split("\n");
  return { file, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** A replacement of a part of a text. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.from - a.from || b.to - a.to)
    .reduce((done, { from, to, text: inserted }) => done.slice(0, from) + inserted + done.slice(to), text);
}

/** The line end of a text: CRLF if its first line has it. */
export function lineEndOf(text: string): string {
  return /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
}
