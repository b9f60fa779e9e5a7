import type { FieldType, ObjectType, TextFormat } from "./field-types.js";
import { filledText, notEmpty } from "./text-formats.js";

/** The fields by which the gateway knows its clients, and decides what they may use. */

/** One scope (RFC 6749, section 3.3). */
export const scope: TextFormat = { pattern: "^[!#-\\[\\]-~]+$", expected: "one scope, without spaces" };

export const scopeList: FieldType = { kind: "list", item: { kind: "text", format: scope } };

const scopesByName: FieldType = { kind: "map", names: scope, value: scopeList };
const toolPattern: TextFormat = {
  pattern: "\\S",
  expected: "the name of a tool, in which * stands for any characters",
};

/** The same rules as those of the runtime: identifiers are compared byte by byte, and tokens must not travel unencrypted. */
export const secureOrigin =
  "^(?:https://[\\w.:\\[\\]-]+|http://(?:(?:[\\w.-]+\\.)?localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1\\])(?::\\d+)?)";
const secureUrl: TextFormat = {
  pattern: `${secureOrigin}(?:/[!$->@-\\[\\]-~]*)?$`,
  expected: "a URL that begins with https:// (http:// on this machine only), without user, query and fragment",
  isUrl: true,
};

const url: FieldType = { kind: "text", format: secureUrl };

/** Signature algorithms with public keys. */
export const algorithms = [
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "EdDSA",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
] as const;

function oneOrMore(type: FieldType): FieldType {
  return { kind: "either", types: [type, { kind: "list", item: type, notEmpty: true }] };
}

const introspection: ObjectType = {
  kind: "object",
  fields: [
    { name: "issuer", type: url, description: "The authorization server that issues the tokens.", required: true },
    {
      name: "clientId",
      type: filledText,
      description: "The client as which the gateway asks about tokens.",
      required: true,
    },
    {
      name: "clientSecret",
      type: filledText,
      description: "The secret of clientId. Use a reference, such as ${env:NAME} or ${file:path}.",
      required: true,
    },
    { name: "endpoint", type: url, description: "Where to ask. Default: the one in the metadata of the issuer" },
  ],
};

/** The type of `gateway.authorization`. */
export const authorizationType: ObjectType = {
  kind: "object",
  atLeastOne: { fields: ["issuer", "introspection"], reason: "they say who issues the tokens of clients" },
  requirements: [
    { when: "jwks", field: "issuer", reason: "they are its keys" },
    { when: "algorithms", field: "issuer", reason: "they are those of its tokens" },
  ],
  fields: [
    {
      name: "resource",
      type: url,
      description: "The URL of the gateway, as clients use it. Tokens must be issued for it, unless audience is set.",
      required: true,
    },
    {
      name: "issuer",
      type: oneOrMore(url),
      description: "The authorization server, or several, whose tokens are JWTs, exactly as in their iss.",
    },
    {
      name: "jwks",
      type: url,
      description: "Where the keys of the issuer are. Default: the jwks_uri in its metadata",
    },
    {
      name: "algorithms",
      type: { kind: "list", item: { kind: "choice", values: algorithms }, notEmpty: true },
      description: "The accepted signature algorithms of JWTs. Default: all that have public keys",
    },
    {
      name: "introspection",
      type: introspection,
      description: "An authorization server that the gateway asks about each token, because only it can read them.",
    },
    {
      name: "audience",
      type: oneOrMore({ kind: "text", format: notEmpty }),
      description:
        "What the audience of tokens must contain, or a list of which it must contain one. Default: resource",
    },
    { name: "scopes", type: scopeList, description: "The scopes that every request needs. Default: none" },
    {
      name: "scopeIncludes",
      type: scopesByName,
      description: "The scopes that a broader scope includes, by the broader one.",
    },
  ],
};

/** The type of `scopes` of a server. */
export const serverScopesType: FieldType = {
  kind: "either",
  types: [scopeList, { kind: "map", names: toolPattern, value: scopeList }],
};
