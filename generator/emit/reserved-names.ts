import { fail } from "../diagnostics/diagnostic.js";
import type { Definition, ProtocolModel } from "../model/protocol.js";
import { resultRowName } from "./methods.js";
import { screaming } from "./names.js";
import { outcomes } from "./outcomes.js";

/** What every revision's entry exports besides what is named after the schema. */
const fixed = [
  ...["PROTOCOL_VERSION", "ERROR_CODES", "META_KEYS", "LIMITS", "profile", "resultTag"],
  ...["clientReceives", "clientSide", "ClientRequests", "ClientNotifications", "ClientEvent"],
  ...["serverReceives", "serverSide", "ServerRequests", "ServerNotifications", "ServerEvent"],
];

/** A name to be exported, and what it is derived from. */
export type Claim = readonly [name: string, owner: string];

/** @throws DiagnosticError name-collision when two claim one name */
export function refuseDuplicates(claims: Iterable<Claim>): void {
  const taken = new Set<string>();
  for (const [name, owner] of claims) {
    if (taken.has(name)) fail("name-collision", { name, owner });
    taken.add(name);
  }
}

/**
 * Refuses a schema in which something is named like something else that the revision's entry exports: both would be
 * exported under one name, which no import could tell apart.
 * @throws DiagnosticError name-collision
 */
export function refuseNameCollisions(model: ProtocolModel): void {
  const { definitions, constants, errors, requests } = model;
  refuseDuplicates([
    ...fixed.map((name): Claim => [name, "every revision's entry"]),
    ...definitions.map(({ name }): Claim => [name, name]),
    ...outcomes(model).map(({ name }): Claim => [name, name]),
    ...constants.map(({ name }): Claim => [name, name]),
    ...errors.filter(({ declared }) => !declared).map(({ name }): Claim => [name, `the error ${name}`]),
    ...definitions.map(({ name }): Claim => [`is${name}`, name]),
    ...requests.map((request): Claim => [resultRowName(request), request.type]),
    ...definitions.filter(isEnumeration).map(({ name }): Claim => [`${screaming(name)}_VALUES`, name]),
  ]);
}

function isEnumeration(definition: Definition): boolean {
  return definition.kind === "alias" && definition.type.kind === "enum";
}
