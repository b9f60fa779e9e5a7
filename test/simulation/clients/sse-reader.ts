/** An event of a stream. */
export interface SseEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data?: string;
}

/** Reads the events of a stream from its parts. */
export class SseReader {
  #rest = "";

  /** Returns the events that are complete. */
  read(text: string): SseEvent[] {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.map(toEvent);
  }
}

function toEvent(block: string): SseEvent {
  const fields: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const at = line.indexOf(": ");
    if (at > 0) fields[line.slice(0, at)] = line.slice(at + 2);
  }
  return fields;
}
