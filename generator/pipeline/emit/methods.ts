import type {
  ConditionModel,
  InputRequestModel,
  NotificationModel,
  ProtocolModel,
  RequestModel,
  Side,
} from "../../shared/model/protocol.js";
import { binding, code, data, entryKey, join, literal, nothing, typeName, type Code } from "../../shared/code/code.js";
import { messageDoc } from "./message-doc.js";
import { openMembers } from "./open-members.js";
import { resultTypeName, messageStem } from "./outcomes.js";
import { pageItems } from "./page-items.js";

export interface MethodsView {
  readonly predicates: readonly Code[];
  readonly resultRows: readonly Code[];
  readonly open: Code;
  readonly sides: readonly SideView[];
  readonly maps: readonly Code[];
}

interface SideView {
  readonly side: Code;
  readonly peer: Code;
  readonly requests: readonly Code[];
  readonly notifications: readonly Code[];
  readonly results: readonly Code[];
  readonly inputs: readonly Code[];
  readonly answers: readonly Code[];
  readonly resultTag: Code;
}

/**
 * `methods.ts`: the messages that each side receives, as literal tables, and the type-level maps from method to params
 * and result.
 */
export function emitMethods(model: ProtocolModel): MethodsView {
  const tables = (["server", "client"] as const).map((side) => sideView(side, model));
  const rows = model.requests.map((request) => resultRow(request, model));
  const text = [
    ...rows,
    ...tables.flatMap(({ requests, notifications, inputs, answers }) => [
      ...requests,
      ...notifications,
      ...inputs,
      ...answers,
    ]),
  ].join("\n");
  return {
    predicates: predicatesIn(
      text,
      model.definitions.map(({ name }) => name),
    ),
    resultRows: rows,
    open: data(openMembers(model)),
    sides: tables,
    maps: typeMaps(model),
  };
}

/** The predicates of these types that a text calls. */
export function predicatesIn(text: string, types: readonly string[]): readonly Code[] {
  return types
    .map((name) => `is${name}`)
    .filter((name) => new RegExp(`\\b${name.replaceAll("$", "\\$")}\\b(?!\\$)`).test(text))
    .map(binding);
}

function sideView(side: Side, model: ProtocolModel): SideView {
  const received = model.requests.filter(({ sender }) => sender !== side);
  const sent = model.requests.filter(({ sender }) => sender === side);
  const inputs = model.inputRequests;
  return {
    side: binding(side),
    peer: binding(side === "server" ? "client" : "server"),
    requests: received.map((request) => {
      const answer = side === "client" ? { answer: predicate(request.result.type) } : {};
      return code`${entryKey(request.method)}: ${object({ ...requestRow(request), ...answer })}`;
    }),
    notifications: model.notifications
      .filter(({ sender }) => sender !== side)
      .map((found) => code`${entryKey(found.method)}: ${object(notificationRow(found))}`),
    results: sent.map((request) => code`${entryKey(request.method)}: ${resultDescriptorName(request)}`),
    inputs:
      side === "client"
        ? inputs.map(
            (input) =>
              code`${entryKey(input.method)}: ${object({ ...paramsFields(input), ...needs(input), ...deprecatedField(input), answer: predicate(input.result) })}`,
          )
        : [],
    answers: side === "server" ? inputs.map((input) => code`${entryKey(input.method)}: ${answerRow(input)}`) : [],
    resultTag: model.resultTag ? data({ member: model.resultTag.member, own: model.resultTag.own }) : nothing,
  };
}

/** The fields of a received request. */
export function requestRow(request: RequestModel): Record<string, Code> {
  const { routedBy, stream, result, pages, cacheable } = request;
  return {
    ...paramsFields(request),
    ...needs(request),
    ...(result.kind === "tagged" && { alternatives: data(result.alternatives) }),
    ...(result.kind === "presence" && { alternative: data({ member: result.member, onlyWith: result.onlyWith }) }),
    ...(pages !== undefined && { pages: literal(pages) }),
    ...(cacheable && { cacheable: literal(true) }),
    ...(routedBy !== undefined && { routedBy: literal(routedBy) }),
    ...(stream && { stream: data(stream) }),
    ...deprecatedField(request),
  };
}

/** The fields of a received notification. */
export function notificationRow(notification: NotificationModel): Record<string, Code> {
  return {
    ...paramsFields(notification),
    ...needs({ ...notification, conditions: [] }),
    ...deprecatedField(notification),
  };
}

/** The capabilities are those of the request: its sender must know them before it sends. */
function answerRow(input: InputRequestModel): Code {
  return object({ result: predicate(input.result), ...needs(input), ...deprecatedField(input) });
}

/**
 * The row of a request's result, shared by its table and its stub. It is a separate constant so that bundlers can drop
 * it.
 */
function resultRow(request: RequestModel, model: ProtocolModel): Code {
  return code`export const ${resultDescriptorName(request)}: ResultDescriptor = ${object(resultFields(request, model))};`;
}

/** The fields of a received result. */
export function resultFields(request: RequestModel, model: ProtocolModel): Record<string, Code> {
  const { result, pages, cacheable, routedBy, fallbacks, stream } = request;
  return {
    result: predicate(result.type),
    ...alternatives(request, model),
    ...needs(request),
    ...(pages !== undefined && { pages: literal(pages) }),
    ...itemField(request, model),
    ...(cacheable && { cacheable: literal(true) }),
    ...(routedBy !== undefined && { routedBy: literal(routedBy) }),
    ...(stream && { stream: data(stream) }),
    ...(fallbacks && { fallbacks: data(fallbacks) }),
    ...deprecatedField(request),
  };
}

