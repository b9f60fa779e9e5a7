import type * as overlay from "../../shared/model/overlay.js";
import type {
  Definition,
  InputRequestModel,
  NotificationModel,
  ProtocolModel,
  RequestModel,
  ResultModel,
  ResultTagModel,
  Side,
  ResultFallbackModel,
  StructDefinition,
  TypeModel,
} from "../../shared/model/protocol.js";
import { linkTo, type EffectiveOverlay } from "../overlay/effective-overlay.js";
import { resolveAliases, structNamed, type Definitions } from "../../shared/model/definitions.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import { unionMessages, type RoleMember } from "./roles.js";
import type { Scope } from "./scope.js";

export interface Messages {
  readonly requests: readonly RequestModel[];
  readonly notifications: readonly NotificationModel[];
  readonly inputRequests: readonly InputRequestModel[];
  readonly resultTag?: ResultTagModel;
}

interface Context {
  readonly scope: Scope;
  readonly definitions: Definitions;
  readonly capabilities: ProtocolModel["capabilities"];
  readonly overlay: EffectiveOverlay;
  readonly collector: DiagnosticCollector;
}

/** MESSAGES: links each message to its params, result and alternatives, and to the overlay's facts about it. */
export function linkMessages(roles: readonly RoleMember[], context: Context): Messages {
  const resultTag = readResultTag(context);
  const requests = roles.flatMap((role) => (role.kind === "request" ? [request(role, resultTag, context)] : []));
  const notifications = roles.flatMap((role) => (role.kind === "notification" ? [notification(role, context)] : []));
  const inputRequests = readInputRequests(context);
  if (inputRequests.length === 0) findInputRequests(roles, context);
  for (const { method, sender, stream } of requests) {
    const opened = notifications.some((found) => found.sender !== sender && found.method === stream?.acknowledged);
    if (stream && !opened) staleMethod(sender, method, `stream ${stream.acknowledged}`, context);
  }
  return { requests, notifications, inputRequests, ...(resultTag && { resultTag }) };
}

function request(role: RoleMember, resultTag: ResultTagModel | undefined, context: Context): RequestModel {
  const fact = methodFact(role.sender, role.method, role.type, context);
  const result = linkResult(role.type, resultTag, fact?.alternative, context);
  const message = messageBase(role, fact, context);
  const resultType = structNamed(result.type, context.definitions);
  const pages = pageMember(role, message.params, resultType, fact?.pages, context);
  const fallbacks = resultType ? readFallbacks(resultType, context) : [];
  const cacheable = ["ttlMs", "cacheScope"].every((name) => resultType?.members.some((member) => member.name === name));
  return {
    ...message,
    sender: role.sender,
    conditions: fact?.when ?? [],
    result,
    ...(pages !== undefined && { pages }),
    ...(cacheable && { cacheable }),
    ...(fact?.stream && { stream: { acknowledged: fact.stream.acknowledged } }),
    ...(fact?.routedBy !== undefined && { routedBy: fact.routedBy }),
    ...(fallbacks.length > 0 && { fallbacks }),
  };
}

/** Tolerances for required members of a result, stated for its type or for the type that declares the member. */
function readFallbacks(
  { name, members }: StructDefinition,
  { overlay: facts, collector }: Context,
): ResultFallbackModel[] {
  return members.flatMap((member) => {
    if (member.optional) return [];
    const entry = [name, member.inheritedFrom]
      .map((type) => type !== undefined && collector.take(facts.tolerances, `${type}.${member.name}`))
      .find((found) => found);
    if (!entry) return [];
    const { seen: _seen, ...fallback } = entry.value;
    return [{ member: member.name, ...fallback }];
  });
}

function notification(role: RoleMember, context: Context): NotificationModel {
  const fact = methodFact(role.sender, role.method, role.type, context);
  return { ...messageBase(role, fact, context), sender: role.sender };
}

function readInputRequests(context: Context): readonly InputRequestModel[] {
  const entry = context.overlay.inBand;
  const union = entry && context.scope.get(entry.value.requests);
  if (!entry || !union || !context.scope.has(entry.value.answers)) return [];
  context.collector.use(entry);
  return unionMessages(union, context.scope, context.collector).map(({ name, method }) => {
    const fact = methodFact("server", method, name, context);
    const message = messageBase({ type: name, method }, fact, context);
    return {
      ...message,
      conditions: fact?.when ?? [],
      result: linkResult(name, undefined, undefined, context).type,
    };
  });
}

/**
 * Finds unions of messages that no role union contains: they may be embedded in results, which only the overlay can
 * state.
 */
function findInputRequests(roles: readonly RoleMember[], { definitions, collector, scope }: Context): void {
  const sent = new Set(roles.map(({ type }) => type));
  const isUnsent = (type: TypeModel): boolean => {
    if (type.kind !== "reference" || sent.has(type.name)) return false;
    const method = structNamed(type.name, definitions)?.members.find(({ name }) => name === "method");
    return method?.type.kind === "literal";
  };
  for (const definition of definitions.values()) {
    if (definition.kind !== "alias" || definition.type.kind !== "union") continue;
    const { members } = definition.type;
    if (!members.every(isUnsent)) continue;
    const messages = members.map((member) => (member.kind === "reference" ? member.name : "")).join(", ");
    collector.finding("in-band-unstated", { union: definition.name, messages }, scope.get(definition.name)?.span);
  }
}

