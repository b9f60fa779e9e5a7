import type { TextColour } from "../drawing/palette.js";
import type { Texts } from "../drawing/texts.js";

/** The source of a picture: what it shows, in both languages. The layout follows from it. */
export interface PictureSource {
  /** The name of the files: `docs/images/<name>.svg` and `docs/zh/images/<name>.svg`. */
  readonly name: string;
  /** The alternative text in pages: one line. */
  readonly alt: Texts;
  /** The facts of the picture in sentences, for readers who do not see it. */
  readonly description: Texts;
}

/** A picture of messages between participants, from top to bottom. */
export interface SequenceSource extends PictureSource {
  readonly kind: "sequence";
  readonly lanes: readonly Lane[];
  /** Boxes in a row above the sections. */
  readonly cards?: { readonly title: Texts; readonly cards: readonly Card[] };
  readonly sections: readonly Section[];
}

export interface Lane {
  readonly id: string;
  readonly name: Texts;
  readonly colour: TextColour;
}

export interface Card {
  readonly title: Texts;
  readonly text: Texts;
  readonly colour: TextColour;
}

export interface Section {
  readonly title: Texts;
  readonly text?: Texts;
  readonly steps: readonly Step[];
}

export type Step = MessageStep | WorkStep;

export interface MessageStep {
  readonly kind: "message";
  readonly from: string;
  readonly to: string;
  readonly text: Texts;
  /** Smaller, below the text. */
  readonly note?: Texts;
  /** Whether it is a response. */
  readonly isResponse?: boolean;
}

/** What one participant does. */
export interface WorkStep {
  readonly kind: "work";
  readonly lane: string;
  readonly title?: Texts;
  readonly text: Texts;
  /** In px; default: 250. */
  readonly width?: number;
}

/** A picture of boxes with arrows from top to bottom, which can part into columns. */
export interface FlowSource extends PictureSource {
  readonly kind: "flow";
  readonly rows: readonly FlowRow[];
}

/** Columns of boxes. In a row, each box leads to the next one of its column. */
export interface FlowRow {
  readonly columns: readonly FlowColumn[];
}

export interface FlowColumn {
  readonly title?: Texts;
  readonly boxes: readonly FlowBox[];
}

export interface FlowBox {
  readonly title: Texts;
  readonly text: Texts;
  readonly colour: TextColour;
  /** Whether it stands for data, not for work. */
  readonly isData?: boolean;
  /** Whether it does not follow from the box above it. */
  readonly isApart?: boolean;
}

/** Abbreviation in sources. */
export function t(en: string, zh: string): Texts {
  return { en, zh };
}

/** A message, in sources. */
export function send(from: string, to: string, text: Texts, note?: Texts): MessageStep {
  return { kind: "message", from, to, text, ...(note && { note }) };
}

/** A response, in sources. */
export function respond(from: string, to: string, text: Texts, note?: Texts): MessageStep {
  return { ...send(from, to, text, note), isResponse: true };
}

/** What a participant does, in sources. */
export function work(lane: string, title: Texts | undefined, text: Texts, width?: number): WorkStep {
  return { kind: "work", lane, ...(title && { title }), text, ...(width !== undefined && { width }) };
}
