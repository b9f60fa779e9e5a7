import type { AddedRequest, ExtensionOverlayFile } from "../../shared/model/extension.js";
import type { MethodFact, ResultLink } from "../../shared/model/overlay.js";
import type { ProtocolModel, Side } from "../../shared/model/protocol.js";
import type { Span } from "../../shared/model/source.js";
import type { EffectiveOverlay, Entry, Table } from "../overlay/effective-overlay.js";
import type { ExtensionOverlay } from "../overlay/extension-overlay.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import { literalMethod, rolesOf, type RoleMember } from "./roles.js";
import type { Scope } from "./scope.js";

/**
 * The messages of an extension: those in the role unions of its schema, and those that its overlay states. The overlay can have
 * further facts about a message of a union.
 */
export function extensionRoles(
  { file, at }: ExtensionOverlay,
  unions: Scope,
  scope: Scope,
  base: ProtocolModel,
  collector: DiagnosticCollector,
): readonly RoleMember[] {
  const stated = (["requests", "notifications"] as const).flatMap((group) =>
    (["client", "server"] as const).flatMap((sender) =>
      Object.entries(file[group]?.[sender] ?? {}).map(([method, { type }]) => ({ group, sender, method, type })),
    ),
  );
  const rejectCollision = (group: "requests" | "notifications", sender: Side, method: string, span?: Span): void => {
    if (base[group].some((found) => found.method === method && found.sender === sender))
      collector.error("extension-method-collision", { method, revision: base.revision }, span);
  };
  const inUnions = rolesOf(unions, scope, collector);
  for (const { method, sender, kind, type } of inUnions) {
    const group = `${kind}s` as const;
    const span = scope.get(type)?.span;
    const fact = file[group]?.[sender]?.[method];
    if (fact && fact.type !== type)
      collector.error("extension-role-differs", { method, type, stated: fact.type }, at([group, sender, method]));
    rejectCollision(group, sender, method, span);
  }
  const further = stated.filter(
    ({ group, sender, method }) =>
      !inUnions.some((role) => `${role.kind}s` === group && role.sender === sender && role.method === method),
  );
  const inOverlay = further.flatMap(({ group, sender, method, type }): RoleMember[] => {
    const pointer = [group, sender, method];
    const declaration = scope.get(type);
    if (!declaration) {
      collector.error("extension-type-missing", { type, id: file.id }, at([...pointer, "type"]));
      return [];
    }
    const declared = literalMethod(declaration, scope);
    if (declared !== method)
      collector.error("extension-method-mismatch", { type, method, declared: declared ?? "no method" }, at(pointer));
    rejectCollision(group, sender, method, at(pointer));
    return [{ sender, kind: group === "requests" ? "request" : "notification", type, method }];
  });
  return [...inUnions, ...inOverlay];
}

/** The part of an overlay that links messages, from the overlay of an extension. */
export function factsOfMessages(
  file: ExtensionOverlayFile,
  at: ExtensionOverlay["at"],
  roles: readonly RoleMember[],
): EffectiveOverlay {
  const entry = <T>(value: T, span: Span): Entry<T> => ({ value, own: true, span });
  const methods = (sender: "client" | "server"): Table<MethodFact> =>
    new Map([
      ...roles
        .filter((role) => role.sender === sender)
        .map(({ method }) => [method, entry({ capability: null, spec: "" }, at([]))] as const),
      ...(["requests", "notifications"] as const).flatMap((group) =>
        Object.entries<AddedRequest>(file[group]?.[sender] ?? {}).map(
          ([method, { spec = "", routedBy }]) =>
            [
              method,
              entry(
                { capability: null, spec, ...(routedBy !== undefined && { routedBy }) },
                at([group, sender, method]),
              ),
            ] as const,
        ),
      ),
    ]);
  const results = (["client", "server"] as const).flatMap((sender) =>
    Object.entries(file.requests?.[sender] ?? {}).flatMap(
      ([method, { type, result, spec = "" }]): [string, Entry<ResultLink>][] =>
        result === undefined ? [] : [[type, entry({ result, spec }, at(["requests", sender, method, "result"]))]],
    ),
  );
  const none: Table<never> = new Map();
  return {
    from: undefined,
    specification: file.specification ?? "",
    integers: none,
    commonParams: none,
    names: none,
    results: new Map(results),
    resultTag: undefined,
    inBand: undefined,
    clientMethods: methods("client"),
    serverMethods: methods("server"),
    clientCapabilities: none,
    serverCapabilities: none,
    errors: none,
    limits: none,
    defaults: none,
    tolerances: none,
    metaKeys: none,
    deprecated: none,
    profile: none,
    authorization: none,
    sections: none,
    conversions: undefined,
  };
}
