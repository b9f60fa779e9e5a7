import {
  binding,
  code,
  data,
  docComment,
  entryKey,
  join,
  literal,
  typeName,
  type Code,
} from "../../shared/code/code.js";
import type { ExtensionModel, FilterModel } from "../../shared/model/extension.js";
import type { NotificationModel, ProtocolModel, RequestModel, Side } from "../../shared/model/protocol.js";
import { lowerFirst, upperFirst } from "../../shared/names/case.js";
import {
  notificationRow,
  object,
  predicate,
  predicatesIn,
  requestRow,
  resultDescriptorName,
  resultFields,
  sideTitles,
  typeMaps,
  type Titles,
} from "./methods.js";
import { openMembers } from "./open-members.js";
import { constant } from "./profile-and-constants.js";

/** `methods.ts` of an extension: the rows of both roles, the maps of types, and the extension as a value. */
export function emitExtensionMethods(model: ExtensionModel, combined: ProtocolModel) {
  const rows = model.requests.map(
    (request) =>
      code`export const ${resultDescriptorName(request)}: ResultDescriptor = ${object({ ...resultFields(request, combined), ...extensionField(model), ...settingField(request, model) })};`,
  );
  const roles = sides.map((side) => roleView(side, model, combined));
  const titles = titlesOf(model);
  const isOwn = new Set(model.definitions.map(({ name }) => name));
  const maps = typeMaps(combined, {
    titles,
    common: model.commonParams,
    typeOf: (type) => (isOwn.has(type) ? code`types.${typeName(type)}` : code`base.${typeName(type)}`),
  });
  const alternatives = byMethod(model).map(
    ([method, tags]) =>
      code`${entryKey(method)}: ${object(Object.fromEntries(tags.map(({ tag, type, atLeastOneOf }) => [tag, object({ result: predicate(type), atLeastOneOf: data(atLeastOneOf) })])))}`,
  );
  const filters = model.filters.map((filter) => filterRow(filter, combined));
  const text = [
    ...rows,
    ...roles.flatMap((role) => [...role.requests, ...role.notifications, ...role.sent, role.settings]),
    ...alternatives,
    ...filters,
  ].join("\n");
  const { valueName, typesName } = valueNames(model);
  return {
    id: literal(model.extension),
    constants: otherConstants(model),
    resultTag: combined.resultTag && data({ member: combined.resultTag.member, own: combined.resultTag.own }),
    hasResultTag: combined.resultTag !== undefined,
    predicates: predicatesIn(text, [...isOwn]),
    basePredicates: predicatesIn(
      text,
      combined.definitions.flatMap(({ name: type }) => (isOwn.has(type) ? [] : [type])),
    ),
    resultRows: rows,
    // Own roles have no part in the messages between client and server.
    roles: model.roles ? roles.map(({ side, settings }) => ({ ...emptyRole, side, settings })) : roles,
    ownRoles: model.roles ? roles : [],
    halves: model.roles ? [] : sides.map((side) => half(side, roles, valueName)),
    maps,
    hasBaseTypes: join(maps, "").includes("base."),
    mapsOf: Object.fromEntries(
      sides.map((side) => [side, sent.map((kind) => (model.roles ? code`object` : binding(titles[side] + kind)))]),
    ),
    alternativeTypes: byMethod(model).map(
      ([method, tags]) =>
        code`readonly ${entryKey(method)}: ${join(
          tags.map(({ type }) => code`types.${typeName(type)}`),
          " | ",
        )};`,
    ),
    alternatives,
    filters,
    typesName: typeName(typesName),
    valueName: binding(valueName),
    revisions: data(model.revisions),
    declaredBy: model.declaredBy && literal(model.declaredBy),
    clientSettings: settingsType(model, "client"),
    serverSettings: settingsType(model, "server"),
    doc: docComment({
      text: `The extension \`${model.extension}\`; pass it to a server or a client.`,
      tags: model.specification === "" ? [] : [`see ${model.specification}`],
    }),
  };
}

/** The constants of the schema, without the names of methods: these are in `names.ts`. */
function otherConstants({ constants, requests, notifications }: ExtensionModel): readonly Code[] {
  const methods = new Set<unknown>([...requests, ...notifications].map(({ method }) => method));
  return constants
    .filter(({ value }) => !methods.has(value))
    .map(({ name, value, text }) => constant(name, literal(value), text, undefined));
}

const sides = ["client", "server"] as const;
const sent = ["Requests", "Notifications"] as const;
const emptyRole = { requests: [], notifications: [], results: [], sent: [], open: data({}) };

/** What generated names call the roles of an extension. */
export function titlesOf({ roles }: ExtensionModel): Titles {
  return roles ? { client: upperFirst(camel(roles.client)), server: upperFirst(camel(roles.server)) } : sideTitles;
}

