import { problem, type ConfigProblem, type ReadConfig } from "./config/read-config.js";
import { fieldLabel } from "./config/labels.js";

/** Fields that restrict what servers can do, and that this version does not enforce: to ignore them would be unsafe. */
const ofServer = [
  ["limits", "concurrency"],
  ["limits", "callsPerMinute"],
] as const;
const ofGateway = ["audit"] as const;

/** Reports the settings that the gateway cannot enforce. */
export function unavailableSettings({ usable, locate }: ReadConfig): readonly ConfigProblem[] {
  if (!usable) return [];
  const settings = ofGateway
    .filter((name) => usable.gateway[name] !== undefined)
    .map((name) => report(["gateway", name], locate(undefined, ["gateway", name])));
  const limits = usable.servers.flatMap(({ name, limits }) =>
    ofServer
      .filter(([, limit]) => limits[limit] !== undefined)
      .map((field) => report(["servers", name, ...field], locate(name, field), name)),
  );
  return [...settings, ...limits];
}

function report(pointer: readonly string[], span: ConfigProblem["span"], server?: string): ConfigProblem {
  return problem("gateway-setting-unavailable", { field: fieldLabel(pointer) }, span, server);
}
