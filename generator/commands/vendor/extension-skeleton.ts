import { diagnostic, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { JsonLocations } from "../../shared/json/json-locations.js";
import type { AddedRequest, ExtensionOverlayFile } from "../../shared/model/extension.js";
import type { ProtocolModel } from "../../shared/model/protocol.js";
import type { Declaration, SourceModule } from "../../shared/model/source.js";
import { nameOf } from "../../pipeline/overlay/extension-overlay.js";
import { listedMembers } from "../../pipeline/passes/declared-members.js";
import { DiagnosticCollector } from "../../pipeline/passes/diagnostic-collector.js";
import { literalMethod, roleUnions, unionMessages } from "../../pipeline/passes/roles.js";
import type { Scope } from "../../pipeline/passes/scope.js";

/** The first overlay of an extension. */
export interface Skeleton {
  readonly text: string;
  /** The facts that it assumes or leaves open, with their positions. */
  readonly findings: readonly Diagnostic[];
}

/**
 * Writes the overlay that a schema suggests. A schema states the types and methods; direction, settings and the results
 * that are added to other methods are assumed from names, and each assumption is a finding.
 * @param base the revision that the extension is laid over
 * @param isStated whether the user named that revision
 * @param file the path of the overlay, for the positions of the findings
 */
export function extensionSkeleton(
  module: SourceModule,
  id: string,
  { base, isStated }: { readonly base: ProtocolModel; readonly isStated: boolean },
  file: string,
): Skeleton {
  const { revision } = base;
  const names = renamedConstants(module, nameOf({ id }), base);
  const messages = messagesOf(module, base);
  const settings = settingsOf(module);
  const requests = Object.fromEntries(
    messages.requests.map(({ method, type }): [string, AddedRequest] => {
      const isResultMissing = !hasResult(type, module, base);
      return [method, { type, ...(isResultMissing && { result: "EmptyResult" }) }];
    }),
  );
  const notifications = Object.fromEntries(messages.notifications.map(({ method, type }) => [method, { type }]));
  const overlay: ExtensionOverlayFile = {
    id,
    over: [revision],
    ...(Object.keys(names).length > 0 && { names }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(messages.requests.length > 0 && { requests: { client: requests } }),
    ...(messages.notifications.length > 0 && { notifications: { server: notifications } }),
  };
  const text = `${JSON.stringify(overlay, null, 2)}\n`;

  const locations = new JsonLocations(text, file);
  const assumed = (fact: string, ...pointer: readonly string[]): Diagnostic =>
    diagnostic("extension-fact-assumed", { fact }, locations.locate(pointer));
  const open = (fact: string, { span }: Declaration): Diagnostic => diagnostic("extension-fact-open", { fact }, span);
  const withoutResult = Object.entries(requests).filter(([, { result }]) => result !== undefined);
  return {
    text,
    findings: [
      ...(isStated ? [] : [assumed(`that the extension is laid over ${revision}`, "over")]),
      ...Object.entries(names).map(([name, fact]) =>
        assumed(`the name ${fact.name} for ${name}, because ${revision} has one of that name`, "names", name),
      ),
      ...Object.entries(settings).map(([side, type]) =>
        assumed(`that the ${side} declares the settings ${type}`, "settings", side),
      ),
      ...sentBy("client", "requests", Object.keys(requests), assumed),
      ...withoutResult.map(([method]) =>
        assumed(`that the result of ${method} has no members`, "requests", "client", method, "result"),
      ),
      ...sentBy("server", "notifications", Object.keys(notifications), assumed),
      ...messages.known.map(({ method, declaration }) =>
        open(`the message ${declaration.name}, because ${method} is a method of ${revision}`, declaration),
      ),
      ...taggedResults(module, base).map(({ tag, declaration }) =>
        open(`which methods can have the result ${declaration.name} (${tag})`, declaration),
      ),
    ],
  };
}

function sentBy(
  side: "client" | "server",
  group: "requests" | "notifications",
  methods: readonly string[],
  assumed: (fact: string, ...pointer: readonly string[]) => Diagnostic,
): readonly Diagnostic[] {
  return methods.length > 0 ? [assumed(`that the ${side} sends the ${group} ${methods.join(", ")}`, group, side)] : [];
}

/** Constants do not refer to those of the revision, so another name changes nothing. */
function renamedConstants(
  module: SourceModule,
  extension: string,
  base: ProtocolModel,
): Readonly<Record<string, { readonly name: string }>> {
  const taken = new Set(base.constants.map(({ name }) => name));
  const prefix = extension.replaceAll("-", "_").toUpperCase();
  const constants = module.declarations.filter(({ kind, name }) => kind === "constant" && taken.has(name));
  return Object.fromEntries(constants.map(({ name }) => [name, { name: `${prefix}_${name}` }]));
}

interface Message {
  readonly method: string;
  readonly type: string;
  readonly declaration: Declaration;
}

/** The types with a method of their own. Those of a method that the revision has are not added to it. */
function messagesOf(
  module: SourceModule,
  base: ProtocolModel,
): Readonly<Record<"requests" | "notifications" | "known", readonly Message[]>> {
  const scope = new Map(module.declarations.map((declaration) => [declaration.name, declaration]));
  const found = module.declarations.flatMap((declaration): readonly Message[] => {
    const method = roleUnions.has(declaration.name) ? undefined : literalMethod(declaration, scope);
    return method === undefined ? [] : [{ method, type: declaration.name, declaration }];
  });
  const known = new Set([...base.requests, ...base.notifications].map(({ method }) => method));
  const isNotification = ({ method, type }: Message): boolean =>
    type.endsWith("Notification") || /(^|\/)notifications\//.test(method);
  const stated = statedTypes(module, scope);
  const own = found.filter(({ method, type }) => !known.has(method) && !stated.has(type));
  return {
    requests: own.filter((message) => !isNotification(message)),
    notifications: own.filter(isNotification),
    known: found.filter(({ method }) => known.has(method)),
  };
}

/** The types in role unions, which state their senders. */
function statedTypes(module: SourceModule, scope: Scope): ReadonlySet<string> {
  const unions = module.declarations.filter(({ name }) => roleUnions.has(name));
  const collector = new DiagnosticCollector(false);
  return new Set(unions.flatMap((union) => unionMessages(union, scope, collector).map(({ name }) => name)));
}

function hasResult(request: string, module: SourceModule, base: ProtocolModel): boolean {
  const result = `${request.replace(/Request$/, "")}Result`;
  return [...module.declarations, ...base.definitions].some(({ name }) => [result, `${result}Response`].includes(name));
}

/** The types of the settings, by their names: `RankSettings`, `RankExtensionCapability`, `RankClientCapabilities`. */
function settingsOf(module: SourceModule): Readonly<Partial<Record<"client" | "server", string>>> {
  const only = (pattern: RegExp): string | undefined => {
    const [found, ...more] = module.declarations.filter(({ name }) => pattern.test(name));
    return more.length === 0 ? found?.name : undefined;
  };
  const both = only(/(Settings|Extension(Capability|Capabilities))$/);
  const client = only(/Client(Capability|Capabilities|Settings)$/) ?? both;
  const server = only(/Server(Capability|Capabilities|Settings)$/) ?? both;
  return { ...(client !== undefined && { client }), ...(server !== undefined && { server }) };
}

/** Results with a tag of their own. */
function taggedResults(
  { declarations }: SourceModule,
  { resultTag }: ProtocolModel,
): readonly { readonly tag: string; readonly declaration: Declaration }[] {
  if (!resultTag) return [];
  const known = new Set([resultTag.own, ...resultTag.alternatives.map(({ value }) => value)]);
  return declarations.flatMap((declaration) => {
    const type = listedMembers(declaration).find(({ name }) => name === resultTag.member)?.type;
    return type?.kind === "literal" && typeof type.value === "string" && !known.has(type.value)
      ? [{ tag: `${resultTag.member} "${type.value}"`, declaration }]
      : [];
  });
}
