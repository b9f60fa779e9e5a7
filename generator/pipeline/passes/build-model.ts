import { DiagnosticError, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { ConstantModel, ProtocolModel } from "../../shared/model/protocol.js";
import type { SourceModule, TypeExpression } from "../../shared/model/source.js";
import { structureKey } from "../../shared/model/structure.js";
import type { EffectiveOverlay, Table } from "../overlay/effective-overlay.js";
import { rejectContradictions } from "./contradictions.js";
import { definitionsByName } from "../../shared/model/definitions.js";
import type { Docs } from "./read-docs.js";
import { attachDocs } from "./attach-docs.js";
import {
  applyDefaults,
  readAuthorization,
  readCapabilities,
  readErrors,
  readLimits,
  readMetaKeys,
  readProfile,
} from "./overlay-facts.js";
import { expandDeclarations } from "./expand-declarations.js";
import { flatten } from "./flatten.js";
import { DiagnosticCollector } from "./diagnostic-collector.js";
import { addCommonParams, linkMessages } from "./messages.js";
import { readMethodNames, renameDeclarations } from "./rename-declarations.js";
import { hoistParams } from "./hoist-params.js";
import { markRecursion } from "./recursion.js";
import { readRoles } from "./roles.js";
import { resolveReferences, type Scope } from "./scope.js";
import { chooseUnions } from "./unions.js";

export interface BuiltModel {
  readonly model: ProtocolModel;
  /** The declarations, named as in the model. */
  readonly module: SourceModule;
  /** Questions that the user must decide; the model is complete without them. */
  readonly findings: readonly Diagnostic[];
}

/**
 * OVERLAY and PASSES: builds the protocol model of one revision.
 * @throws DiagnosticError with all errors of the schema and of the overlay's own entries
 */
export function buildModel(read: SourceModule, revision: string, overlay: EffectiveOverlay, docs: Docs): BuiltModel {
  const collector = new DiagnosticCollector(read.syntax === "typescript");
  const expanded = expandDeclarations(read, collector);
  stopOnErrors(collector);
  const module = renameDeclarations(expanded, overlay, collector);
  const resolved = resolveReferences(module, collector);
  reportDraft(revision, resolved, collector);
  stopOnErrors(collector);
  const roles = readRoles(resolved, collector);
  const { scope, derived } = hoistParams(resolved, new Set(roles.map(({ type }) => type)), collector);
  stopOnErrors(collector);

  const flat = flatten(restrictIntegers(scope, overlay, collector), collector).map((definition) => {
    const message = derived.get(definition.name);
    return message === undefined ? definition : { ...definition, derivedFrom: message };
  });
  // Contradictory members of a JSON Schema must be absent, which is valid.
  if (module.syntax === "typescript") rejectContradictions(flat, scope, collector);
  const complete = addCommonParams(flat, roles, derived, overlay, collector);
  const documented = attachDocs(applyDefaults(complete, overlay, collector), revision, docs, overlay, collector, scope);
  const definitions = markRecursion(chooseUnions(documented));
  const names = definitionsByName(definitions);

  const capabilities = {
    client: readCapabilities("client", names, overlay, collector, scope),
    server: readCapabilities("server", names, overlay, collector, scope),
  };
  const messages = linkMessages(roles, { scope, definitions: names, capabilities, overlay, collector });
  const constants = readConstants(scope, docs, revision);
  const facts = {
    errors: readErrors(constants, overlay, collector, scope),
    limits: readLimits(names, overlay, collector),
    metaKeys: readMetaKeys(definitions, overlay, collector),
    profile: readProfile(revision, overlay, collector),
  };
  const authorization = readAuthorization(overlay, collector);
  const methods = [...messages.requests, ...messages.notifications, ...messages.inputRequests];
  const methodNames = readMethodNames(new Set(methods.map(({ method }) => method)), overlay, collector);
  if (module.syntax === "json-schema" && constants.length === 0)
    reportLost(module.file, revision, facts, overlay, collector);
  dropUnused(overlay, collector);
  const model: ProtocolModel = {
    format: 1,
    revision,
    specification: overlay.specification,
    constants,
    definitions,
    ...messages,
    capabilities,
    ...facts,
    ...(authorization && { authorization }),
    ...methodNames,
    dropped: collector.dropped,
    ...(overlay.conversions && { conversions: { ...overlay.conversions, strict: module.syntax === "typescript" } }),
  };
  stopOnErrors(collector);
  return { model, module, findings: collector.findings };
}

function reportDraft(revision: string, scope: Scope, collector: DiagnosticCollector): void {
  const constant = scope.get("LATEST_PROTOCOL_VERSION");
  const declared = constant?.kind === "constant" ? constant : undefined;
  if ([revision, declared?.value].some((id) => /(^|[^a-z])draft([^a-z]|$)/i.test(String(id))))
    collector.finding("draft-revision", { revision }, declared?.span);
}

/** A JSON Schema has no constants. Error codes that only the overlay knows show which constants the file has lost. */
function reportLost(
  path: string,
  revision: string,
  { errors }: Pick<ProtocolModel, "errors">,
  overlay: EffectiveOverlay,
  collector: DiagnosticCollector,
): void {
  const lost = [...overlay.errors.keys()].filter((code) => !errors.some((error) => String(error.code) === code));
  if (lost.length > 0) collector.finding("schema-json-lossy", { path, revision, lost: lost.join(", ") });
}

export function stopOnErrors(collector: DiagnosticCollector): void {
  if (collector.errors.length > 0) throw new DiagnosticError(collector.errors);
}

export function readConstants(scope: Scope, docs: Docs, revision: string): readonly ConstantModel[] {
  return [...scope.values()].flatMap((declaration) => {
    if (declaration.kind !== "constant") return [];
    const text = declaration.text ?? docs.text(declaration.name, "", revision);
    return [{ name: declaration.name, value: declaration.value, ...(text !== undefined && { text }) }];
  });
}

/** A `number` is an integer where the overlay says so. */
export function restrictIntegers(scope: Scope, overlay: EffectiveOverlay, collector: DiagnosticCollector): Scope {
  const restricted = new Map(scope);
  for (const [name, entry] of overlay.integers) {
    const declaration = scope.get(name);
    if (declaration?.kind !== "alias") continue;
    const type = withIntegers(declaration.type);
    if (structureKey(type) !== structureKey(declaration.type)) collector.use(entry);
    else if (hasIntegers(type)) collector.redundant(entry, `integers.${name}`);
    restricted.set(name, { ...declaration, type });
  }
  return restricted;
}

function withIntegers(type: TypeExpression): TypeExpression {
  if (type.kind === "primitive" && type.name === "number") return { ...type, name: "integer" };
  return type.kind === "union" ? { kind: "union", members: type.members.map(withIntegers) } : type;
}

function hasIntegers(type: TypeExpression): boolean {
  return type.kind === "union" ? type.members.some(hasIntegers) : type.kind === "primitive" && type.name === "integer";
}

/** The names of the tables in the file. */
const tableNames: Readonly<Record<string, string>> = {
  clientMethods: "methods.client",
  serverMethods: "methods.server",
  clientCapabilities: "capabilities.client",
  serverCapabilities: "capabilities.server",
};

function dropUnused(overlay: EffectiveOverlay, collector: DiagnosticCollector): void {
  const {
    from: _from,
    specification: _specification,
    conversions: _conversions,
    resultTag,
    inBand,
    ...tables
  } = overlay;
  for (const [name, entry] of Object.entries({ resultTag, inBand })) {
    if (entry && !collector.isUsed(entry)) collector.stale(entry, name);
  }
  for (const [name, table] of Object.entries<Table<unknown>>(tables)) {
    for (const [key, entry] of table)
      if (!collector.isUsed(entry)) collector.stale(entry, `${tableNames[name] ?? name}.${key}`);
  }
}
