/** The fields between two blank lines of an event stream. */
export interface Block {
  readonly event?: string;
  readonly id?: string;
  readonly retry?: string;
  readonly data?: string;
  readonly comment?: string;
}

/** Reads an event stream, in the strict form in which servers write it. */
export class Blocks {
  text = "";
  isBroken = false;
  readonly waiting: Block[] = [];
  #unread = "";
  #ended = false;
  readonly #wanting: ((block: Block | undefined) => void)[] = [];

  push(text: string): void {
    this.text += text;
    const parts = (this.#unread + text).split("\n\n");
    this.#unread = parts.pop() ?? "";
    for (const part of parts) this.#take(block(part));
  }

  end(isBroken: boolean): void {
    this.isBroken = isBroken;
    this.#ended = true;
    for (const want of this.#wanting) want(undefined);
  }

  next(): Promise<Block | undefined> {
    const block = this.waiting.shift();
    if (block || this.#ended) return Promise.resolve(block);
    return new Promise((resolve) => this.#wanting.push(resolve));
  }

  rest(): Block[] {
    return this.waiting.splice(0);
  }

  #take(block: Block): void {
    const want = this.#wanting.shift();
    if (want) want(block);
    else this.waiting.push(block);
  }
}

function block(text: string): Block {
  return Object.fromEntries(
    text.split("\n").map((line) => {
      const [, name = "", value = ""] = /^(\w*): ?(.*)$/.exec(line) ?? [];
      return [name || "comment", value];
    }),
  );
}
