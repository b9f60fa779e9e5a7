import { describe, expect, test } from "vitest";
import { marked } from "../../../shared/diagnostics/marked.js";
import { mistakes } from "./mistakes.js";

describe("each mistake has its place", () => {
  const withAuthorization = (source: string): string =>
    `{ "mcpServers": { "a": { "command": "x" } },\n  "gateway": { ${source} } }`;
  const withUsers = (source: string): string =>
    `{ "mcpServers": { "a": { ${source} } },\n  "gateway": { "authorization": { "resource": "https://h/mcp", "issuer": "https://h" } } }`;
  const inServer = (source: string): string => `{ "mcpServers": {\n  "a": { ${source} }\n} }`;
  test.each([
    [
      "an unknown field",
      inServer('"command": "x", ▸"arg": []'),
      "error gateway-field-unknown: the server a has the unknown field arg",
    ],
    [
      "both",
      '{ "mcpServers": {\n ▸"a": { "command": "x", "url": "http://h/" } } }',
      "error gateway-server-ambiguous: the server a has both a command and a url",
    ],
    [
      "neither",
      '{ "mcpServers": { ▸"a": {} } }',
      "error gateway-server-incomplete: the server a has neither a command nor a url",
    ],
    [
      "a number for a string",
      inServer('"command": ▸1'),
      "error gateway-field-invalid: command of the server a must be a string that is not empty, not the number 1",
    ],
    [
      "a string for an array",
      inServer('"command": "x", "args": ▸"-y"'),
      "error gateway-field-invalid: args of the server a must be an array, not a string",
    ],
    [
      "an object in an array",
      inServer('"command": "x", "args": ["a", ▸{}]'),
      "error gateway-field-invalid: args[1] of the server a must be a string, not an object",
    ],
    [
      "a number as a variable",
      inServer('"command": "x", "env": { "A": ▸1 }'),
      "error gateway-field-invalid: env.A of the server a must be a string, not the number 1",
    ],
    [
      "a variable with a space",
      inServer('"command": "x", "env": { ▸"A B": "c" }'),
      'error gateway-field-invalid: the name "A B" in env of the server a must be the name of a variable, without = and spaces',
    ],
    [
      "a header with a colon",
      inServer('"url": "http://h/", "headers": { ▸"A:": "c" }'),
      'error gateway-field-invalid: the name "A:" in headers of the server a must be the name of an HTTP header: letters, digits and hyphens',
    ],
    [
      "an empty command",
      inServer('"command": ▸" "'),
      "error gateway-field-invalid: command of the server a must be a string that is not empty",
    ],
    [
      "an empty name",
      '{ "mcpServers": { ▸"": { "command": "x" } } }',
      'error gateway-field-invalid: the name "" in mcpServers must be a name that is not empty',
    ],
    [
      "another scheme",
      inServer('"url": ▸"ws://h/"'),
      "error gateway-field-invalid: url of the server a must be a URL that begins with http:// or https://, without user and password",
    ],
    [
      "a scheme and a reference",
      inServer('"url": ▸"ftp://${env:H}/"'),
      "error gateway-field-invalid: url of the server a must be a URL that begins with http:// or https://, without user and password",
    ],
    [
      "a password in the URL",
      inServer('"url": ▸"http://u:p@h/"'),
      "error gateway-field-invalid: url of the server a must be a URL that begins with http:// or https://, without user and password",
    ],
    [
      "a port that is too high",
      inServer('"url": ▸"http://h:70000/"'),
      "error gateway-field-invalid: url of the server a must be a URL that begins with http:// or https://, without user and password",
    ],
    [
      "stdio with a url",
      inServer('"type": ▸"stdio", "url": "http://h/"'),
      "error gateway-type-contradicts: the type stdio of the server a requires a command, but it has a url",
    ],
    [
      "sse with a command",
      inServer('"command": "x", "transport": ▸"sse"'),
      "error gateway-type-contradicts: the type sse of the server a requires a url, but it has a command",
    ],
    [
      "another type",
      inServer('"url": "http://h/", "type": ▸"htp"'),
      'error gateway-field-invalid: type of the server a must be "stdio", "http", "streamable-http", "streamableHttp" or "sse", not "htp"',
    ],
    [
      "type and transport",
      inServer('"url": "http://h/", "type": "http", ▸"transport": "http"'),
      "error gateway-field-both: type of the server a and transport are the same field",
    ],
    [
      "an unknown kind of reference",
      inServer('"command": ▸"${foo:bar}"'),
      "error gateway-reference-invalid: command of the server a contains ${foo:bar}, but foo is not a kind of reference",
    ],
    [
      "a reference to nothing",
      inServer('"command": "x", "env": { "A": ▸"${env:}" }'),
      "error gateway-reference-invalid: env.A of the server a contains ${env:}, which does not name a variable",
    ],
    [
      "an input that does not exist",
      inServer('"command": ▸"${input:id}"'),
      "error gateway-reference-invalid: command of the server a contains ${input:id}, but no input has this id",
    ],
    [
      "a timeout of 0",
      inServer('"command": "x", "timeoutMs": ▸0'),
      "error gateway-field-invalid: timeoutMs of the server a must be an integer from 1 to 2147483647, not the number 0",
    ],
    [
      "a tool name with a space",
      inServer('"command": "x", "tools": { "rename": { "b": ▸"c d" } }'),
      "error gateway-field-invalid: tools.rename.b of the server a must be a tool name: 1 to 128 letters, digits, underscores, hyphens or dots",
    ],
    [
      "a new name for two tools",
      inServer('"command": "x", "tools": { "rename": { "b": "z", ▸"c": "z" } }'),
      "error gateway-rename-collides: tools.rename of the server a gives the name z to several tools: b, c",
    ],
    [
      "a service without a secret",
      inServer('"url": "http://h/", ▸"auth": { "type": "service", "clientId": "x" }'),
      "error gateway-field-required: auth of the server a requires clientSecret: the gateway logs in with it",
    ],
    [
      "a secret without its client",
      inServer('"url": "http://h/", ▸"auth": { "clientSecret": "x" }'),
      "error gateway-field-required: auth of the server a requires clientId: the secret belongs to this client",
    ],
    [
      "a server that is null",
      '{ "mcpServers": { "a": ▸null } }',
      "error gateway-field-invalid: the server a must be an object, not null",
    ],
    [
      "servers that are a list",
      '{ "mcpServers": ▸[] }',
      "error gateway-field-invalid: mcpServers must be an object, not an array",
    ],
    [
      "no servers",
      '▸{ "gateway": {} }',
      'error gateway-servers-missing: the configuration has neither "mcpServers" nor "servers"',
    ],
    [
      "servers in two members",
      '{ "mcpServers": { "a": { "command": "x" } }, ▸"servers": { "b": { "command": "x" } } }',
      'error gateway-servers-twice: the configuration has both "mcpServers" and "servers"',
    ],
    [
      "a field that is set twice",
      inServer('"command": "x", "command": ▸"y"'),
      "error gateway-field-repeated: command of the server a is set twice; first at g.json:2:21",
    ],
    [
      "an audit log without a file",
      '{ "mcpServers": { "a": { "command": "x" } }, "gateway": { "audit": ▸{} } }',
      "error gateway-field-missing: gateway.audit.file is missing",
    ],
    [
      "scopes without an authorization",
      inServer('"command": "x", ▸"scopes": ["a"]'),
      "error gateway-field-required: scopes of the server a requires gateway.authorization: without it, the gateway does not know which scopes a client has",
    ],
    [
      "a log-in without an authorization",
      inServer('"url": "http://h/", ▸"logIn": true'),
      "error gateway-field-required: logIn of the server a requires gateway.authorization: without it, the gateway does not know its users",
    ],
    [
      "no log-in",
      withUsers('"url": "http://h/", "logIn": ▸false'),
      "error gateway-field-invalid: logIn of the server a must be true or an object, not false",
    ],
    [
      "an unknown field of a log-in",
      withUsers('"url": "http://h/", "logIn": { ▸"scope": [] }'),
      "error gateway-field-unknown: logIn of the server a has the unknown field scope",
    ],
    [
      "the secret of no client",
      withUsers('"url": "http://h/", ▸"logIn": { "clientSecret": "${S}" }'),
      "error gateway-field-required: logIn of the server a requires clientId: the secret belongs to this client",
    ],
    [
      "an authorization server with a port",
      withUsers('"url": "http://h/", "logIn": { "authHosts": [▸"h:1"] }'),
      "error gateway-field-invalid: logIn.authHosts[0] of the server a must be a host, without scheme, port and path",
    ],
    [
      "a log-in of each user and one for all",
      withUsers('"url": "http://h/", "logIn": true, ▸"auth": { "type": "none" }'),
      "error gateway-log-in-contradicts: auth of the server a is one log-in for all users, but with logIn each user has their own",
    ],
    [
      "a log-in and a token for all",
      withUsers('"url": "http://h/", "headers": { ▸"authorization": "${T}" }, "logIn": true'),
      "error gateway-log-in-contradicts: headers.authorization of the server a is one log-in for all users, but with logIn each user has their own",
    ],
    [
      "a log-in to a command",
      withUsers('"command": "x", ▸"logIn": true'),
      "finding gateway-field-unfit: logIn of the server a has no effect: it is for servers with a url",
    ],
    [
      "a page for log-ins without an authorization",
      '{ "mcpServers": { "a": { "command": "x" } },\n  ▸"gateway": { "logIn": {} } }',
      "error gateway-field-required: gateway requires authorization: it says who the users are",
    ],
    [
      "a page without a path",
      withAuthorization(
        '"authorization": { "resource": "https://h/mcp", "issuer": "https://h" }, "logIn": { "url": ▸"https://h/" }',
      ),
      "error gateway-field-invalid: gateway.logIn.url must be the URL of a page, which begins with https:// (http:// on this machine only), with a path and nothing behind it",
    ],
    [
      "a client of no authorization server",
      withAuthorization(
        '"authorization": { "resource": "https://h/mcp", "issuer": "https://h" }, ▸"logIn": { "issuer": "https://h" }',
      ),
      "error gateway-field-required: gateway.logIn requires clientId: it has registered this client",
    ],
    [
      "an authorization without issuers",
      withAuthorization('▸"authorization": { "resource": "https://h/mcp" }'),
      "error gateway-field-required: gateway.authorization requires issuer or introspection: they say who issues the tokens of clients",
    ],
    [
      "an authorization without the URL of the gateway",
      withAuthorization('"authorization": ▸{ "issuer": "https://h" }'),
      "error gateway-field-missing: gateway.authorization.resource is missing",
    ],
    [
      "an unknown field of an authorization",
      withAuthorization('"authorization": { "resource": "https://h/mcp", "issuer": "https://h", ▸"audiences": [] }'),
      "error gateway-field-unknown: gateway.authorization has the unknown field audiences",
    ],
    [
      "an issuer without https",
      withAuthorization('"authorization": { "resource": "https://h/mcp", "issuer": ▸"http://h" }'),
      "error gateway-field-invalid: gateway.authorization.issuer must be a URL that begins with https:// (http:// on this machine only), without user, query and fragment",
    ],
    [
      "an issuer with a port that is too high",
      withAuthorization(
        '"authorization": { "resource": "https://h/mcp", "issuer": ["https://a", ▸"https://h:70000"] }',
      ),
      "error gateway-field-invalid: gateway.authorization.issuer[1] must be a URL that begins with https:// (http:// on this machine only), without user, query and fragment",
    ],
    [
      "no issuer in a list",
      withAuthorization('"authorization": { "resource": "https://h/mcp", "issuer": ▸[] }'),
      "error gateway-field-invalid: gateway.authorization.issuer must be an array with at least one item, not an empty one",
    ],
    [
      "an algorithm with shared secrets",
      withAuthorization(
        '"authorization": { "resource": "https://h/mcp", "issuer": "https://h", "algorithms": [▸"HS256"] }',
      ),
      'error gateway-field-invalid: gateway.authorization.algorithms[0] must be "ES256", "ES384", "ES512", "Ed25519", "EdDSA", "PS256", "PS384", "PS512", "RS256", "RS384" or "RS512", not "HS256"',
    ],
    [
      "keys without an issuer",
      withAuthorization(
        '▸"authorization": { "resource": "https://h/mcp", "jwks": "https://h/k", "introspection": { "issuer": "https://h", "clientId": "a", "clientSecret": "${S}" } }',
      ),
      "error gateway-field-required: gateway.authorization requires issuer: they are its keys",
    ],
    [
      "introspection without a secret",
      withAuthorization(
        '"authorization": { "resource": "https://h/mcp", "introspection": ▸{ "issuer": "https://h", "clientId": "a" } }',
      ),
      "error gateway-field-missing: gateway.authorization.introspection.clientSecret is missing",
    ],
    [
      "two scopes in one",
      withAuthorization('"authorization": { "resource": "https://h/mcp", "issuer": "https://h", "scopes": [▸"a b"] }'),
      "error gateway-field-invalid: gateway.authorization.scopes[0] must be one scope, without spaces",
    ],
    ["an empty list", '{ "mcpServers": ▸{} }', "finding gateway-servers-none: the configuration has no servers"],
    [
      "a field for the other kind of server",
      inServer('"url": "http://h/", ▸"args": []'),
      "finding gateway-field-unfit: args of the server a has no effect: it is for servers with a command",
    ],
    [
      "a field of a host",
      inServer('"command": "x", ▸"disabledTools": ["y"]'),
      "finding gateway-field-ignored: the server a has the field disabledTools, which is ignored",
    ],
    [
      "a setting of a host",
      '{ "mcpServers": { "a": { "command": "x" } }, ▸"theme": "dark" }',
      "finding gateway-field-ignored: the configuration has the field theme, which is ignored",
    ],
  ])("%s", (_name, source, expected) => {
    const { text, place } = marked(source);
    expect(mistakes(text)).toEqual([`${place} ${expected}`]);
  });

  test("two servers of one name, with both places", () => {
    const text = '{ "mcpServers": {\n  "a": { "command": "x" },\n  "a": { "command": "y" }\n} }';
    expect(mistakes(text)).toEqual([
      "3:8 error gateway-name-repeated: two servers have the name a; the first is at g.json:2:8",
    ]);
  });

  test("a document that is not an object", () => {
    expect(mistakes("[]")).toEqual([
      "1:1 error gateway-field-invalid: the configuration must be an object, not an array",
    ]);
  });
});