type MethodFact = overlay.MethodFact | undefined;

/** The overlay's facts about a method, without those that the schema contradicts. */
function methodFact(side: Side, method: string, type: string, context: Context): MethodFact {
  const { definitions, overlay: facts, collector, scope } = context;
  const unstated = (): void => collector.finding("capability-unstated", { method, side }, scope.get(type)?.span);
  const entry = collector.take(side === "client" ? facts.clientMethods : facts.serverMethods, method);
  if (!entry) {
    unstated();
    return undefined;
  }

  const params = paramsOf(type, definitions);
  const carries = (member: string): boolean => params !== undefined && hasMember(params, member, definitions);
  const keep = (holds: boolean, part: string): boolean => {
    if (!holds) staleMethod(side, method, part, context);
    return holds;
  };
  const { capability, when = [], alternative, routedBy, pages, ...rest } = entry.value;
  const known = capability === null || keep(isDeclared(capability, context), `capability ${capability}`);
  if (!known) unstated();
  const other = alternative && structNamed(alternative.type, definitions);
  const offered = other?.members.some(({ name }) => name === alternative?.member) === true;
  return {
    ...rest,
    capability: known ? capability : null,
    when: when.filter(
      (condition) =>
        keep(carries(condition.member), `condition on ${condition.member}`) &&
        keep(isDeclared(condition.capability, context), `capability ${condition.capability}`),
    ),
    ...(alternative &&
      keep(offered && carries(alternative.onlyWith), `alternative ${alternative.type}`) && { alternative }),
    ...(routedBy !== undefined && keep(carries(routedBy), `routedBy ${routedBy}`) && { routedBy }),
    ...(pages !== undefined && keep(carries("cursor"), `pages ${pages}`) && { pages }),
  };
}

function staleMethod(side: Side, method: string, part: string, { overlay: facts, collector }: Context): void {
  const entry = (side === "client" ? facts.clientMethods : facts.serverMethods).get(method);
  if (entry) collector.stale(entry, `methods.${side}.${method}: ${part}`);
}

function isDeclared(capability: string, { capabilities }: Context): boolean {
  const [side, ...path] = capability.split(".");
  return (side === "client" || side === "server") && capabilities[side].some((entry) => entry.path === path.join("."));
}

function paramsOf(type: string, definitions: Definitions): string | undefined {
  const params = structNamed(type, definitions)?.members.find(({ name }) => name === "params")?.type;
  return params?.kind === "reference" ? params.name : undefined;
}

function messageBase(
  { type, method }: Pick<RoleMember, "type" | "method">,
  fact: MethodFact,
  { definitions, overlay: facts, scope, collector }: Context,
) {
  const struct = structNamed(type, definitions);
  const member = struct?.members.find(({ name }) => name === "params");
  const params = paramsOf(type, definitions);
  if (member && params === undefined && !isAnyObject(member.type))
    collector.error("params-not-object", { message: type }, scope.get(type)?.span);
  if (params !== undefined && !isObjectType({ kind: "reference", name: params }, definitions))
    collector.error("params-not-object", { message: type }, scope.get(type)?.span);
  return {
    method,
    type,
    ...(params !== undefined && { params }),
    paramsOptional: member?.optional ?? true,
    capability: fact?.capability ?? null,
    ...(fact && linkTo(facts, fact.spec) !== "" && { link: linkTo(facts, fact.spec) }),
    ...(struct?.deprecated && { deprecated: struct.deprecated }),
  };
}

function isAnyObject(type: TypeModel): boolean {
  return type.kind === "object" || type.kind === "map";
}

function isObjectType(type: TypeModel, definitions: Definitions): boolean {
  const target = resolveAliases(type, definitions);
  if (target.kind === "union") return target.members.every((member) => isObjectType(member, definitions));
  if (target.kind === "all") return target.members.some((member) => isObjectType(member, definitions));
  return target.kind === "struct" || isAnyObject(target);
}

function hasMember(type: string, member: string, definitions: Definitions): boolean {
  const declares = (part: TypeModel): boolean => {
    const target = resolveAliases(part, definitions);
    if (target.kind === "union" || target.kind === "all") return target.members.some(declares);
    return target.kind === "struct" && target.members.some(({ name }) => name === member);
  };
  return declares({ kind: "reference", name: type });
}

function readResultTag({ overlay: { resultTag: entry }, definitions, collector }: Context): ResultTagModel | undefined {
  if (!entry) return undefined;
  const alternatives = Object.entries(entry.value.alternatives).map(([value, { type, atLeastOneOf }]) => ({
    value,
    type,
    atLeastOneOf,
  }));
  const fits = alternatives.every(({ type, atLeastOneOf }) => {
    const members = structNamed(type, definitions)?.members;
    return [entry.value.member, ...atLeastOneOf].every((name) => members?.some((member) => member.name === name));
  });
  if (!fits) return undefined;
  collector.use(entry);
  return { member: entry.value.member, own: entry.value.own, alternatives };
}

