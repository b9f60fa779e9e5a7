import { StringDecoder } from "node:string_decoder";

/** The longest line, in characters. The start of a longer one is passed on as a line, and the rest is dropped. */
export const maxLine = 2 ** 26;

/** Splits bytes of UTF-8 into lines that end with LF or CR LF. */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  #rest: string[] = [];
  #length = 0;
  #isDropping = false;

  constructor(private readonly onLine: (line: string) => void) {}

  push(chunk: Buffer): void {
    const parts = this.#decoder.write(chunk).split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      this.#append(part);
      this.#finish();
    }
    this.#append(last);
  }

  /** Passes on an unfinished line. */
  end(): void {
    this.#append(this.#decoder.end());
    if (this.#length > 0) this.#finish();
  }

  #append(text: string): void {
    if (text === "" || this.#isDropping) return;
    this.#rest.push(text);
    this.#length += text.length;
    if (this.#length <= maxLine) return;
    this.#emit();
    this.#isDropping = true;
  }

  #finish(): void {
    if (!this.#isDropping) this.#emit();
    this.#isDropping = false;
  }

  #emit(): void {
    const line = this.#rest.join("");
    this.#rest = [];
    this.#length = 0;
    this.onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }
}
