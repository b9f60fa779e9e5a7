import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { Definition, ProtocolModel } from "../../shared/model/protocol.js";
import type { Span } from "../../shared/model/source.js";
import { resultDescriptorName } from "./methods.js";
import { constantCase } from "../../shared/names/case.js";
import { outcomes } from "./outcomes.js";

/** What every revision's entry exports besides what is named after the schema. */
const fixed = [
  ...["PROTOCOL_VERSION", "ERROR_CODES", "META_KEYS", "LIMITS", "profile", "resultTag"],
  ...["clientReceives", "clientSide", "ClientRequests", "ClientNotifications", "ClientEvent"],
  ...["serverReceives", "serverSide", "ServerRequests", "ServerNotifications", "ServerEvent"],
];

/** A name to be exported, and what it is derived from. */
export type Claim = readonly [name: string, owner: string];

/** Where a declaration stands. */
export type Locate = (declaration: string) => Span | undefined;

/** @throws DiagnosticError name-collision when two claim one name */
export function rejectDuplicates(claims: Iterable<Claim>, locate: Locate = () => undefined): void {
  const taken = new Map<string, string>();
  for (const [name, owner] of claims) {
    const first = taken.get(name);
    if (first !== undefined) fail("name-collision", { name, owner }, locate(name) ?? locate(owner) ?? locate(first));
    taken.set(name, owner);
  }
}

/**
 * Refuses a schema in which something is named like something else that the revision's entry exports: both would be
 * exported under one name, which no import could tell apart.
 * @throws DiagnosticError name-collision
 */
export function rejectNameCollisions(model: ProtocolModel, locate?: Locate): void {
  const { definitions, constants, errors, requests } = model;
  const claims: readonly Claim[] = [
    ...fixed.map((name): Claim => [name, "every revision's entry"]),
    ...definitions.map(({ name }): Claim => [name, name]),
    ...outcomes(model).map((one): Claim => [one.name, one.kind === "union" ? one.method : one.base]),
    ...constants.map(({ name }): Claim => [name, name]),
    ...errors.filter(({ declared }) => !declared).map(({ name }): Claim => [name, `the error ${name}`]),
    ...definitions.map(({ name }): Claim => [`is${name}`, name]),
    ...requests.map((request): Claim => [resultDescriptorName(request), request.type]),
    ...definitions.filter(isEnumeration).map(({ name }): Claim => [`${constantCase(name)}_VALUES`, name]),
  ];
  rejectDuplicates(claims, locate);
}

function isEnumeration(definition: Definition): boolean {
  return definition.kind === "alias" && definition.type.kind === "enum";
}
