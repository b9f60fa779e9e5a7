import type {
  AuthorizationValue,
  CapabilityModel,
  ConstantModel,
  Definition,
  ErrorModel,
  LimitModel,
  MemberModel,
  ProfileValue,
  Side,
  TypeModel,
} from "../../shared/model/protocol.js";
import { authorizationFields } from "../../shared/model/authorization.js";
import { profileFields } from "../../shared/model/profile.js";
import { linkTo, type EffectiveOverlay } from "../overlay/effective-overlay.js";
import {
  resolveAliases,
  definitionsByName,
  structNamed,
  structOf,
  visitDefinition,
  type Definitions,
} from "../../shared/model/definitions.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import type { Scope } from "./scope.js";

/** FACTS: the overlay's capabilities, error codes, limits and profile, checked against the schema. */

export const capabilityTypes = { client: "ClientCapabilities", server: "ServerCapabilities" } as const;

export function readCapabilities(
  side: Side,
  definitions: Definitions,
  overlay: EffectiveOverlay,
  collector: DiagnosticCollector,
  scope: Scope,
): readonly CapabilityModel[] {
  const table = side === "client" ? overlay.clientCapabilities : overlay.serverCapabilities;
  const root = structNamed(capabilityTypes[side], definitions);
  if (!root) return [];
  return memberPaths(root.members, definitions).map((path) => {
    const entry = collector.take(table, path);
    if (!entry) collector.finding("capability-unknown", { path, side }, scope.get(root.name)?.span);
    return { path, ...(entry && { link: linkTo(overlay, entry.value.spec) }) };
  });
}

function memberPaths(members: readonly MemberModel[], definitions: Definitions, prefix = ""): readonly string[] {
  return members.flatMap((member) => {
    const path = prefix + member.name;
    const inner = member.type.kind === "struct" ? memberPaths(member.type.members, definitions, `${path}.`) : [];
    return [path, ...inner];
  });
}

export function readErrors(
  constants: readonly ConstantModel[],
  overlay: EffectiveOverlay,
  collector: DiagnosticCollector,
  scope: Scope,
): readonly ErrorModel[] {
  const errors: ErrorModel[] = [];
  for (const { name, value } of constants) {
    if (typeof value !== "number" || value >= 0) continue;
    const entry = collector.take(overlay.errors, String(value));
    if (!entry) collector.finding("error-code-unstated", { code: value, name }, scope.get(name)?.span);
    if (entry?.value.name !== undefined) collector.redundant(entry, `errors.${value}.name`);
    errors.push({
      code: value,
      name,
      declared: true,
      ...(entry && { meaning: entry.value.meaning, link: linkTo(overlay, entry.value.spec) }),
      ...(entry?.value.httpStatus !== undefined && { httpStatus: entry.value.httpStatus }),
    });
  }
  for (const [code, entry] of overlay.errors) {
    if (entry.value.name === undefined || errors.some((error) => error.code === Number(code))) continue;
    collector.use(entry);
    const { name, meaning, httpStatus, spec } = entry.value;
    errors.push({
      code: Number(code),
      name,
      declared: false,
      meaning,
      ...(httpStatus !== undefined && { httpStatus }),
      link: linkTo(overlay, spec),
    });
  }
  return errors;
}

export function readLimits(
  definitions: Definitions,
  overlay: EffectiveOverlay,
  collector: DiagnosticCollector,
): readonly LimitModel[] {
  return [...overlay.limits].flatMap(([path, entry]) => {
    const member = findMember(path, definitions);
    if (!member) return [];
    const { spec, ...bounds } = entry.value;
    if (member.type.kind === "array" && bounds.maxItems !== undefined && member.type.maxItems !== undefined) {
      collector.redundant(entry, `limits.${path}`);
      return [];
    }
    collector.use(entry);
    return [{ path, ...bounds, link: linkTo(overlay, spec) }];
  });
}

