import { describe, expect, test } from "vitest";
import type { ServerConfig } from "../../../../../generator/commands/gateway/config/gateway-config.js";
import { formatProblem } from "../../../../../generator/commands/gateway/config/format-problem.js";
import { readGatewayConfig } from "../../../../../generator/commands/gateway/config/read-config.js";
import { marked } from "../../../shared/diagnostics/marked.js";

const path = "g.json";

/** The mistakes in a text, each as `line:column error|warning id: message`. */
function mistakes(text: string, lenient = false): readonly string[] {
  const { problems, config } = readGatewayConfig(text, { path, lenient });
  if (!lenient) expect(config === undefined).toBe(problems.some(({ severity }) => severity === "error"));
  return problems.map(({ id, severity, span, message }) => `${span.line}:${span.column} ${severity} ${id}: ${message}`);
}

function server(text: string): ServerConfig | undefined {
  const { config, problems } = readGatewayConfig(text, { path });
  expect(problems.map(formatProblem)).toEqual([]);
  return config?.servers[0];
}

describe("a valid configuration", () => {
  test("of Claude Desktop, with comments, trailing commas and a byte order mark", () => {
    const text = `\uFEFF{
      // The servers.
      "mcpServers": {
        "files": {
          "command": "npx", /* from npm */
          "args": ["-y", "server", "\${HOME}",],
          "env": { "TOKEN": "\${env:T}", },
        },
      },
    }`;
    expect(server(text)).toEqual({
      name: "files",
      kind: "stdio",
      disabled: false,
      tools: {},
      isolation: "auto",
      limits: {},
      command: { source: "npx", parts: ["npx"] },
      args: [
        { source: "-y", parts: ["-y"] },
        { source: "server", parts: ["server"] },
        { source: "${HOME}", parts: [{ kind: "variable", name: "HOME" }] },
      ],
      env: { TOKEN: { source: "${env:T}", parts: [{ kind: "variable", name: "T" }] } },
    });
  });

  test("of VS Code, with inputs", () => {
    const text = `{
      "inputs": [
        { "type": "promptString", "id": "token", "description": "Token", "password": true },
        { "type": "pickString", "id": "place", "description": "Where", "options": ["a", "b"], "default": "a" }
      ],
      "servers": {
        "github": { "type": "http", "url": "https://h/mcp", "headers": { "Authorization": "Bearer \${input:token}" } }
      }
    }`;
    const { config, problems } = readGatewayConfig(text, { path });
    expect(problems).toEqual([]);
    expect(config?.inputs).toEqual([{ id: "token" }, { id: "place", default: "a" }]);
    expect(config?.servers).toEqual([
      {
        name: "github",
        kind: "http",
        disabled: false,
        tools: {},
        isolation: "auto",
        limits: {},
        url: { source: "https://h/mcp", parts: ["https://h/mcp"] },
        headers: {
          Authorization: { source: "Bearer ${input:token}", parts: ["Bearer ", { kind: "input", id: "token" }] },
        },
        transport: "detect",
        auth: { type: "user" },
      },
    ]);
  });

  test("of Cursor, with a client of its own", () => {
    const text = `{ "mcpServers": { "a": { "url": "\${env:BASE}/mcp", "auth": {
      "CLIENT_ID": "me", "CLIENT_SECRET": "\${env:S}", "scopes": ["x"] } } } }`;
    expect(server(text)).toMatchObject({
      auth: {
        type: "user",
        clientId: { source: "me" },
        clientSecret: { parts: [{ kind: "variable", name: "S" }] },
        scopes: ["x"],
      },
    });
  });

  test.each([
    ["http", "detect"],
    ["streamable-http", "streamable-http"],
    ["streamableHttp", "streamable-http"],
    ["sse", "sse"],
  ])("with the type %s", (type, transport) => {
    const url = "http://127.0.0.1:1/mcp";
    expect(server(JSON.stringify({ servers: { a: { type, url } } }))).toMatchObject({ transport });
    expect(server(JSON.stringify({ servers: { a: { transport: type, url } } }))).toMatchObject({ transport });
  });

  test("with all fields of the gateway", () => {
    const tools = {
      allow: ["read_*"],
      deny: ["*_all"],
      rename: { read_file: "read" },
      override: { read_file: { title: "Read", description: "Reads", annotations: { readOnlyHint: true } } },
    };
    const limits = { concurrency: 2, callsPerMinute: 60, maxBytes: 4096, timeoutMs: 5000 };
    const gateway = {
      name: "mine",
      names: { separator: "-", maxLength: 64 },
      instructions: "Be brief.",
      pinning: "quarantine",
      audit: { file: "${userHome}/audit.jsonl", arguments: true, redact: ["*token*"] },
    };
    const one = {
      command: "x",
      cwd: "/a",
      envFile: ".env",
      disabled: true,
      isolation: "session",
      timeoutMs: 1,
      idleMs: 0,
    };
    const text = JSON.stringify({ mcpServers: { a: { ...one, tools, limits } }, gateway });
    expect(server(text)).toMatchObject({
      disabled: true,
      tools,
      limits,
      isolation: "session",
      timeoutMs: 1,
      idleMs: 0,
      cwd: { source: "/a" },
      envFile: { source: ".env" },
    });
    expect(readGatewayConfig(text, { path }).config?.gateway).toEqual({
      ...gateway,
      audit: {
        ...gateway.audit,
        file: { source: "${userHome}/audit.jsonl", parts: [{ kind: "place", name: "userHome" }, "/audit.jsonl"] },
      },
    });
  });

  test("with names of the prototype", () => {
    const text = '{ "mcpServers": { "__proto__": { "command": "x", "env": { "__proto__": "y" } } } }';
    const one = server(text);
    expect(one).toMatchObject({ name: "__proto__", kind: "stdio" });
    expect(one?.kind === "stdio" && Object.entries(one.env)).toEqual([["__proto__", { source: "y", parts: ["y"] }]]);
  });

  test("is deeply equal after it was moved in the file", () => {
    const text = '{ "mcpServers": { "a": { "command": "x" } } }';
    const moved = `// A comment.\n${text}`;
    expect(readGatewayConfig(moved, { path }).config).toEqual(readGatewayConfig(text, { path }).config);
  });
});

