import { isDeepStrictEqual } from "node:util";
import { type Pinning, pinnedBy } from "@mcpwright/runtime/gateway";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import type { GatewaySettings } from "../config/gateway-config.js";
import { readLock } from "./lock-file.js";
import { lockPath } from "./lock-path.js";

/** The pinning of a configuration. */
export interface ConfigPinning {
  /** The path of the lock. */
  readonly path: string;
  readonly option: Pinning;
  /**
   * Reads the lock again.
   * @returns whether it has changed
   * @throws DiagnosticError gateway-lock-*; the lock stays as it was
   */
  reload(): Promise<boolean>;
}

/**
 * Reads the lock that a configuration requires.
 * @returns undefined without the setting `pinning`
 * @throws DiagnosticError gateway-lock-*
 */
export async function pinningOf(config: string, settings: GatewaySettings): Promise<ConfigPinning | undefined> {
  const { pinning: policy } = settings;
  if (policy === undefined) return undefined;
  const path = lockPath(config, settings);
  const read = async () =>
    (await readLock(path)) ?? fail("gateway-lock-missing", { field: `gateway.pinning of ${config}`, path });
  const option = pinnedBy(await read(), { policy });
  return {
    path,
    option,
    async reload() {
      const lock = await read();
      if (isDeepStrictEqual(lock, option.lock)) return false;
      option.update(lock);
      return true;
    },
  };
}
