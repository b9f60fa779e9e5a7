import { problem, type ConfigProblem, type ReadConfig } from "./config/read-config.js";
import { fieldLabel } from "./config/labels.js";

/** Fields that restrict what servers can do, and that this version does not enforce: to ignore them would be unsafe. */
const ofGateway = ["audit"] as const;

/** Reports the settings that the gateway cannot enforce. */
export function unavailableSettings({ usable, locate }: ReadConfig): readonly ConfigProblem[] {
  if (!usable) return [];
  return ofGateway
    .filter((name) => usable.gateway[name] !== undefined)
    .map((name) => ["gateway", name])
    .map((pointer) =>
      problem("gateway-setting-unavailable", { field: fieldLabel(pointer) }, locate(undefined, pointer)),
    );
}
