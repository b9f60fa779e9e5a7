/** A Markdown page as the checks see it. Lines start at 1. */
export interface Page {
  /** The path from the root of the repository, with slashes. */
  readonly file: string;
  readonly lineCount: number;
  readonly headings: readonly Heading[];
  readonly blocks: readonly CodeBlock[];
  readonly tables: readonly Table[];
  /** The links and images, in order. */
  readonly links: readonly Link[];
  /** The lines that show asterisks, which were meant to make a text bold. */
  readonly strayAsterisks: readonly number[];
  /** The anchors of headings, and the ids of HTML tags. */
  readonly anchors: ReadonlySet<string>;
  /** The text before the second heading, and that of each further heading. */
  readonly sections: readonly Section[];
}

export interface Heading {
  readonly line: number;
  readonly level: number;
  /** The text without the stated anchor. */
  readonly text: string;
  readonly anchor: string;
  /** Whether the page states the anchor: `## 询问用户 {#ask-the-user}`. */
  readonly statesAnchor: boolean;
}

export interface CodeBlock {
  readonly line: number;
  /** The first word after the fence; empty for blocks without one and for indented blocks. */
  readonly language: string;
  readonly code: string;
}

export interface Table {
  readonly line: number;
  readonly rows: number;
  readonly columns: number;
}

export interface Link {
  readonly line: number;
  /** The target as the page states it. */
  readonly target: string;
}

export interface Section {
  readonly line: number;
  /** The anchor of the heading; empty for the first section, which contains the title. */
  readonly anchor: string;
  readonly text: string;
}

/** What a check found wrong in a file. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  /** What is wrong, and what to do. */
  readonly message: string;
}

export function printProblem({ file, line, message }: Problem): string {
  return `${file}:${line}  ${message}`;
}
