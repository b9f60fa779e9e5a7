import type { PictureSource } from "../diagrams/diagram.js";
import type { Texts } from "../drawing/texts.js";

/** Bars that compare mcpwright with others, from results of a benchmark. */
export interface ChartSource extends PictureSource {
  readonly kind: "chart";
  readonly title: Texts;
  /** What the bars measure. */
  readonly measure: Texts;
  readonly groups: readonly BarGroup[];
}

export interface BarGroup {
  readonly title: Texts;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly name: Texts;
  readonly value: number;
  /** The least and the most of the rounds. */
  readonly range: readonly [least: number, most: number];
  /** `own` is mcpwright, `floor` what others are compared with. */
  readonly role: "own" | "floor" | "peer";
}