/** The exports of an extension's entry that do not come from its schema. */
export function fixedNames(model: ExtensionModel): readonly string[] {
  const titles = Object.values(titlesOf(model));
  const { valueName, typesName } = valueNames(model);
  return [
    ...["EXTENSION_ID", "resultTag", "Alternatives", "clientRole", "serverRole", valueName, typesName],
    ...(model.roles ? Object.values(roleNames(model)) : ["clientExtension", "serverExtension"]),
    ...titles.flatMap((title) => ["Requests", "Notifications", "Event"].map((part) => title + part)),
  ];
}

/** The exported constants with the messages of the two roles. */
export function roleNames(model: ExtensionModel): Readonly<Record<Side, string>> {
  const { client, server } = titlesOf(model);
  return { client: `${lowerFirst(client)}Role`, server: `${lowerFirst(server)}Role` };
}

/** The names of the extension as a value, and of its types. */
export function valueNames({ name }: ExtensionModel): Readonly<Record<"stem" | "valueName" | "typesName", string>> {
  const stem = lowerFirst(camel(name));
  return { stem, valueName: `${stem}Extension`, typesName: `${upperFirst(stem)}ExtensionTypes` };
}

/** The extension for one side, without the messages of the other: a bundler leaves these out. */
function half(side: Side, roles: readonly ReturnType<typeof roleView>[], valueName: string) {
  const peer = side === "client" ? "server" : "client";
  return {
    side: binding(side),
    peer: binding(peer),
    settings: roles[sides.indexOf(peer)]?.settings,
    doc: docComment({
      text: `The extension for ${side}s: \`${valueName}\` without the messages that ${peer}s receive, for smaller bundles.`,
      tags: [],
    }),
  };
}

/** A message between client and server needs the extension on both sides. */
function extensionField({ roles }: ExtensionModel): Record<string, Code> {
  return roles ? {} : { extension: code`EXTENSION_ID` };
}

/** The setting that the receiver of a request must declare. */
function settingField({ method }: RequestModel, { neededSettings = {} }: ExtensionModel): Record<string, Code> {
  const setting = Object.hasOwn(neededSettings, method) ? neededSettings[method] : undefined;
  return setting === undefined ? {} : { setting: literal(setting) };
}

function roleView(side: Side, model: ExtensionModel, combined: ProtocolModel) {
  const { requests, notifications, commonParams, settings } = model;
  const received = (sender: Side): readonly Code[] =>
    notifications
      .filter((found) => found.sender === sender)
      .map(
        (found) =>
          code`${entryKey(found.method)}: ${object(complete(notificationRow(found), found, model, commonParams.notification))}`,
      );
  const peer = side === "client" ? "server" : "client";
  const type = settings[side];
  return {
    side: binding(side),
    title: binding(lowerFirst(titlesOf(model)[side])),
    requests: requests
      .filter(({ sender }) => sender !== side)
      .map(
        (found) =>
          code`${entryKey(found.method)}: ${object(complete({ ...requestRow(found), ...settingField(found, model), ...(side === "client" && { answer: predicate(found.result.type) }) }, found, model, commonParams.request))}`,
      ),
    notifications: received(peer),
    results: requests
      .filter(({ sender }) => sender === side)
      .map((found) => code`${entryKey(found.method)}: ${resultDescriptorName(found)}`),
    sent: received(side),
    settings:
      type === null
        ? code`(value) => typeof value === "object" && value !== null && !Array.isArray(value)`
        : predicate(type),
    open: data(openMembers({ ...combined, requests: requests.filter(({ sender }) => sender === side) })),
  };
}

/** The fields of a row; its params must also fit the type of the revision that all params have in common. */
function complete(
  fields: Record<string, Code>,
  { params }: RequestModel | NotificationModel,
  model: ExtensionModel,
  common: string | undefined,
): Record<string, Code> {
  if (common === undefined) return { ...fields, ...extensionField(model) };
  const fits = predicate(common);
  // A function instead of a call, so that bundlers can drop the rows of a role that is not used.
  const all = params === undefined ? fits : code`(value) => ${fits}(value) && ${predicate(params)}(value)`;
  return { ...fields, params: all, ...extensionField(model) };
}

function filterRow(
  { member, type, request, within, notification, key }: FilterModel,
  { definitions }: ProtocolModel,
): Code {
  const struct = definitions.find(({ name }) => name === type);
  const declared = struct?.kind === "struct" ? struct.members.find(({ name }) => name === member) : undefined;
  const accepts = code`(value) => value !== undefined && ${predicate(type)}({ ${entryKey(declared?.name ?? member)}: value })`;
  return code`${entryKey(member)}: ${object({ method: literal(request), within: literal(within), accepts, notification: literal(notification), key: literal(key) })}`;
}

function byMethod({ results }: ExtensionModel): readonly (readonly [string, ExtensionModel["results"]])[] {
  const methods = [...new Set(results.map(({ method }) => method))];
  return methods.map((method) => [method, results.filter((result) => result.method === method)]);
}

function settingsType({ settings }: ExtensionModel, side: Side): Code {
  const type = settings[side];
  return type === null ? code`{ [key: string]: unknown }` : code`types.${typeName(type)}`;
}

function camel(name: string): string {
  return name
    .split("-")
    .map((word, at) => (at === 0 ? word : upperFirst(word)))
    .join("");
}
