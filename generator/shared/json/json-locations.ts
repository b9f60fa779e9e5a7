import type { Span } from "../model/source.js";

/** A member that occurs more than once in an object; `JSON.parse` keeps the last one. */
export interface Repetition {
  readonly pointer: readonly string[];
  readonly first: Span;
  readonly second: Span;
}

/** Locates values in a JSON text; scans the text only when a location is requested for the first time. */
export class JsonLocations {
  /** The text to parse, without a byte order mark. */
  readonly text: string;
  private scanned: Scan | undefined;
  private lineStarts: readonly number[] | undefined;

  constructor(
    text: string,
    private readonly file: string,
  ) {
    this.text = text.replace(/^\uFEFF/, "");
  }

  /** The position of the value at `pointer`, or of its nearest ancestor. */
  locate(pointer: readonly string[]): Span {
    let place = this.scan().root;
    for (const part of pointer) {
      const child = place.inner.get(part);
      if (!child) break;
      place = child;
    }
    return this.at(place.offset);
  }

  /** The position of the name of the member at `pointer`; otherwise as `locate`. */
  locateName(pointer: readonly string[]): Span {
    const path = [...pointer];
    const name = path.pop();
    const owner = path.reduce<Place | undefined>((place, part) => place?.inner.get(part), this.scan().root);
    const offset = name === undefined ? undefined : owner?.inner.get(name)?.nameOffset;
    return offset === undefined ? this.locate(pointer) : this.at(offset);
  }

  /** Members that occur twice in one object. */
  repetitions(): readonly Repetition[] {
    return this.scan().repetitions.map(({ pointer, first, second }) => ({
      pointer,
      first: this.at(first),
      second: this.at(second),
    }));
  }

  /** The position of the first character that `JSON.parse` cannot accept, or the end of a truncated text. */
  syntaxError(error: Error): Span {
    const [, position] = /position (\d+)/.exec(error.message) ?? [];
    return this.at(position === undefined ? firstUnexpected(this.text) : Number(position));
  }

  private scan(): Scan {
    return (this.scanned ??= scan(this.text));
  }

  private at(offset: number): Span {
    this.lineStarts ??= [0, ...Array.from(this.text.matchAll(/\n/g), (match) => match.index + 1)];
    let [low, high] = [0, this.lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { file: this.file, line: low + 1, column: offset - (this.lineStarts[low] ?? 0) + 1 };
  }
}

/** V8 reports no position for an unexpected token; the shortest prefix with an error position ends with the token. */
function firstUnexpected(text: string): number {
  const isUnexpected = (length: number): boolean => {
    try {
      JSON.parse(text.slice(0, length));
      return false;
    } catch (error) {
      return (error as Error).message.startsWith("Unexpected token");
    }
  };
  let [low, high] = [0, text.length];
  if (!isUnexpected(high)) return high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isUnexpected(middle)) high = middle;
    else low = middle;
  }
  return low;
}

/** The position of a value and, by member name or index, of the values inside it. */
interface Place {
  readonly offset: number;
  /** The position of the name, of a member. */
  readonly nameOffset?: number;
  readonly inner: Map<string, Place>;
}

interface Scan {
  readonly root: Place;
  readonly repetitions: readonly {
    readonly pointer: readonly string[];
    readonly first: number;
    readonly second: number;
  }[];
}

/** Positions of all values of a well-formed JSON text. */
function scan(text: string): Scan {
  const repetitions: { pointer: string[]; first: number; second: number }[] = [];
  const document: Place = { offset: 0, inner: new Map() };
  const frames: { place: Place; array: boolean; key: string | undefined; nameOffset?: number }[] = [
    { place: document, array: true, key: "0" },
  ];
  for (const { 0: word, index: offset } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const frame = frames.at(-1);
    if (!frame || word === ":") continue;
    if (word === "}" || word === "]") {
      frames.pop();
    } else if (word === ",") {
      frame.key = frame.array ? String(Number(frame.key) + 1) : undefined;
    } else if (frame.key === undefined) {
      frame.key = JSON.parse(word) as string;
      frame.nameOffset = offset;
    } else {
      const first = frame.place.inner.get(frame.key);
      if (first)
        repetitions.push({ pointer: frames.slice(1).map(({ key }) => key ?? ""), first: first.offset, second: offset });
      const { nameOffset } = frame;
      const place: Place = { offset, inner: new Map(), ...(nameOffset !== undefined && { nameOffset }) };
      frame.place.inner.set(frame.key, place);
      if (word === "{" || word === "[")
        frames.push({ place, array: word === "[", key: word === "[" ? "0" : undefined });
    }
  }
  return { root: document.inner.get("0") ?? document, repetitions };
}
