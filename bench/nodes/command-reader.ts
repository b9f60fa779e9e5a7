/** Finds the commands in what a client of Redis sends (RESP: each is an array of bulk strings). */
export class CommandReader {
  #rest = "";

  /** Returns the names of the commands that are complete with this chunk. @throws when it is not a command */
  read(chunk: Uint8Array): readonly string[] {
    this.#rest += (chunk as Buffer).toString("latin1");
    const names: string[] = [];
    let at = 0;
    for (let command = this.#commandAt(at); command; command = this.#commandAt(at)) {
      names.push(command.name);
      at = command.end;
    }
    this.#rest = this.#rest.slice(at);
    return names;
  }

  /** The command at a position; undefined while it is incomplete. */
  #commandAt(start: number): { readonly name: string; readonly end: number } | undefined {
    const count = this.#numberAt(start, "*");
    let name = "";
    let at = count?.end ?? 0;
    if (!count) return undefined;
    for (let index = 0; index < count.value; index++) {
      const length = this.#numberAt(at, "$");
      if (!length || this.#rest.length < length.end + length.value + 2) return undefined;
      if (index === 0) name = this.#rest.slice(length.end, length.end + length.value).toUpperCase();
      at = length.end + length.value + 2;
    }
    return { name, end: at };
  }

  #numberAt(at: number, mark: string): { readonly value: number; readonly end: number } | undefined {
    const end = this.#rest.indexOf("\r\n", at);
    if (end < 0) return undefined;
    const value = Number(this.#rest.slice(at + 1, end));
    if (this.#rest[at] !== mark || !Number.isInteger(value)) throw new Error(`expected ${mark} and a number at ${at}`);
    return { value, end: end + 2 };
  }
}
