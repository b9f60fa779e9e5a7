import { fail } from "../diagnostics/diagnostic.js";
import type { ProtocolModel } from "../model/protocol.js";
import { resultRowName } from "./methods.js";
import { screaming } from "./names.js";
import { outcomes } from "./outcomes.js";

/** What every revision's entry exports besides what is named after the schema. */
const fixed = [
  ...["PROTOCOL_VERSION", "ERROR_CODES", "META_KEYS", "LIMITS", "profile", "resultTag"],
  ...["clientReceives", "clientSide", "ClientRequests", "ClientNotifications", "ClientEvent"],
  ...["serverReceives", "serverSide", "ServerRequests", "ServerNotifications", "ServerEvent"],
];

/**
 * Refuses a schema in which something is named like something else that the revision's entry exports: both would be
 * exported under one name, which no import could tell apart.
 * @throws DiagnosticError name-collision
 */
export function refuseNameCollisions(model: ProtocolModel): void {
  const owners = new Map(fixed.map((name) => [name, "every revision's entry"]));
  const claim = (name: string, owner: string): void => {
    if (owners.has(name)) fail("name-collision", { name, owner });
    owners.set(name, owner);
  };
  for (const { name } of model.definitions) claim(name, name);
  for (const { name } of outcomes(model)) claim(name, name);
  for (const { name } of model.constants) claim(name, name);
  for (const { name, declared } of model.errors) if (!declared) claim(name, `the error ${name}`);
  for (const { name } of model.definitions) claim(`is${name}`, name);
  for (const request of model.requests) claim(resultRowName(request), request.type);
  for (const { kind, name, ...rest } of model.definitions) {
    if (kind === "alias" && "type" in rest && rest.type.kind === "enum") claim(`${screaming(name)}_VALUES`, name);
  }
}
