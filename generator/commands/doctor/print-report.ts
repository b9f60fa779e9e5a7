import { relative } from "node:path";
import { escapeLine } from "../../shared/command/escape-controls.js";
import type { DoctorReport } from "./doctor.js";
import type { DoctorFinding } from "./finding.js";

/** Characters of a message that are printed; paths are long. */
const longest = 1000;

const marks = { error: ["error  ", "31"], warning: ["warning", "33"], ok: ["ok     ", "32"] } as const;

/** The report as text. Texts of files and servers are printed without control characters. */
export function printReport({ folder, findings }: DoctorReport, hasColours: boolean): string {
  const count = (level: DoctorFinding["level"], word: string): string => {
    const number = findings.filter((one) => one.level === level).length;
    return `${number} ${word}${number === 1 ? "" : "s"}`;
  };
  const lines = findings.flatMap((found) => linesOf(found, folder, hasColours));
  return `${lines.map((line) => `${line}\n`).join("")}\n${count("error", "error")}, ${count("warning", "warning")}\n`;
}

function linesOf(
  { check, level, message, path, remedy }: DoctorFinding,
  folder: string,
  hasColours: boolean,
): string[] {
  const [word, colour] = marks[level];
  const mark = hasColours ? `\u001b[${colour}m${word}\u001b[0m` : word;
  const place = path === undefined ? "" : ` (${shown(path, folder)})`;
  return [
    `${mark}  ${check}: ${escapeLine(message + place, longest)}`,
    ...(remedy === undefined ? [] : [`         ${escapeLine(remedy, longest)}`]),
  ];
}

function shown(path: string, folder: string): string {
  const short = relative(folder, path);
  return short === "" || short.startsWith("..") ? path : short;
}
