import type { Colour, TextColour } from "./palette.js";
import type { Run } from "./texts.js";

/** A picture as shapes with positions, in px. Later shapes cover earlier ones. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Shape = BoxShape | LineShape | TextShape;

export interface BoxShape extends Rectangle {
  readonly kind: "box";
  readonly fill: Colour;
  readonly stroke?: Colour;
  readonly radius?: number;
}

export interface LineShape {
  readonly kind: "line";
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly stroke: Colour;
  readonly isDashed?: boolean;
  /** Whether it has a head at its end. */
  readonly isArrow?: boolean;
  /** Default: 1.5. */
  readonly thickness?: number;
}

/** One line of text. */
export interface TextShape {
  readonly kind: "text";
  /** The left end, the middle or the right end, by `anchor`. */
  readonly x: number;
  /** The base line. */
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly runs: readonly Run[];
  readonly size: number;
  readonly isBold?: boolean;
  readonly fill: TextColour;
  /** What the text must stay in. */
  readonly within: Rectangle;
}
