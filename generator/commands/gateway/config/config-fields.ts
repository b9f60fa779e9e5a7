import { authorizationType, serverScopesType } from "./authorization-fields.js";
import type { Field, FieldType, ObjectType, TextFormat } from "./field-types.js";
import { gatewayLogInType, serverAuthType, serverLogInType } from "./log-in-fields.js";
import { filledText, notEmpty } from "./text-formats.js";

/**
 * The format of the configuration: the fields of the hosts' formats, and those of the gateway. `checkType` checks a
 * configuration against it, and `printSchema` derives the JSON Schema for editors from it.
 */

const anyName: TextFormat = { pattern: "\\S", expected: "a name that is not empty" };
const toolName: TextFormat = {
  pattern: "^[A-Za-z0-9_.-]{1,128}$",
  expected: "a tool name: 1 to 128 letters, digits, underscores, hyphens or dots",
};
const variableName: TextFormat = { pattern: "^[^=\\0\\s]+$", expected: "the name of a variable, without = and spaces" };
const headerName: TextFormat = {
  pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
  expected: "the name of an HTTP header: letters, digits and hyphens",
};
const url: TextFormat = {
  pattern: "^(?:[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@]+(?:[/?#]\\S*)?|\\$\\{[^}]*\\}\\S*)$",
  expected: "a URL that begins with http:// or https://, without user and password",
};
const separator: TextFormat = {
  pattern: "^[A-Za-z0-9_.-]{1,16}$",
  expected: "1 to 16 letters, digits, underscores, hyphens or dots",
};

/** The longest delay of timers in JavaScript. */
const longestMs = 2_147_483_647;

const text: FieldType = { kind: "text" };
const textWithReferences: FieldType = { kind: "text", references: true };
const boolean: FieldType = { kind: "boolean" };
const milliseconds: FieldType = { kind: "integer", min: 1, max: longestMs };

/** The values of `type`, and the transport that each selects. */
export const transports = {
  stdio: "stdio",
  http: "detect",
  "streamable-http": "streamable-http",
  streamableHttp: "streamable-http",
  sse: "sse",
} as const;

const httpTypes = Object.keys(transports).filter((type) => type !== "stdio");

const annotations: ObjectType = {
  kind: "object",
  fields: [
    { name: "title", type: text, description: "A title for people." },
    { name: "readOnlyHint", type: boolean, description: "Whether the tool changes nothing." },
    { name: "destructiveHint", type: boolean, description: "Whether the tool may delete or overwrite something." },
    { name: "idempotentHint", type: boolean, description: "Whether a repeated call has no further effect." },
    { name: "openWorldHint", type: boolean, description: "Whether the tool reaches systems beyond the server." },
  ],
};

const override: ObjectType = {
  kind: "object",
  fields: [
    { name: "title", type: text, description: "The title of the tool." },
    { name: "description", type: text, description: "The description of the tool." },
    { name: "annotations", type: annotations, description: "Annotations that replace those of the server." },
  ],
};

const patterns: FieldType = { kind: "list", item: { kind: "text", format: notEmpty } };

const tools: ObjectType = {
  kind: "object",
  fields: [
    {
      name: "allow",
      type: patterns,
      description: "Names of the server's tools that clients may use; * stands for any characters. Default: all tools",
    },
    {
      name: "deny",
      type: patterns,
      description:
        "Names of the server's tools that clients may not use, also if allow lists them; * stands for any characters.",
    },
    {
      name: "rename",
      type: { kind: "map", names: anyName, value: { kind: "text", format: toolName } },
      description: "New names of tools, by the server's names.",
    },
    {
      name: "override",
      type: { kind: "map", names: anyName, value: override },
      description:
        "Titles, descriptions and annotations that replace those of the server, by the server's names of the tools.",
    },
  ],
};

const limits: ObjectType = {
  kind: "object",
  fields: [
    {
      name: "concurrency",
      type: { kind: "integer", min: 1, max: 1_000_000 },
      description: "How many requests the server gets at the same time; further ones wait.",
    },
    {
      name: "callsPerMinute",
      type: { kind: "integer", min: 1, max: 1_000_000_000 },
      description: "How many requests the server gets in a minute; further ones are refused.",
    },
    {
      name: "maxConnections",
      type: { kind: "integer", min: 1, max: 1_000_000 },
      description: "How many connections to the server there are at most, and processes of a command. Default: 100",
    },
    {
      name: "maxBytes",
      type: { kind: "integer", min: 1_024, max: 1_073_741_824 },
      description: "The largest message that is accepted from the server, in bytes.",
    },
    { name: "timeoutMs", type: milliseconds, description: "Milliseconds that a call may take, with its progress." },
  ],
};

