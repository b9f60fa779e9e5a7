import type { LoggingLevel } from "../authoring.js";

const levels: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Whether a client that wants a level gets messages of another. @param wanted the least level; undefined: no messages */
export function isLevelWanted(level: LoggingLevel, wanted: LoggingLevel | undefined): boolean {
  return wanted !== undefined && levels.indexOf(level) >= levels.indexOf(wanted);
}
