import { LOGGING_LEVEL_VALUES } from "@mcpwright/protocol/2025-11-25";
import type { LoggingLevel } from "../types/index.js";

/** Whether a log message is sent to a client that has set a least level. */
export function reachesLevel(level: LoggingLevel, least: LoggingLevel): boolean {
  return LOGGING_LEVEL_VALUES.indexOf(level) >= LOGGING_LEVEL_VALUES.indexOf(least);
}
