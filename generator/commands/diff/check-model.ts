import { isObject } from "../../shared/is-object.js";
import type { ProtocolModel } from "../../shared/model/protocol.js";

/** The problem of data that should be a model.json; undefined if valid. Checks only the parts that `diff` reads. */
export function modelProblem(value: unknown): string | undefined {
  if (!isObject(value) || value["format"] !== 1) return "it is not a model.json of format 1";
  const model = value;
  for (const name of ["revision", "specification"])
    if (typeof model[name] !== "string") return `${name} is not a string`;
  for (const name of lists) if (!Array.isArray(model[name])) return `${name} is not an array`;
  const { capabilities } = model;
  if (!isObject(capabilities) || !["client", "server"].every((side) => Array.isArray(capabilities[side])))
    return "capabilities are not arrays by side";
  for (const [name, check] of checks) {
    const items = model[name] as readonly unknown[];
    const at = items.findIndex((item) => !check(item));
    if (at >= 0) return `${name}[${at}] is not as expected`;
  }
  const loop = aliasLoop(model["definitions"] as readonly Json[]);
  if (loop !== undefined) return `${loop} is an alias of itself`;
  const { authorization } = model;
  if (authorization !== undefined && !(Array.isArray(authorization) && authorization.every(hasTexts("field"))))
    return "authorization is not as expected";
  const tag = model["resultTag"];
  if (tag !== undefined && !(isObject(tag) && Array.isArray(tag["alternatives"])))
    return "resultTag has no alternatives";
  return undefined;
}

/** An alias that refers directly to itself. */
function aliasLoop(definitions: readonly Json[]): string | undefined {
  const targets = new Map(
    definitions.map(({ name, type }) => [
      name,
      isObject(type) && type["kind"] === "reference" ? type["name"] : undefined,
    ]),
  );
  const safe = new Set<unknown>();
  for (const name of targets.keys()) {
    const seen = new Set<unknown>();
    for (let at: unknown = name; at !== undefined && !safe.has(at); at = targets.get(at)) {
      if (seen.has(at)) return typeof at === "string" ? at : undefined;
      seen.add(at);
    }
    for (const one of seen) safe.add(one);
  }
  return undefined;
}

/** Whether a JSON text is meant to be a model rather than a JSON Schema. */
export function isModel(value: unknown): value is ProtocolModel {
  return isObject(value) && "format" in value && Array.isArray(value["definitions"]);
}

const lists = [
  "constants",
  "definitions",
  "requests",
  "notifications",
  "inputRequests",
  "errors",
  "limits",
  "metaKeys",
  "profile",
] as const;

const maxDepth = 64;

const checks: readonly (readonly [name: string, check: (item: unknown) => boolean])[] = [
  ["constants", hasTexts("name")],
  ["definitions", isDefinition],
  [
    "requests",
    (item) => isMessage(item) && ["client", "server"].includes(String(item["sender"])) && isResult(item["result"]),
  ],
  ["notifications", (item) => isMessage(item) && ["client", "server"].includes(String(item["sender"]))],
  ["inputRequests", (item) => isMessage(item) && typeof item["result"] === "string"],
  ["errors", (item) => isObject(item) && typeof item["name"] === "string" && typeof item["code"] === "number"],
  ["limits", hasTexts("path")],
  ["metaKeys", (item) => typeof item === "string"],
  ["profile", hasTexts("field")],
];

function isDefinition(item: unknown): boolean {
  if (!isObject(item) || typeof item["name"] !== "string") return false;
  if (item["kind"] === "alias") return isType(item["type"], 0);
  return item["kind"] === "struct" && Array.isArray(item["bases"]) && isBody(item, 0);
}

function isBody(item: Json, depth: number): boolean {
  const { members, index } = item;
  return (
    Array.isArray(members) &&
    members.every(
      (member) => isObject(member) && typeof member["name"] === "string" && isType(member["type"], depth + 1),
    ) &&
    (index === undefined || isType(index, depth + 1))
  );
}

function isType(item: unknown, depth: number): boolean {
  if (!isObject(item) || depth > maxDepth) return false;
  switch (item["kind"]) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
    case "unknown":
    case "never":
    case "object":
      return true;
    case "literal":
      return ["string", "number", "boolean"].includes(typeof item["value"]);
    case "enum":
      return Array.isArray(item["values"]) && item["values"].every((value) => typeof value === "string");
    case "reference":
      return typeof item["name"] === "string";
    case "array":
      return isType(item["items"], depth + 1);
    case "map":
      return isType(item["values"], depth + 1);
    case "struct":
      return isBody(item, depth);
    case "not":
      return isType(item["type"], depth + 1);
    case "entries":
      return isEntries(item, depth + 1);
    case "union":
    case "all":
      return Array.isArray(item["members"]) && item["members"].every((member) => isType(member, depth + 1));
    default:
      return false;
  }
}

function isEntries({ patterns, rest, names, listed }: Json, depth: number): boolean {
  return (
    Array.isArray(patterns) &&
    patterns.every((one) => isObject(one) && typeof one["pattern"] === "string" && isType(one["type"], depth)) &&
    Array.isArray(listed) &&
    listed.every((name) => typeof name === "string") &&
    [rest, names].every((type) => type === undefined || isType(type, depth))
  );
}

function isMessage(item: unknown): item is Json {
  if (!isObject(item)) return false;
  const { conditions = [] } = item;
  return (
    hasTexts("method", "type")(item) && Array.isArray(conditions) && conditions.every(hasTexts("member", "capability"))
  );
}

function isResult(item: unknown): boolean {
  if (!isObject(item) || typeof item["type"] !== "string") return false;
  switch (item["kind"]) {
    case "single":
      return true;
    case "tagged":
      return Array.isArray(item["alternatives"]);
    case "presence":
      return typeof item["alternative"] === "string";
    default:
      return false;
  }
}

type Json = Readonly<Record<string, unknown>>;

function hasTexts(...names: readonly string[]): (item: unknown) => boolean {
  return (item) => isObject(item) && names.every((name) => typeof item[name] === "string");
}
