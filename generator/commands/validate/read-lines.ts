/** A line of a file, without its end. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Absent when the line is too long or not valid UTF-8. */
  readonly text?: string;
  readonly problem?: "too long" | "no UTF-8";
}

/** Reads line by line. Keeps at most `most` bytes of a line. */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Line, void, undefined> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array): void => {
    length += part.length;
    if (length <= most) parts.push(part);
    else parts = [];
  };
  const line = (): Line => {
    const read = length > most ? { number, problem: "too long" as const } : decoded(number, parts);
    number++;
    parts = [];
    length = 0;
    return read;
  };
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      take(chunk.subarray(start, end));
      yield line();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (length > 0) yield line();
}

function decoded(number: number, parts: readonly Uint8Array[]): Line {
  try {
    return { number, text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts)) };
  } catch {
    return { number, problem: "no UTF-8" };
  }
}