const ignored = (name: string, owner: string, hint: string): Field => ({
  name,
  type: { kind: "ignored", hint },
  description: `A setting of ${owner}, which the gateway ignores. ${hint}`,
});

/** The fields of a server. */
export const serverType: ObjectType = {
  kind: "object",
  exactlyOne: ["command", "url"],
  atMostOne: ["auth", "logIn"],
  requirements: [
    { when: "type", is: ["stdio"], field: "command", reason: "stdio needs a program to start" },
    { when: "type", is: httpTypes, field: "url", reason: "HTTP needs a URL" },
  ],
  fields: [
    {
      name: "type",
      aliases: ["transport"],
      type: { kind: "choice", values: Object.keys(transports) },
      description:
        "How to reach the server: stdio with a command; http, streamable-http or sse with a url. Default: found out",
    },
    { name: "command", type: filledText, description: "The program that starts the server.", server: "stdio" },
    {
      name: "args",
      type: { kind: "list", item: textWithReferences },
      description: "The arguments of the command.",
      server: "stdio",
    },
    {
      name: "env",
      type: { kind: "map", names: variableName, value: textWithReferences },
      description: "Environment variables of the command, in addition to the few that every server inherits.",
      server: "stdio",
    },
    {
      name: "envFile",
      type: filledText,
      description: "A file with lines NAME=value; the variables of env have priority.",
      server: "stdio",
    },
    {
      name: "cwd",
      type: filledText,
      description: "The working directory of the command. Default: that of the gateway",
      server: "stdio",
    },
    {
      name: "url",
      type: { kind: "text", references: true, format: url },
      description: "The URL of the server.",
      server: "http",
    },
    {
      name: "headers",
      type: { kind: "map", names: headerName, value: textWithReferences },
      description: "HTTP headers of all requests.",
      server: "http",
    },
    { name: "auth", type: serverAuthType, description: "How the gateway logs in to the server.", server: "http" },
    {
      name: "logIn",
      type: serverLogInType,
      description:
        "Each user of the gateway logs in to the server, on a page of the gateway, in place of auth. Requires gateway.authorization.",
      server: "http",
    },
    { name: "disabled", type: boolean, description: "Whether the server is not used. Default: false" },
    { name: "tools", type: tools, description: "Which tools of the server clients see, and how." },
    {
      name: "isolation",
      type: { kind: "choice", values: ["auto", "shared", "session"] },
      description:
        "`shared`: all clients use one connection to the server. `session`: each client has one of its own. `auto`: shared unless the server keeps state of a client or may ask it. Default: `auto`",
    },
    { name: "timeoutMs", type: milliseconds, description: "Milliseconds to wait for each response. Default: 60000" },
    {
      name: "idleMs",
      type: { kind: "integer", min: 0, max: longestMs },
      description: "Milliseconds without a request after which the connection is closed. 0: never",
    },
    { name: "limits", type: limits, description: "Limits of what the server and the calls to it may use." },
    {
      name: "scopes",
      type: serverScopesType,
      description:
        "The scopes that clients need for the server: a list for all of it, or an object by names of its tools, in which * stands for any characters. Requires gateway.authorization.",
    },
    ignored("alwaysAllow", "Cline and Roo Code", "The client decides which calls need an approval."),
    ignored("autoApprove", "Cline and Kiro", "The client decides which calls need an approval."),
    ignored("disabledTools", "some hosts", "Use tools.deny."),
    ignored("oauth", "VS Code and Claude Code", "Use auth."),
    ignored("headersHelper", "Claude Code", "Use headers with references."),
    ignored("dev", "VS Code", "It is for the development of servers."),
    ignored("gallery", "VS Code", "It names the registry of the server."),
    ignored("version", "VS Code", "It is the version in the registry."),
    ignored("sandbox", "VS Code", "The gateway starts the server without a sandbox."),
    ignored("sandboxEnabled", "VS Code", "The gateway starts the server without a sandbox."),
    ignored("description", "some hosts", "Write a comment."),
  ],
};