/** The member that `Type.path.to.member` names; member names may contain dots. */
export function findMember(path: string, definitions: Definitions): MemberModel | undefined {
  const dot = path.indexOf(".");
  const root = structNamed(path.slice(0, dot), definitions);
  return root && dot > 0 ? descend(structOf(root), path.slice(dot + 1), definitions) : undefined;
}

function descend(type: TypeModel, path: string, definitions: Definitions): MemberModel | undefined {
  const target = type.kind === "array" ? descendable(type.items, definitions) : descendable(type, definitions);
  if (target?.kind !== "struct") return undefined;
  for (const member of target.members) {
    if (member.name === path) return member;
    if (path.startsWith(`${member.name}.`))
      return descend(member.type, path.slice(member.name.length + 1), definitions);
  }
  return undefined;
}

function descendable(type: TypeModel, definitions: Definitions): TypeModel | undefined {
  const target = resolveAliases(type, definitions);
  return target.kind === "array" ? descendable(target.items, definitions) : target;
}

export function readProfile(
  revision: string,
  overlay: EffectiveOverlay,
  collector: DiagnosticCollector,
): readonly ProfileValue[] {
  const values = profileFields.flatMap(({ name }): ProfileValue[] => {
    const entry = collector.take(overlay.profile, name);
    if (!entry) {
      collector.finding("profile-unstated", { field: name });
      return [];
    }
    return [{ field: name, value: entry.value.value, link: linkTo(overlay, entry.value.spec) }];
  });
  if (overlay.from !== undefined && overlay.from !== revision)
    collector.finding("profile-inherited", { revision, count: values.length, base: overlay.from });
  return values;
}

/** Returns undefined for a revision whose overlays do not state anything about authorization: it does not define it. */
export function readAuthorization(
  overlay: EffectiveOverlay,
  collector: DiagnosticCollector,
): readonly AuthorizationValue[] | undefined {
  if (overlay.authorization.size === 0) return undefined;
  return authorizationFields.flatMap(({ name }): AuthorizationValue[] => {
    const entry = collector.take(overlay.authorization, name);
    if (entry) return [{ field: name, value: entry.value.value, link: linkTo(overlay, entry.value.spec) }];
    collector.finding("authorization-unstated", { field: name });
    return [];
  });
}

/** `_meta` keys: those with a prefix in the schema, and those that the overlay adds. */
export function readMetaKeys(
  definitions: readonly Definition[],
  overlay: EffectiveOverlay,
  collector: DiagnosticCollector,
): readonly string[] {
  const keys = new Set<string>();
  for (const definition of definitions) {
    visitDefinition(definition, (type) => {
      if (type.kind === "struct")
        for (const { name } of type.members) if (/^[\w.-]+\/[\w.-]+$/.test(name)) keys.add(name);
    });
  }
  for (const [key, entry] of overlay.metaKeys) {
    if (keys.has(key)) collector.redundant(entry, `metaKeys.${key}`);
    else collector.use(entry);
    keys.add(key);
  }
  return [...keys];
}

export function applyDefaults(
  definitions: readonly Definition[],
  overlay: EffectiveOverlay,
  collector: DiagnosticCollector,
): Definition[] {
  const names = definitionsByName(definitions);
  // By type, since inherited copies of a member keep its type object.
  const defaults = new Map<TypeModel, string | number | boolean>();
  for (const [path, entry] of overlay.defaults) {
    const member = findMember(path, names);
    if (!member) continue;
    collector.use(entry);
    defaults.set(member.type, entry.value.value);
  }
  const fill = (members: readonly MemberModel[]): readonly MemberModel[] =>
    members.map((member) => {
      const value = defaults.get(member.type);
      return { ...member, type: inner(member.type), ...(value !== undefined && { default: value }) };
    });
  const inner = (type: TypeModel): TypeModel => {
    if (type.kind === "array") return { ...type, items: inner(type.items) };
    return type.kind === "struct" ? { ...type, members: fill(type.members) } : type;
  };
  return definitions.map((definition) =>
    definition.kind === "struct" ? { ...definition, members: fill(definition.members) } : definition,
  );
}