/**
 * Named after the side that receives the result: a method that both sides send needs different capabilities in each
 * direction.
 */
export function resultDescriptorName({ type, sender }: Pick<RequestModel, "type" | "sender">): Code {
  return binding(`${sender}${messageStem(type)}Result`);
}

function alternatives({ result }: RequestModel, { resultTag }: ProtocolModel): Record<string, Code> {
  switch (result.kind) {
    case "single":
      return {};
    case "presence":
      return {
        alternative: object({
          member: literal(result.member),
          onlyWith: literal(result.onlyWith),
          result: predicate(result.alternative),
        }),
      };
    case "tagged": {
      const rows = (resultTag?.alternatives ?? []).filter(({ value }) => result.alternatives.includes(value));
      const entries = rows.map(
        ({ value, type, atLeastOneOf }) =>
          [value, object({ result: predicate(type), atLeastOneOf: data(atLeastOneOf) })] as const,
      );
      return { alternatives: object(Object.fromEntries(entries)) };
    }
  }
}

/** Items of an unnamed type have no predicate either. */
function itemField(request: RequestModel, model: ProtocolModel): Record<string, Code> {
  const items = pageItems(request, model);
  return items?.kind === "reference" ? { item: predicate(items.name) } : {};
}

function paramsFields({
  params,
  paramsOptional,
}: {
  readonly params?: string;
  readonly paramsOptional: boolean;
}): Record<string, Code> {
  return { params: params === undefined ? literal(null) : predicate(params), paramsOptional: literal(paramsOptional) };
}

function needs({
  capability,
  conditions,
}: {
  readonly capability: string | null;
  readonly conditions: readonly ConditionModel[];
}): Record<string, Code> {
  return { capability: literal(capability), ...(conditions.length > 0 && { conditions: data(conditions) }) };
}

function deprecatedField({ deprecated }: { readonly deprecated?: { readonly text: string } }): Record<string, Code> {
  return deprecated ? { deprecated: literal(deprecated.text) } : {};
}

/** The predicate of a type. */
export function predicate(type: string): Code {
  return binding(`is${type}`);
}

/** An object literal. */
export function object(fields: Readonly<Record<string, Code>>): Code {
  const entries = Object.entries(fields).map(([name, field]) => code`${entryKey(name)}: ${field}`);
  return code`{ ${join(entries, ", ")} }`;
}

/** What generated names call the two sides. */
export const sideTitles: Titles = { client: "Client", server: "Server" };

export type Titles = Readonly<Record<Side, string>>;

export interface TypeMapsOptions {
  readonly titles: Titles;
  /** The types of the revision that all params have in common. */
  readonly common: { readonly request?: string; readonly notification?: string };
  /** Prints a reference to a type. */
  readonly typeOf: (name: string) => Code;
}

const ofRevision: TypeMapsOptions = { titles: sideTitles, common: {}, typeOf: (name) => code`types.${typeName(name)}` };

/** The maps from method to params and result, and the unions of notifications. */
export function typeMaps(model: ProtocolModel, options = ofRevision): readonly Code[] {
  const { titles, common, typeOf } = options;
  return (["client", "server"] as const).flatMap((side) => {
    const title = titles[side];
    const requests = model.requests.filter(({ sender }) => sender === side);
    const notifications = model.notifications.filter(({ sender }) => sender === side);
    const requestEntries = requests.map(
      (request) =>
        code`${messageDoc(request, model)}${literal(request.method)}: { params: ${paramsType(request, options, common.request)}; result: ${typeOf(resultTypeName(request))} };\n`,
    );
    const notificationEntries = notifications.map(
      (found) =>
        code`${messageDoc(found, model)}${literal(found.method)}: ${paramsType(found, options, common.notification)};\n`,
    );
    const events = notifications.map((found) => {
      const optional = found.paramsOptional ? code`?` : nothing;
      return code`| { readonly method: ${literal(found.method)}; readonly params${optional}: ${found.params === undefined ? code`object` : typeOf(found.params)} }`;
    });
    return [
      code`/** Params and result of each request that ${article(title)} sends, by method. */\nexport interface ${binding(`${title}Requests`)} {\n${join(requestEntries, "")}}`,
      code`/** Params of each notification that ${article(title)} sends, by method. */\nexport interface ${binding(`${title}Notifications`)} {\n${join(notificationEntries, "")}}`,
      code`/** A notification from ${article(title)}; compare \`method\` to narrow the type. */\nexport type ${binding(`${title}Event`)} = ${events.length > 0 ? join(events, "\n") : code`never`};`,
    ];
  });
}

function article(title: string): Code {
  const name = title.toLowerCase();
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}` as Code;
}

function paramsType(
  { params, paramsOptional }: { readonly params?: string; readonly paramsOptional: boolean },
  { typeOf }: TypeMapsOptions,
  common: string | undefined,
): Code {
  const own = params === undefined ? code`object` : typeOf(params);
  const type = common === undefined ? own : code`${own} & ${typeOf(common)}`;
  return paramsOptional ? code`${type} | undefined` : type;
}
