import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Characters kept of an unfinished line. */
const maxLine = 10_000;
const maxHeld = 200;

export interface StderrLines {
  /** The newest lines since the last start of the process. */
  readonly held: () => readonly string[];
  /** Discards the lines of the previous process. */
  readonly restart: () => void;
}

/** Reads a server's standard error line by line, and keeps the newest lines. */
export function readStderr(stderr: Readable, onLine: (line: string) => void): StderrLines {
  let held: string[] = [];
  let rest = "";
  const decoder = new StringDecoder("utf8");
  const take = (line: string): void => {
    held.push(line);
    if (held.length > maxHeld) held.shift();
    onLine(line);
  };
  stderr.on("data", (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = (lines.pop() ?? "").slice(-maxLine);
    for (const line of lines) take(line.replace(/\r$/, "").slice(0, maxLine));
  });
  stderr.on("end", () => {
    if (rest !== "") take(rest);
    rest = "";
  });
  return { held: () => (rest === "" ? held : [...held, rest]), restart: () => (held = []) };
}
