import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { GatewaySettings } from "../config/gateway-config.js";
import { type ConfigProblem, problem, type ReadConfig } from "../config/read-config.js";

/** The path of the lock of a configuration: that of its field `lock`, or beside it. */
export function lockPath(config: string, { lock }: GatewaySettings): string {
  return lock === undefined ? `${config.replace(/\.jsonc?$/i, "")}.lock.json` : resolve(dirname(config), lock);
}

/** The mistake of a configuration that requires a lock that does not exist. */
export function missingLock(config: string, { usable, locate }: ReadConfig): readonly ConfigProblem[] {
  if (usable?.gateway.pinning === undefined) return [];
  const path = lockPath(config, usable.gateway);
  if (existsSync(path)) return [];
  const span = locate(undefined, ["gateway", "pinning"]);
  return [problem("gateway-lock-missing", { field: "gateway.pinning", path }, span)];
}
