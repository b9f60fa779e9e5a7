import { readFileSync } from "node:fs";
import { type GatewayLock, parseLock } from "@mcpwright/runtime/gateway";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { errnoText, hasCode } from "../../../shared/files/file-errors.js";

/**
 * Reads a lock.
 * @returns undefined if the file does not exist
 * @throws DiagnosticError gateway-lock-invalid
 */
export async function readLock(path: string): Promise<GatewayLock | undefined> {
  try {
    return await parseLock(readFileSync(path, "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    const reason = errnoText(error) ?? (error instanceof Error ? error.message : String(error));
    return fail("gateway-lock-invalid", { path, reason });
  }
}