const names: FieldType = {
  kind: "either",
  types: [
    {
      kind: "object",
      fields: [
        {
          name: "separator",
          type: { kind: "text", format: separator },
          description: "What stands between the name of the server and that of the tool or prompt. Default: _",
        },
        {
          name: "maxLength",
          type: { kind: "integer", min: 16, max: 128 },
          description: "The longest name that clients get. Default: 128",
        },
      ],
    },
    { kind: "choice", values: ["none"] },
  ],
};

const audit: ObjectType = {
  kind: "object",
  fields: [
    {
      name: "file",
      type: filledText,
      description: "The file to which a JSON line per call is appended.",
      required: true,
    },
    {
      name: "arguments",
      type: boolean,
      description: "Whether the log contains the arguments of calls. Default: false",
    },
    {
      name: "redact",
      type: patterns,
      description: "Names of arguments whose values are replaced in the log; * stands for any characters.",
    },
  ],
};

const gateway: ObjectType = {
  kind: "object",
  requirements: [{ when: "logIn", field: "authorization", reason: "it says who the users are" }],
  fields: [
    { name: "name", type: { kind: "text", format: notEmpty }, description: "The name of the gateway for clients." },
    {
      name: "names",
      type: names,
      description: 'How tools and prompts are named: <server><separator><name>, or "none" for their own names.',
    },
    {
      name: "instructions",
      type: { kind: "either", types: [text, { kind: "false" }] },
      description:
        "Instructions for clients, before those of the servers; false sends none. Default: only those of the servers",
    },
    {
      name: "pinning",
      type: { kind: "choice", values: ["refuse", "quarantine", "report"] },
      description:
        "After a server has changed since `mcpwright gateway lock`: `refuse` does not use it, `quarantine` hides what has changed, `report` only reports the change.",
    },
    {
      name: "lock",
      type: { kind: "text", format: notEmpty },
      description:
        "The file of `mcpwright gateway lock`, relative to this file. Default: the name of this file with `.lock.json`",
    },
    {
      name: "review",
      type: { kind: "choice", values: ["items", "results", "none"] },
      description:
        "Where hidden and confusable characters are reported: `items`, the default, in names, descriptions, schemas and instructions; `results` in results, too.",
    },
    { name: "audit", type: audit, description: "A log of the calls." },
    {
      name: "authorization",
      type: authorizationType,
      description: "Over HTTP, lets only clients with an access token use the gateway.",
    },
    {
      name: "logIn",
      type: gatewayLogInType,
      description: "The page on which users log in to servers with logIn, and where their tokens are kept.",
    },
  ],
};

const input: ObjectType = {
  kind: "object",
  fields: [
    {
      name: "type",
      type: { kind: "choice", values: ["promptString", "pickString", "command"] },
      description: "How VS Code asks for the value. The gateway reads it from the variable MCPWRIGHT_INPUT_<ID>.",
    },
    { name: "id", type: { kind: "text", format: notEmpty }, description: "The id in ${input:id}.", required: true },
    { name: "description", type: text, description: "The question." },
    { name: "default", type: text, description: "The value if the variable is not set." },
    { name: "password", type: boolean, description: "Whether the value is a secret." },
    ...(["options", "command", "args"] as const).map((name): Field => ({
      name,
      type: { kind: "ignored", hint: "" },
      description: "For VS Code.",
    })),
  ],
};

/** The names of the objects that list servers. */
export const serverFolders = ["mcpServers", "servers"] as const;

const servers: FieldType = { kind: "map", names: anyName, value: serverType };

/** The whole configuration. Hosts keep other settings in the same file, so it is open. */
export const configType: ObjectType = {
  kind: "object",
  open: true,
  exactlyOne: serverFolders,
  fields: [
    { name: "$schema", type: text, description: "The JSON Schema, for editors." },
    { name: "mcpServers", type: servers, description: "The servers by name, as in most hosts." },
    { name: "servers", type: servers, description: "The servers by name, as in VS Code." },
    { name: "inputs", type: { kind: "list", item: input }, description: "The values of ${input:id}, as in VS Code." },
    { name: "gateway", type: gateway, description: "Settings of the gateway." },
  ],
};
