import type { LoggingLevel } from "../authoring.js";

/** From the least to the most severe (RFC 5424, section 6.2.1, in reverse). */
export const levels: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];
