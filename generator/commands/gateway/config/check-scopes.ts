import { isObject } from "../../../shared/is-object.js";
import type { Report } from "./check-type.js";
import { serverFolders } from "./config-fields.js";
import { fieldLabel } from "./labels.js";

/** Reports servers with scopes if the gateway does not know which scopes a client has. */
export function checkScopes(document: Readonly<Record<string, unknown>>, report: Report): void {
  const { gateway } = document;
  if (isObject(gateway) && Object.hasOwn(gateway, "authorization")) return;
  for (const folder of serverFolders) {
    const { [folder]: servers } = document;
    if (!isObject(servers)) continue;
    for (const [name, server] of Object.entries(servers)) {
      if (!isObject(server) || !Object.hasOwn(server, "scopes")) continue;
      const pointer = [folder, name, "scopes"];
      const reason = "without it, the gateway does not know which scopes a client has";
      report(
        "gateway-field-required",
        { owner: fieldLabel(pointer), field: "gateway.authorization", reason },
        pointer,
        "name",
      );
    }
  }
}
