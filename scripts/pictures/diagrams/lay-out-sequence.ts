import type { Scene, Shape } from "../drawing/scene.js";
import { stack, textBlock } from "../drawing/text-block.js";
import { textWidth, type Language } from "../drawing/texts.js";
import { headingStyle, innerWidth, margin, nameBox, noteStyle, pictureWidth, textBox } from "./box.js";
import type { Lane, MessageStep, Section, SequenceSource, WorkStep } from "./diagram.js";

const gap = 10;

/** Shapes and where they end. */
interface Placed {
  readonly shapes: readonly Shape[];
  readonly bottom: number;
}

/** Lays out a sequence: its cards, and below them one section after the other, each with the names of the lanes. */
export function layOutSequence(source: SequenceSource, language: Language): Scene {
  const lanes = new Lanes(source.lanes, language);
  const shapes: Shape[] = [];
  let y = margin;
  if (source.cards) {
    const placed = placeCards(source.cards, language, y);
    shapes.push(...placed.shapes);
    y = placed.bottom + 16;
  }
  for (const section of source.sections) {
    const placed = placeSection(section, lanes, language, y);
    shapes.push(...placed.shapes);
    y = placed.bottom + 16;
  }
  return { width: pictureWidth, height: Math.ceil(y - 16 + margin), shapes };
}

class Lanes {
  readonly headWidth: number;
  readonly #centres: ReadonlyMap<string, number>;

  constructor(
    readonly lanes: readonly Lane[],
    readonly language: Language,
  ) {
    const { length } = lanes;
    this.headWidth = Math.min(120, (innerWidth - 6 * (length - 1)) / length);
    const first = margin + this.headWidth / 2;
    const distance = (innerWidth - this.headWidth) / (length - 1);
    this.#centres = new Map(lanes.map(({ id }, index) => [id, first + index * distance]));
  }

  centre(id: string): number {
    const centre = this.#centres.get(id);
    if (centre === undefined) throw new RangeError(`there is no lane "${id}"`);
    return centre;
  }

  colour(id: string): Lane["colour"] {
    return this.lanes.find((lane) => lane.id === id)?.colour ?? "text";
  }

  placeHeads(y: number): Placed {
    const heads = this.lanes.map(({ id, name, colour }) => ({
      id,
      box: nameBox(name[this.language], colour, this.headWidth),
    }));
    const height = Math.max(...heads.map(({ box }) => box.height));
    return {
      shapes: heads.flatMap(({ id, box }) => box.place(this.centre(id) - this.headWidth / 2, y, height)),
      bottom: y + height,
    };
  }
}

function placeCards({ title, cards }: NonNullable<SequenceSource["cards"]>, language: Language, y: number): Placed {
  const heading = textBlock(title[language], innerWidth, headingStyle);
  const shapes: Shape[] = [...heading.place(margin, y)];
  let bottom = y + heading.height + 6;
  for (const { title, text, colour } of cards) {
    const box = textBox({ title: title[language], text: text[language], colour }, innerWidth);
    shapes.push(...box.place(margin, bottom));
    bottom += box.height + 6;
  }
  return { shapes, bottom: bottom - 6 };
}

function placeSection({ title, text, steps }: Section, lanes: Lanes, language: Language, top: number): Placed {
  const heading = stack([
    textBlock(title[language], innerWidth, headingStyle),
    ...(text ? [textBlock(text[language], innerWidth, noteStyle)] : []),
  ]);
  const heads = lanes.placeHeads(top + heading.height + 6);
  const shapes: Shape[] = [];
  let y = heads.bottom + gap;
  steps.forEach((step, index) => {
    const before = steps[index - 1];
    const isChain = step.kind === "work" && before?.kind === "work" && before.lane === step.lane;
    if (isChain) y += 6;
    const placed = step.kind === "work" ? placeWork(step, lanes, language, y) : placeMessage(step, lanes, language, y);
    if (isChain) shapes.push(...chainArrow(lanes.centre(step.lane), y, lanes.colour(step.lane)));
    shapes.push(...placed.shapes);
    y = placed.bottom + gap;
  });
  const lifelines = lanes.lanes.map(({ id, colour }): Shape => ({
    kind: "line",
    from: [lanes.centre(id), heads.bottom],
    to: [lanes.centre(id), y],
    stroke: colour,
    isDashed: true,
    thickness: 1,
  }));
  return { shapes: [...heading.place(margin, top), ...heads.shapes, ...lifelines, ...shapes], bottom: y };
}

function chainArrow(x: number, y: number, colour: Lane["colour"]): readonly Shape[] {
  return [{ kind: "line", from: [x, y - gap - 6], to: [x, y], stroke: colour, isArrow: true }];
}

function placeWork({ lane, title, text, width = 250 }: WorkStep, lanes: Lanes, language: Language, y: number): Placed {
  const box = textBox(
    { ...(title && { title: title[language] }), text: text[language], colour: lanes.colour(lane) },
    width,
  );
  const x = clamp(lanes.centre(lane) - width / 2, width);
  return { shapes: box.place(x, y), bottom: y + box.height };
}

function placeMessage(step: MessageStep, lanes: Lanes, language: Language, y: number): Placed {
  const [from, to] = [lanes.centre(step.from), lanes.centre(step.to)];
  const width = Math.min(innerWidth, Math.max(Math.abs(to - from) - 8, 210));
  const label = stack([
    textBlock(step.text[language], width, { size: 13.5, fill: "text", anchor: "middle" }),
    ...(step.note ? [textBlock(step.note[language], width, { ...noteStyle, anchor: "middle" })] : []),
  ]);
  const x = clamp((from + to) / 2 - width / 2, width);
  const texts = label.place(x, y);
  // The lines of the lanes stop behind the text.
  const widest = Math.max(...texts.map(({ runs, size }) => textWidth(runs, size))) + 8;
  const cover: Shape = {
    kind: "box",
    x: x + (width - widest) / 2,
    y,
    width: widest,
    height: label.height,
    fill: "page",
  };
  const arrowY = y + label.height + 5;
  const direction = Math.sign(to - from);
  const arrow: Shape = {
    kind: "line",
    from: [from + direction, arrowY],
    to: [to - direction, arrowY],
    stroke: lanes.colour(step.from),
    isArrow: true,
    ...(step.isResponse === true && { isDashed: true }),
  };
  return { shapes: [cover, ...texts, arrow], bottom: arrowY + 4 };
}

function clamp(x: number, width: number): number {
  return Math.min(Math.max(x, margin), pictureWidth - margin - width);
}
