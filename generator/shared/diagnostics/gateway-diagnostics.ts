import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of the configuration of a gateway. */
export const gatewayDiagnostics = {
  "gateway-config-syntax": {
    severity: "error",
    message: "invalid JSON: {reason}",
    hint: "{hint}",
  },
  "gateway-config-not-found": {
    severity: "error",
    message: "{host} has no configuration of servers; looked for {paths}",
    hint: "Configure a server in {host}, or pass the path of a configuration.",
  },
  "gateway-servers-missing": {
    severity: "error",
    message: 'the configuration has neither "mcpServers" nor "servers"',
    hint: "{hint}",
  },
  "gateway-servers-twice": {
    severity: "error",
    message: 'the configuration has both "mcpServers" and "servers"',
    hint: "Move all servers into one of them.",
  },
  "gateway-servers-none": {
    severity: "finding",
    message: "the configuration has no servers",
    hint: 'Add one: { "mcpServers": { "name": { "command": "npx", "args": ["-y", "a-server"] } } }',
  },
  "gateway-name-repeated": {
    severity: "error",
    message: "two servers have the name {name}; the first is at {first}",
    hint: "Rename or remove one of them.",
  },
  "gateway-field-repeated": {
    severity: "error",
    message: "{field} is set twice; first at {first}",
    hint: "Remove one of them.",
  },
  "gateway-field-both": {
    severity: "error",
    message: "{field} and {other} are the same field",
    hint: "Remove one of them.",
  },
  "gateway-field-unknown": {
    severity: "error",
    message: "{owner} has the unknown field {name}",
    hint: "{hint}",
  },
  "gateway-field-ignored": {
    severity: "finding",
    message: "{owner} has the field {name}, which is ignored",
    hint: "{hint}",
  },
  "gateway-field-unfit": {
    severity: "finding",
    message: "{field} has no effect: it is for servers {kind}",
    hint: "Remove it.",
  },
  "gateway-field-invalid": {
    severity: "error",
    message: "{field} must be {expected}{actual}",
    hint: "{hint}",
  },
  "gateway-field-missing": {
    severity: "error",
    message: "{field} is missing",
    hint: "Add it, or remove the object around it.",
  },
  "gateway-server-ambiguous": {
    severity: "error",
    message: "the server {name} has both a command and a url",
    hint: "Remove the url to start the command, or the command to use the server at the url.",
  },
  "gateway-server-incomplete": {
    severity: "error",
    message: "the server {name} has neither a command nor a url",
    hint: "{hint}",
  },
  "gateway-type-contradicts": {
    severity: "error",
    message: "the type {type} of the server {name} requires a {wanted}, but it has a {given}",
    hint: "Correct or remove the type: without it, the field {given} decides.",
  },
  "gateway-field-required": {
    severity: "error",
    message: "{owner} requires {field}: {reason}",
    hint: "Add it.",
  },
  "gateway-rename-collides": {
    severity: "error",
    message: "{field} gives the name {name} to several tools: {tools}",
    hint: "Choose different names.",
  },
  "gateway-reference-invalid": {
    severity: "error",
    message: "{field} contains {reference}, {reason}",
    hint: "{hint}",
  },
  "gateway-variable-unset": {
    severity: "error",
    message: "{field} needs the variable {variable}, which is not set",
    hint: "Set it in the environment of the gateway, or give a default: ${{variable}:-default}.",
  },
  "gateway-input-unset": {
    severity: "error",
    message: "{field} needs the input {input}, which has no value",
    hint: "Set the variable {variable} in the environment of the gateway.",
  },
  "gateway-file-unreadable": {
    severity: "error",
    message: "{field} needs the file {path}: {reason}",
    hint: "Check the path and its permissions. Relative paths begin at the folder {folder}.",
  },
  "gateway-value-invalid": {
    severity: "error",
    message: "{field} is invalid: {reason}",
    hint: "Check {cause}.",
  },
  "gateway-command-not-found": {
    severity: "error",
    message: "the command {command} of the server {name} {reason}",
    hint: "{hint}",
  },
  "gateway-folder-missing": {
    severity: "error",
    message: "{field}: the folder {path} does not exist",
    hint: "Correct the path.",
  },
  "gateway-lock-missing": {
    severity: "error",
    message: "{field} requires the lock {path}, which does not exist",
    hint: 'Write it with "mcpwright gateway lock", and review it.',
  },
  "gateway-lock-invalid": {
    severity: "error",
    message: "the lock {path} cannot be used: {reason}",
    hint: 'Take it back to an earlier version, or write it again with "mcpwright gateway lock", and review the changes.',
  },
  "gateway-command-unapproved": {
    severity: "error",
    message: "the command of the server {name} in {path} is not approved",
    hint: "Start the gateway on a terminal and approve it, or pass --yes.",
  },
  "gateway-none-approved": {
    severity: "error",
    message: "no server of {path} may start",
    hint: "Start the gateway on a terminal and approve a command, or pass --yes.",
  },
  "gateway-options-refused": {
    severity: "error",
    message: "the servers cannot be used: {reason}",
    hint: "Correct the configuration.",
  },
  "gateway-authorization-refused": {
    severity: "error",
    message: "gateway.authorization cannot be used: {reason}",
    hint: "Correct the configuration.",
  },
  "gateway-authorization-over-stdio": {
    severity: "error",
    message: "gateway.authorization of {path} requires --http: over stdio, clients send no tokens",
    hint: "Add --http <port>, or use a configuration without authorization for the program that starts the gateway.",
  },
  "gateway-log-in-contradicts": {
    severity: "error",
    message: "{field} is one log-in for all users, but with logIn each user has their own",
    hint: "Remove one of them.",
  },
  "gateway-log-in-refused": {
    severity: "error",
    message: "gateway.logIn cannot be used: {reason}",
    hint: "Correct the configuration.",
  },
  "gateway-log-in-later": {
    severity: "error",
    message: "logIn of the server {name} requires gateway.authorization, with which the gateway was not started",
    hint: "Restart the gateway.",
  },
  "gateway-log-in-unusable": {
    severity: "error",
    message: "users cannot log in to {target} now: {reason}",
    hint: "Check the URL, and that its authorization server runs. If that registers no clients, register the gateway there, and set clientId.",
  },
  "gateway-issuer-unusable": {
    severity: "error",
    message: "tokens of {issuer} cannot be verified now: {reason}",
    hint: "Check the URL, the client and its secret, and that the authorization server runs.",
  },
  "gateway-not-listening": {
    severity: "error",
    message: "{reason}",
    hint: "Choose another port with --http, or another address with --host.",
  },
  "gateway-restart-needed": {
    severity: "finding",
    message: 'the settings "gateway" of {path} have changed',
    hint: "Restart the gateway to apply them.",
  },
} as const satisfies Record<string, CatalogueEntry>;
