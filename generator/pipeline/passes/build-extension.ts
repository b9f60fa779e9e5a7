import { fail, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import {
  definitionsByName,
  definitionsIn,
  structNamed,
  visitDefinition,
  type Definitions,
} from "../../shared/model/definitions.js";
import type { AddedResultModel, ExtensionModel, FilterModel, LayeredExtension } from "../../shared/model/extension.js";
import type { Definition, ProtocolModel } from "../../shared/model/protocol.js";
import type { SourceModule } from "../../shared/model/source.js";
import { linkTo, type EffectiveOverlay } from "../overlay/effective-overlay.js";
import { nameOf, type ExtensionOverlay } from "../overlay/extension-overlay.js";
import { attachDocs } from "./attach-docs.js";
import { readConstants, restrictIntegers, stopOnErrors } from "./build-model.js";
import { rejectContradictions } from "./contradictions.js";
import { DiagnosticCollector } from "./diagnostic-collector.js";
import { idDeclaration, statedId, takeRoles, valueOf, withOwnRoles } from "./stated-roles.js";
import { expandDeclarations } from "./expand-declarations.js";
import { extensionRoles, factsOfMessages } from "./extension-messages.js";
import { withNames } from "./declared-names.js";
import { flatten } from "./flatten.js";
import { hoistParams } from "./hoist-params.js";
import { joinModules, linkImports, type LinkedModules, type ResolveImport } from "./link-imports.js";
import { linkMessages } from "./messages.js";
import type { Docs } from "./read-docs.js";
import { markRecursion } from "./recursion.js";
import { overRevision, withoutRepeated } from "./repeated-declarations.js";
import { renameDeclarations } from "./rename-declarations.js";
import { resolveReferences } from "./scope.js";
import { chooseUnions } from "./unions.js";

/** A revision that an extension is laid over. */
export interface ExtensionBase {
  readonly model: ProtocolModel;
  /** The declarations, named as in the schema. */
  readonly module: SourceModule;
  readonly overlay: EffectiveOverlay;
  readonly docs: Docs;
}

export interface BuiltExtension {
  readonly layered: LayeredExtension;
  /** The declarations of the extension, named as in the model. */
  readonly module: SourceModule;
  readonly findings: readonly Diagnostic[];
}

/**
 * LAYER: builds the model of an extension over a revision. The declarations of both go through the same passes; the
 * model has those of the extension.
 * @param resolve finds the files of imports that are not the revision; other imports mean the revision
 * @throws DiagnosticError with all errors of the schema and of the overlay
 */
export function buildExtension(
  written: SourceModule,
  { file, at }: ExtensionOverlay,
  base: ExtensionBase,
  resolve: ResolveImport = () => undefined,
): BuiltExtension {
  const { id, settings = {}, commonParams = {}, metaKeys = {}, specification = "" } = file;
  const { revision } = base.model;
  const collector = new DiagnosticCollector(true);
  const stated = statedId(written);
  if (stated && valueOf(stated) !== id)
    collector.error("extension-id-differs", { stated: String(valueOf(stated)), id }, stated.span);
  const own = withOwnRoles(withoutRepeated(withOwnNames(written, { file, at }, collector), base.module));
  const baseNames = new Set(base.module.declarations.map(({ name }) => name));
  for (const { name, span } of own.declarations)
    if (baseNames.has(name)) collector.error("extension-name-collision", { name, revision }, span);
  stopOnErrors(collector);

  const linked = linkImports(own, overRevision(base.module, resolve));
  for (const { declarations } of linked.imported.filter((imported) => imported.file !== base.module.file))
    for (const { name, span } of declarations)
      if (baseNames.has(name)) collector.error("extension-import-differs", { name, revision }, span);
  stopOnErrors(collector);
  const quiet = new DiagnosticCollector(false);
  const module = renameDeclarations(expandDeclarations(withBase(linked, base.module), collector), base.overlay, quiet);
  const { roles: unions, scope } = takeRoles(resolveReferences(module, collector));
  stopOnErrors(collector);
  const originals = new Map([...base.overlay.names].map(([name, { value }]) => [value.name, name]));
  const isOwn = (name: string): boolean =>
    scope.has(name) && name !== idDeclaration && !baseNames.has(originals.get(name) ?? name);

  const roles = extensionRoles({ file, at }, unions, scope, base.model, collector);
  const { scope: hoisted, derived } = hoistParams(scope, new Set(roles.map(({ type }) => type)), collector);
  stopOnErrors(collector);
  const flat = flatten(restrictIntegers(hoisted, base.overlay, quiet), collector).map((definition) => {
    const message = derived.get(definition.name);
    return message === undefined ? definition : { ...definition, derivedFrom: message };
  });
  rejectContradictions(flat, hoisted, collector);
  const documented = attachDocs(flat, revision, base.docs, base.overlay, quiet, hoisted);
  const definitions = markRecursion(chooseUnions(documented));
  const names = definitionsByName(definitions);
  const belongs = ({ name, derivedFrom }: Definition): boolean => isOwn(derivedFrom ?? name);
  const ownDefinitions = definitions.filter(belongs).map((definition) => withLink(definition, specification));

  const overlay = factsOfMessages(file, at, roles);
  const messages = linkMessages(roles, {
    scope: hoisted,
    definitions: names,
    capabilities: { client: [], server: [] },
    overlay,
    collector,
  });
  const check = (type: string, pointer: readonly string[]): void => {
    if (!names.has(type)) collector.error("extension-type-missing", { type, id }, at(pointer));
  };
  for (const side of ["client", "server"] as const)
    if (settings[side] !== undefined) check(settings[side], ["settings", side]);
  const results = addedResults({ file, at }, base.model, check, collector);
  const filters = addedFilters({ file, at }, base.model, names, check, collector);
  const neededSettings = settingsOfRequests({ file, at }, names, collector);
  for (const key of ["request", "notification"] as const) {
    const type = commonParams[key];
    if (type !== undefined && !base.model.definitions.some(({ name }) => name === type))
      collector.error("extension-base-lacks", { part: type, revision }, at(["commonParams", key]));
  }
  stopOnErrors(collector);

  const model: ExtensionModel = {
    format: 1,
    extension: id,
    name: nameOf(file),
    base: revision,
    revisions: [...new Set([...file.over, revision])],
    specification,
    constants: readConstants(new Map([...hoisted].filter(([name]) => isOwn(name))), base.docs, revision),
    definitions: ownDefinitions,
    imports: importedNames(ownDefinitions),
    requests: messages.requests,
    ...(Object.keys(neededSettings).length > 0 && { neededSettings }),
    notifications: messages.notifications,
    results,
    filters,
    settings: { client: settings.client ?? null, server: settings.server ?? null },
    ...(file.declaredBy && { declaredBy: file.declaredBy }),
    commonParams,
    metaKeys: Object.keys(metaKeys),
    ...(file.roles && { roles: file.roles }),
    ...(base.model.resultTag && { resultTag: base.model.resultTag }),
  };
  return {
    layered: {
      model,
      baseDefinitions: reachable([...model.imports, ...messageTypes(model)], names).filter((one) => !belongs(one)),
    },
    module: own,
    // Those of the revision are reported when it is generated.
    findings: collector.findings.filter(({ span }) => span?.file !== base.module.file),
  };
}

/** The declarations with the names that the overlay states. */
function withOwnNames(
  module: SourceModule,
  { file: { names = {}, id }, at }: ExtensionOverlay,
  collector: DiagnosticCollector,
): SourceModule {
  const declared = new Set(module.declarations.map(({ name }) => name));
  // JSON Schema has no constants, which an overlay can name for a schema.ts of the same extension.
  for (const name of module.syntax === "json-schema" ? [] : Object.keys(names))
    if (!declared.has(name)) collector.error("extension-type-missing", { type: name, id }, at(["names", name]));
  return withNames(module, new Map(Object.entries(names).map(([from, { name }]) => [from, name])));
}

/** The types of an extension are described by its specification, not by pages of its revision. */
function withLink({ link: _link, ...definition }: Definition, specification: string): Definition {
  return specification === "" ? definition : { ...definition, link: specification };
}

/** The names of the types that the definitions refer to and that are not among them. */
function importedNames(definitions: readonly Definition[]): readonly string[] {
  const own = new Set(definitions.map(({ name }) => name));
  const found = new Set<string>();
  for (const definition of definitions)
    visitDefinition(definition, (type) => {
      if (type.kind === "reference" && !own.has(type.name)) found.add(type.name);
    });
  return [...found].sort();
}

/** The types to which the messages refer, of the extension or of the revision. */
function messageTypes({ requests, notifications, commonParams, results, settings }: ExtensionModel): readonly string[] {
  const params = [...requests, ...notifications].flatMap((message) => message.params ?? []);
  const others = [...Object.values(commonParams), ...Object.values(settings).flatMap((type) => type ?? [])];
  return [...params, ...requests.map(({ result }) => result.type), ...results.map(({ type }) => type), ...others];
}

/** The definitions with these names, and all to which they lead. */
function reachable(names: readonly string[], definitions: Definitions): readonly Definition[] {
  const found = new Set(names.flatMap((name) => [...definitionsIn({ kind: "reference", name }, definitions)]));
  return [...definitions.values()].filter(({ name }) => found.has(name));
}

/** All declarations of the revision, because the passes give some of them names that depend on others. */
function withBase({ own, imported }: LinkedModules, base: SourceModule): SourceModule {
  const others = imported.filter(({ file }) => file !== base.file);
  return joinModules({ own, imported: [...others, base] });
}

/** The member of a request's params that contains the filter of its stream: the required object. */
function filterMember(params: string, names: Definitions): string | undefined {
  const found = structNamed(params, names)?.members.find(
    ({ name, optional, type }) =>
      name !== "_meta" &&
      !optional &&
      (type.kind === "reference" ? structNamed(type.name, names) !== undefined : type.kind === "struct"),
  );
  return found?.name;
}

type Check = (type: string, pointer: readonly string[]) => void;

function addedResults(
  { file, at }: ExtensionOverlay,
  base: ProtocolModel,
  check: Check,
  collector: DiagnosticCollector,
): readonly AddedResultModel[] {
  const { results = {}, specification = "" } = file;
  return Object.entries(results).flatMap(([method, tags]) => {
    const pointer = ["results", method];
    const request = base.requests.find((found) => found.method === method && found.sender === "client");
    if (!request || !base.resultTag) {
      const part = request ? "a result tag" : `the request ${method}`;
      collector.error("extension-base-lacks", { part, revision: base.revision }, at(pointer));
    }
    return Object.entries(tags).map(([tag, { type, atLeastOneOf = [], spec }]) => {
      check(type, [...pointer, tag, "type"]);
      const taken = [base.resultTag?.own, ...(base.resultTag?.alternatives.map(({ value }) => value) ?? [])];
      if (taken.includes(tag))
        collector.error("extension-tag-collision", { tag, revision: base.revision }, at([...pointer, tag]));
      return { method, tag, type, atLeastOneOf, ...link(specification, spec) };
    });
  });
}

function addedFilters(
  { file, at }: ExtensionOverlay,
  base: ProtocolModel,
  names: Definitions,
  check: Check,
  collector: DiagnosticCollector,
): readonly FilterModel[] {
  const { filters = {}, specification = "", notifications = {} } = file;
  return Object.entries(filters).map(([member, { spec, ...fact }]) => {
    const pointer = ["filters", member];
    check(fact.type, [...pointer, "type"]);
    const opener = base.requests.find(({ method, stream }) => method === fact.request && stream);
    const within = opener?.params === undefined ? undefined : filterMember(opener.params, names);
    if (within === undefined)
      collector.error(
        "extension-base-lacks",
        { part: `the stream ${fact.request}`, revision: base.revision },
        at([...pointer, "request"]),
      );
    const declaring = names.get(fact.type);
    const declares = declaring?.kind === "struct" && declaring.members.some(({ name }) => name === member);
    if (declaring && !declares)
      collector.error("extension-member-missing", { member, type: fact.type }, at([...pointer, "type"]));
    if (!Object.hasOwn(notifications.server ?? {}, fact.notification))
      collector.error("extension-method-unstated", { method: fact.notification }, at([...pointer, "notification"]));
    return { ...fact, member, within: within ?? "", ...link(specification, spec) };
  });
}

/** The settings that requests need, which the type of the receiver's settings must declare. */
function settingsOfRequests(
  { file, at }: ExtensionOverlay,
  names: Definitions,
  collector: DiagnosticCollector,
): Readonly<Record<string, string>> {
  const stated = (["client", "server"] as const).flatMap((sender) =>
    Object.entries(file.requests?.[sender] ?? {}).flatMap(([method, { setting }]) =>
      setting === undefined ? [] : [{ sender, method, setting }],
    ),
  );
  for (const { sender, method, setting } of stated) {
    const receiver = sender === "client" ? "server" : "client";
    const type = file.settings?.[receiver];
    const declared = type === undefined ? undefined : structNamed(type, names);
    if (!declared?.members.some(({ name }) => name === setting))
      collector.error(
        "extension-member-missing",
        { member: setting, type: type ?? `settings.${receiver}` },
        at(["requests", sender, method, "setting"]),
      );
  }
  return Object.fromEntries(stated.map(({ method, setting }) => [method, setting]));
}

function link(specification: string, spec = ""): { readonly link?: string } {
  const link = linkTo({ specification }, spec);
  return link === "" ? {} : { link };
}

/** @throws DiagnosticError extension-base-unknown when the extension cannot be laid over the revision */
export function assertLaidOver({ file, at }: ExtensionOverlay, revision: string): void {
  if (!file.over.includes(revision))
    fail("extension-base-unknown", { id: file.id, revision, over: file.over.join(", ") }, at(["over"]));
}

/** Two extensions of one output must not declare the same method, tag of a method, or name of a folder. */
export function rejectCollisions(models: readonly ExtensionModel[]): void {
  const seen = new Map<string, string>();
  for (const model of models) {
    const parts = [
      `the folder ${model.name}`,
      ...model.requests.map(({ method, sender }) => `${method}, sent by the ${sender}`),
      ...model.notifications.map(({ method, sender }) => `${method}, sent by the ${sender}`),
      ...model.results.map(({ method, tag }) => `the result ${tag} of ${method}`),
      ...model.filters.map(({ member, request }) => `the filter ${member} of ${request}`),
    ];
    for (const part of parts) {
      const other = seen.get(part);
      if (other !== undefined) fail("extension-collision", { part, first: other, second: model.extension });
      seen.set(part, model.extension);
    }
  }
}