describe("each mistake has its place", () => {
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

test("all mistakes are reported at once, in their order, with their servers", () => {
  const text = `{ "servers": {
    "a": { "comand": "x" },
    "b": { "url": "x", "isolation": "none" },
  },
  "gateway": { "nam": "x" } }`;
  const { problems } = readGatewayConfig(text, { path });
  expect(problems.map(({ id, server, hint }) => [id, server, hint])).toEqual([
    ["gateway-server-incomplete", "a", "Did you mean command?"],
    ["gateway-field-unknown", "a", "Did you mean command?"],
    ["gateway-field-invalid", "b", "Correct the value."],
    ["gateway-field-invalid", "b", "Correct the value."],
    ["gateway-field-unknown", undefined, "Did you mean name?"],
  ]);
});

test.each([
  ["servers of another spelling", '{ "mcpServer": {} }', "Did you mean mcpServers?"],
  ["the field of another host", '{ "mcpServers": { "a": { "httpUrl": "x" } } }', "Did you mean url?"],
])("a suggestion: %s", (_name, text, hint) => {
  expect(readGatewayConfig(text, { path }).problems.map((one) => one.hint)).toContain(hint);
});

describe("text that is not JSON", () => {
  test.each([
    ["a value that is missing", '{ "a": ▸}', "unexpected token '}'", "Correct the text at this place."],
    [
      "a comma that is missing",
      '{ "a": 1\n  ▸"b": 2 }',
      "expected ',' or '}' after property value",
      "Add a comma before it.",
    ],
    ["a comma too many", '{ "a": 1,▸, }', "expected double-quoted property name", "Remove the comma."],
    ["a name without quotes", "{ ▸a: 1 }", "expected property name or '}'", 'Write names in double quotes: "name".'],
    ["single quotes", `{ "a": ▸'x' }`, "unexpected token '''", 'Use double quotes: "name".'],
    ["the end", '{ "mcpServers": {▸', "the text ends too early", "Check that each brace, bracket and quote is closed."],
    ["no text", "▸", "the text ends too early", "Check that each brace, bracket and quote is closed."],
    ["a comment that is not closed", '{ ▸/* "a": 1 }', "expected property name or '}'", "Close the comment with */."],
    [
      "a path of Windows",
      '{ "a": "C:\\▸x" }',
      "bad escaped character",
      'In strings, write a backslash as "\\\\", also in paths of Windows.',
    ],
    ["two documents", "{}▸{}", "unexpected non-whitespace character after JSON", "Correct the text at this place."],
  ])("%s", (_name, source, reason, hint) => {
    const { text, place } = marked(source);
    const { config, problems } = readGatewayConfig(text, { path });
    expect(config).toBeUndefined();
    expect(problems.map(({ span, message, hint }) => [`${span.line}:${span.column}`, message, hint])).toEqual([
      [place, `invalid JSON: ${reason}`, hint],
    ]);
  });
});

describe("the file of a host", () => {
  test("may have unknown fields, and settings that have nothing to do with servers", () => {
    const text = '{ "numStartups": 3, "mcpServers": { "a": { "command": "x", "sparkle": true } } }';
    expect(mistakes(text, true)).toEqual([
      "1:60 finding gateway-field-ignored: the server a has the field sparkle, which is ignored",
    ]);
    expect(readGatewayConfig(text, { path, lenient: true }).config?.servers.map(({ name }) => name)).toEqual(["a"]);
  });

  test("may have servers with errors, which are left out", () => {
    const text = '{ "servers": { "a": { "url": "unix:///s" }, "b": { "command": "x" } } }';
    const { config, problems } = readGatewayConfig(text, { path, lenient: true });
    expect(config?.servers.map(({ name }) => name)).toEqual(["b"]);
    expect(problems.map(({ id, server }) => [id, server])).toEqual([["gateway-field-invalid", "a"]]);
  });

  test("must have servers", () => {
    expect(readGatewayConfig('{ "theme": "dark" }', { path, lenient: true })).toMatchObject({
      config: undefined,
      problems: [{ id: "gateway-servers-missing" }],
    });
  });
});

test("messages contain no values, which may be secrets", () => {
  const secret = "hunter2";
  const text = `{ "mcpServers": {
    "a": { "command": ["${secret}"], "env": "${secret}", "cwd": { "x": "${secret}" } },
    "b": { "url": "http://${secret}@h/", "headers": { "A": ["${secret}"] }, "auth": { "scopes": ["${secret} x"], "issuer": "${secret}" } },
  } }`;
  for (const source of [text, `{ "a": "${secret}" "${secret}" }`, `{ "a": ${secret} }`, `{ "a": "${secret}`]) {
    const { problems } = readGatewayConfig(source, { path });
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.map(formatProblem).join("\n")).not.toContain(secret);
  }
});

test("a problem is one line, without control characters", () => {
  const { problems } = readGatewayConfig('{ "mcpServers": { "a\\u001b\\u202e\\n": { "x\\ny": 1 } } }', { path });
  expect(problems.map(formatProblem)).toEqual([
    expect.stringMatching(/^g\.json:1:19 {2}error {2}gateway-server-incomplete: the server "a\\u001b/),
    expect.stringMatching(/^g\.json:1:40 {2}error {2}gateway-field-unknown: the server "a\\u001b/),
  ]);
  // eslint-disable-next-line no-control-regex -- looks for control characters
  expect(problems.map(formatProblem).join("")).not.toMatch(/[\u0000-\u001f\u202e]/);
});

test("locates the fields of servers", () => {
  const { locate } = readGatewayConfig('{ "servers": { "a": {\n  "args": ["x",\n "y"], "command": "z" } } }', { path });
  expect(locate("a", ["args", "1"])).toEqual({ file: path, line: 3, column: 2 });
});