/** Finds the result of a request by `FooResultResponse`, by the overlay, or by the name `FooResult`. */
function linkResult(
  request: string,
  tag: ResultTagModel | undefined,
  alternative: overlay.MethodFact["alternative"],
  context: Context,
): ResultModel {
  const { definitions, overlay: facts, collector, scope } = context;
  const stem = request.replace(/Request$/, "");
  const response = structNamed(`${stem}ResultResponse`, definitions)?.members.find(
    ({ name }) => name === "result",
  )?.type;
  const stated = collector.take(facts.results, request);
  const declared = response
    ? referencedNames(response)
    : definitions.has(`${stem}Result`)
      ? [`${stem}Result`]
      : undefined;
  if (stated && declared) collector.redundant(stated, `results.${request}`);
  const names = declared ?? (stated && definitions.has(stated.value.result) ? [stated.value.result] : []);

  const tagged = tag?.alternatives.filter(({ type }) => names.includes(type)) ?? [];
  const untagged = names.filter((name) => !tagged.some((alternative_) => alternative_.type === name));
  const [type, ...others] = untagged.includes(`${stem}Result`) ? [`${stem}Result`] : untagged;
  if (type !== undefined && untagged.length > others.length + 1) {
    const unstated = untagged.filter((name) => name !== type).join(", ");
    collector.finding("result-alternative-unstated", { request, alternatives: unstated }, scope.get(request)?.span);
  }
  if (type === undefined || others.length > 0) {
    collector.error("result-missing", { request, expected: `${stem}Result` }, scope.get(request)?.span);
    return { kind: "single", type: type ?? request };
  }
  if (tagged.length > 0) return { kind: "tagged", type, alternatives: tagged.map(({ value }) => value) };
  if (
    alternative &&
    structNamed(alternative.type, definitions)?.members.some(({ name }) => name === alternative.member)
  ) {
    return {
      kind: "presence",
      type,
      alternative: alternative.type,
      member: alternative.member,
      onlyWith: alternative.onlyWith,
    };
  }
  return { kind: "single", type };
}

function referencedNames(type: TypeModel): readonly string[] {
  if (type.kind === "reference") return [type.name];
  return type.kind === "union" ? type.members.flatMap(referencedNames) : [];
}

/** The list member of a result with `cursor` and `nextCursor`; of several lists, the one that the overlay states. */
function pageMember(
  { sender, method }: Pick<RequestModel, "sender" | "method">,
  params: string | undefined,
  result: StructDefinition | undefined,
  stated: string | undefined,
  context: Context,
): string | undefined {
  const { definitions, collector, overlay: facts, scope } = context;
  if (
    params === undefined ||
    !hasMember(params, "cursor", definitions) ||
    !result?.members.some(({ name }) => name === "nextCursor")
  ) {
    if (stated !== undefined) staleMethod(sender, method, `pages ${stated}`, context);
    return undefined;
  }
  const lists = result.members.flatMap(({ name, type }) => (type.kind === "array" ? [name] : []));
  const entry = (sender === "client" ? facts.clientMethods : facts.serverMethods).get(method);
  if (entry && stated !== undefined && lists.includes(stated)) {
    if (lists.length > 1) return stated;
    collector.redundant(entry, `methods.${sender}.${method}: pages ${stated}`);
  } else if (stated !== undefined) staleMethod(sender, method, `pages ${stated}`, context);
  if (lists.length > 1)
    collector.finding(
      "pages-unstated",
      { result: result.name, members: lists.join(", ") },
      scope.get(result.name)?.span,
    );
  return lists.length === 1 ? lists[0] : undefined;
}

/** Adds the members that every request or notification carries to derived params. */
export function addCommonParams(
  definitions: readonly Definition[],
  roles: readonly RoleMember[],
  derived: ReadonlyMap<string, string>,
  overlayFacts: EffectiveOverlay,
  collector: DiagnosticCollector,
): Definition[] {
  const structs = new Map(definitions.map((definition) => [definition.name, definition]));
  const common = new Map<string, StructDefinition>();
  for (const kind of ["request", "notification"] as const) {
    const entry = overlayFacts.commonParams.get(kind);
    const target = entry && structs.get(entry.value.type);
    if (!entry || target?.kind !== "struct") continue;
    collector.use(entry);
    for (const role of roles) {
      if (role.kind !== kind) continue;
      const message = structs.get(role.type);
      const params =
        message?.kind === "struct" ? message.members.find(({ name }) => name === "params")?.type : undefined;
      if (params?.kind === "reference" && derived.has(params.name) && params.name !== target.name)
        common.set(params.name, target);
    }
  }
  return definitions.map((definition) => {
    const from = common.get(definition.name);
    if (!from || definition.kind !== "struct") return definition;
    const missing = from.members.filter((member) => !definition.members.some(({ name }) => name === member.name));
    return {
      ...definition,
      members: [...missing.map((member) => ({ ...member, inheritedFrom: from.name })), ...definition.members],
    };
  });
}
