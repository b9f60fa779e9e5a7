import { scopeList, secureOrigin } from "./authorization-fields.js";
import type { Field, FieldType, ObjectType, TextFormat } from "./field-types.js";
import { filledText } from "./text-formats.js";

/** The fields by which the gateway, or each of its users, logs in to servers. */

const issuerUrl: TextFormat = {
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@]+\\S*$",
  expected: "an http or https URL",
};
const host: TextFormat = {
  // A name or IPv4 address, or an IPv6 address.
  pattern: "^(?:[^\\s/\\\\?#@:\\[\\]]+|\\[?[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*\\]?)$",
  expected: "a host, without scheme, port and path",
};
const page: TextFormat = {
  pattern: `${secureOrigin}/[!$->@-\\[\\]-~]*[!$-.0->@-\\[\\]-~]$`,
  expected:
    "the URL of a page, which begins with https:// (http:// on this machine only), with a path and nothing behind it",
  isUrl: true,
};

const clientSecret: Field = {
  name: "clientSecret",
  type: filledText,
  description: "The secret of clientId. Use a reference, such as ${env:NAME} or ${file:path}.",
};
const issuer: Field = {
  name: "issuer",
  type: { kind: "text", format: issuerUrl },
  description: "The authorization server of clientId; the secret is sent to no other one.",
};
const scopes: Field = {
  name: "scopes",
  type: scopeList,
  description: "Scopes to request besides those that the server names.",
};
const authHosts: Field = {
  name: "authHosts",
  type: { kind: "list", item: { kind: "text", format: host } },
  description: "Hosts of authorization servers that may have a private address.",
};

const secretOfClient = { when: "clientSecret", field: "clientId", reason: "the secret belongs to this client" };
const issuerOfClient = { when: "issuer", field: "clientId", reason: "it has registered this client" };

/** The type of `auth` of a server. */
export const serverAuthType: ObjectType = {
  kind: "object",
  requirements: [
    { when: "type", is: ["service"], field: "clientId", reason: "the gateway logs in as this client" },
    { when: "type", is: ["service"], field: "clientSecret", reason: "the gateway logs in with it" },
    secretOfClient,
  ],
  fields: [
    {
      name: "type",
      type: { kind: "choice", values: ["user", "service", "none"] },
      description:
        "`user`: you log in to the server, for all clients. `service`: the gateway logs in with `clientId` and `clientSecret`. `none`: only the headers are sent. Default: `user`",
    },
    {
      name: "clientId",
      aliases: ["CLIENT_ID"],
      type: filledText,
      description: "The client that is registered at the authorization server. Default: the gateway registers itself",
    },
    { ...clientSecret, aliases: ["CLIENT_SECRET"] },
    scopes,
    issuer,
    authHosts,
  ],
};

/** The type of `logIn` of a server. */
export const serverLogInType: FieldType = {
  kind: "either",
  types: [
    { kind: "true" },
    {
      kind: "object",
      requirements: [secretOfClient, issuerOfClient],
      fields: [
        {
          name: "clientId",
          type: filledText,
          description:
            "The gateway as a client of the server's authorization server, registered there with the redirect URI <page>/callback. Default: the gateway introduces or registers itself",
        },
        clientSecret,
        scopes,
        issuer,
        authHosts,
      ],
    },
  ],
};

/** The type of `gateway.logIn`. */
export const gatewayLogInType: ObjectType = {
  kind: "object",
  requirements: [secretOfClient, issuerOfClient],
  fields: [
    {
      name: "url",
      type: { kind: "text", format: page },
      description:
        "The page of the gateway where log-ins begin, as browsers reach it. Default: /log-in at the host of gateway.authorization.resource",
    },
    {
      name: "file",
      type: filledText,
      description:
        "The file in which the tokens of the users are kept, relative to this file. Default: in the folder of the credentials of `mcpwright login`",
    },
    {
      name: "clientId",
      type: filledText,
      description:
        "The gateway as a client of its own authorization server, registered there with the redirect URI <page>/signed-in. Default: the gateway introduces or registers itself",
    },
    clientSecret,
    issuer,
    authHosts,
  ],
};
