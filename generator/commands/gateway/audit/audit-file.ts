import { closeSync, openSync, writeSync } from "node:fs";

/** A file to which lines are appended. A line is in the file when `write` returns, so that none is lost when the gateway ends. */
export class AuditFile {
  #file: number;
  /** Whether the last line is incomplete, because the disk was full. */
  #isTorn = false;

  /** @throws Error of the system when the file cannot be opened */
  constructor(readonly path: string) {
    this.#file = open(path);
  }

  /** @throws Error of the system when the line could not be written as a whole */
  write(line: string): void {
    const bytes = Buffer.from(`${this.#isTorn ? "\n" : ""}${line}\n`);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#file, bytes, written);
      this.#isTorn = false;
    } catch (error) {
      this.#isTorn ||= written > 0;
      throw error;
    }
  }

  /** Opens the file anew, after it was renamed. @throws Error of the system; lines still go to the old file then */
  reopen(): void {
    const before = this.#file;
    this.#file = open(this.path);
    this.#isTorn = false;
    closeSync(before);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function open(path: string): number {
  return openSync(path, "a", 0o600);
}
