import { describe, expect, test } from "vitest";
import type { ServerConfig } from "../../../../../generator/commands/gateway/config/gateway-config.js";
import { formatProblem } from "../../../../../generator/commands/gateway/config/format-problem.js";
import { readGatewayConfig } from "../../../../../generator/commands/gateway/config/read-config.js";
import { marked } from "../../../shared/diagnostics/marked.js";
import { mistakes } from "./mistakes.js";

const path = "g.json";

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
