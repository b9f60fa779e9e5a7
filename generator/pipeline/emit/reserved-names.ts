import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { Definition, ProtocolModel } from "../../shared/model/protocol.js";
import type { Span } from "../../shared/model/source.js";
import { resultDescriptorName } from "./methods.js";
import { constantCase } from "../../shared/names/case.js";
import { outcomes } from "./outcomes.js";

/** The exports of every revision's entry that do not come from the schema. */
const ofRevision: readonly string[] = [
  ...["PROTOCOL_VERSION", "ERROR_CODES", "META_KEYS", "LIMITS", "profile", "resultTag", "MessageMaps"],
  ...["clientReceives", "clientSide", "ClientRequests", "ClientNotifications", "ClientEvent"],
  ...["serverReceives", "serverSide", "ServerRequests", "ServerNotifications", "ServerEvent"],
];

/** An exported name and where it comes from. */
export type Claim = readonly [name: string, owner: string];

/** Where a declaration is in its file. */
export type Locate = (declaration: string) => Span | undefined;

/** @throws DiagnosticError name-collision when two claims have the same name */
export function rejectDuplicates(claims: Iterable<Claim>, locate: Locate = () => undefined): void {
  const taken = new Map<string, string>();
  for (const [name, owner] of claims) {
    const first = taken.get(name);
    if (first !== undefined) fail("name-collision", { name, owner }, locate(name) ?? locate(owner) ?? locate(first));
    taken.set(name, owner);
  }
}

/**
 * Rejects a schema whose names collide with other exports of its entry: an import could not distinguish them.
 * @param fixed the exports that do not come from the schema
 * @throws DiagnosticError name-collision
 */
export function rejectNameCollisions(model: ProtocolModel, locate?: Locate, fixed = ofRevision): void {
  const { definitions, constants, errors, requests } = model;
  const claims: readonly Claim[] = [
    ...fixed.map((name): Claim => [name, "the generated entry"]),
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
