import { isObject } from "../../../shared/is-object.js";
import type { Report } from "./check-type.js";
import { serverFolders } from "./config-fields.js";
import { fieldLabel } from "./labels.js";

/** The fields of a server that require `gateway.authorization`, and why. */
export const fieldsOfUsers: Readonly<Record<string, string>> = {
  scopes: "without it, the gateway does not know which scopes a client has",
  logIn: "without it, the gateway does not know its users",
};

/** Reports servers with these fields if the gateway does not know its users. */
export function checkUsers(document: Readonly<Record<string, unknown>>, report: Report): void {
  const { gateway } = document;
  if (isObject(gateway) && Object.hasOwn(gateway, "authorization")) return;
  for (const folder of serverFolders) {
    const { [folder]: servers } = document;
    if (!isObject(servers)) continue;
    for (const [name, server] of Object.entries(servers)) {
      if (!isObject(server)) continue;
      for (const [field, reason] of Object.entries(fieldsOfUsers)) {
        if (!Object.hasOwn(server, field)) continue;
        const pointer = [folder, name, field];
        const values = { owner: fieldLabel(pointer), field: "gateway.authorization", reason };
        report("gateway-field-required", values, pointer, "name");
      }
    }
  }
}
