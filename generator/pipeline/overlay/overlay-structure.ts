import { authorizationFields, type AuthorizationFieldType } from "../../shared/model/authorization.js";
import { profileFields } from "../../shared/model/profile.js";
import type { JsonStructure } from "../../shared/json/json-structure.js";

const spec: Readonly<Record<string, JsonStructure>> = { spec: "string" };
const entries = (shape: JsonStructure, keys?: readonly string[]): JsonStructure => ({
  map: { nullable: shape },
  ...(keys && { keys }),
});
const sourced = (
  members: Readonly<Record<string, JsonStructure>> = {},
  optional: Readonly<Record<string, JsonStructure>> = {},
): JsonStructure => ({
  members: { ...members, ...spec },
  optional,
});

const condition: JsonStructure = {
  members: { member: "string", capability: "string" },
  optional: { values: { list: "string" } },
};

const method = sourced(
  { capability: "string or null" },
  {
    when: { list: condition },
    alternative: { members: { type: "string", member: "string", onlyWith: "string" } },
    stream: { members: { acknowledged: "string" } },
    routedBy: "string",
    pages: "string",
  },
);

const conversion = sourced(
  {},
  {
    fill: "anything",
    keep: "boolean",
    drop: "boolean",
    substitute: { map: "anything" },
    as: "string",
    function: "string",
    unsupported: "string",
    envelope: "boolean",
    loss: "string",
  },
);

const tolerance: JsonStructure = {
  members: {
    value: { oneOf: ["scalar", { list: { oneOf: [], expected: "nothing" } }], expected: "a scalar, or an empty list" },
    seen: "string",
  },
  optional: { ifMissing: "boolean", ifPresent: "string", ifMistyped: "boolean" },
};

function authorizationValue(type: AuthorizationFieldType): JsonStructure {
  if (type === "boolean") return type;
  return "list" in type
    ? { list: { choice: type.list } }
    : { nullable: { members: Object.fromEntries(type.paths.map((name) => [name, "string"])) } };
}

/** The structure of an overlay file; mirrors `OverlayFile`. */
export const overlayStructure: JsonStructure = {
  members: {},
  optional: {
    extends: "string",
    specification: "string",
    integers: entries(sourced()),
    commonParams: entries(sourced({ type: "string" }), ["request", "notification"]),
    names: entries({ members: { name: "string" }, optional: {} }),
    results: entries(sourced({ result: "string" })),
    resultTag: {
      nullable: sourced({
        member: "string",
        own: "string",
        alternatives: { map: { members: { type: "string", atLeastOneOf: { list: "string" } } } },
      }),
    },
    inBand: { nullable: sourced({ requests: "string", answers: "string" }) },
    methods: { map: entries(method), keys: ["client", "server"] },
    capabilities: { map: entries(sourced()), keys: ["client", "server"] },
    errors: entries(sourced({ meaning: "string" }, { name: "string", httpStatus: "integer" })),
    limits: entries(sourced({}, { maxItems: "integer", maxLength: "integer", minLength: "integer" })),
    defaults: entries(sourced({ value: "scalar" })),
    tolerances: entries(tolerance),
    metaKeys: entries(sourced()),
    deprecated: entries(
      sourced({ since: "string", instead: "string", covers: { list: "string" } }, { removalNotBefore: "string" }),
    ),
    profile: entries(
      sourced({ value: "scalar or null" }),
      profileFields.map(({ name }) => name),
    ),
    authorization: {
      members: {},
      optional: Object.fromEntries(
        authorizationFields.map(({ name, type }) => [name, { nullable: sourced({ value: authorizationValue(type) }) }]),
      ),
    },
    sections: entries({ list: "string" }),
    conversions: { map: { map: conversion }, keys: ["up", "down"] },
  },
};
