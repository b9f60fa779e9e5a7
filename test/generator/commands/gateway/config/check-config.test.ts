import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfig, type CheckConfigOptions } from "../../../../../generator/commands/gateway/config/check-config.js";
import { formatProblem } from "../../../../../generator/commands/gateway/config/format-problem.js";
import { marked } from "../../../shared/diagnostics/marked.js";
import { put, sandbox } from "../../../shared/files/sandbox.js";

const files: Readonly<Record<string, string>> = {
  "/proj/token": "t",
  "/proj/.env": "A=1\n",
  "/proj/bad.env": "bad line\nA=1",
};
const options: CheckConfigOptions = {
  path: "/proj/g.json",
  platform: "linux",
  env: { PATH: "/bin", TOKEN: "t0k3n" },
  userHome: "/home/ada",
  cwd: "/",
  fileKind: (path) =>
    path === "/bin/npx" || path === "/opt/tool" ? "executable" : path === "/proj/sub/x" ? "file" : undefined,
  isFolder: (path) => path === "/proj/sub",
  readFile: (path) => {
    if (!(path in files))
      throw Object.assign(new Error("ENOENT: no such file or directory, open"), { code: "ENOENT", syscall: "open" });
    return files[path] ?? "";
  },
};

function mistakes(text: string, changes: Partial<CheckConfigOptions> = {}): readonly string[] {
  return checkConfig(text, { ...options, ...changes }).problems.map(
    ({ id, severity, span, message }) => `${span.line}:${span.column} ${severity} ${id}: ${message}`,
  );
}

const inServer = (source: string): string => `{ "mcpServers": {\n  "a": { ${source} }\n} }`;

test("a configuration whose servers can start", () => {
  const text = inServer(
    '"command": "npx", "args": ["${file:token}"], "env": { "K": "${TOKEN}", "PATH": "/x" }, "envFile": ".env", "cwd": "sub"',
  ).replace('"PATH": "/x"', '"B": "${NONE:-x}"');
  expect(mistakes(text)).toEqual([]);
});

describe("each reason why a server cannot start has its place", () => {
  test.each([
    [
      "a command that does not exist",
      inServer('"command": ▸"npm"'),
      "gateway-command-not-found: the command npm of the server a was not found",
    ],
    [
      "a command that is not executable",
      inServer('"command": ▸"./x", "cwd": "sub"'),
      "gateway-command-not-found: the command ./x of the server a is not executable",
    ],
    [
      "another PATH",
      inServer('"command": ▸"npx", "env": { "PATH": "/opt" }'),
      "gateway-command-not-found: the command npx of the server a was not found",
    ],
    [
      "no folder",
      inServer('"command": "npx", "cwd": ▸"${userHome}/no"'),
      "gateway-folder-missing: cwd of the server a: the folder ${userHome}/no does not exist",
    ],
    [
      "a variable",
      inServer('"command": "npx", "env": { "K": ▸"${env:NONE}" }'),
      "gateway-variable-unset: env.K of the server a needs the variable NONE, which is not set",
    ],
    [
      "a variable in an argument",
      inServer('"command": "npx", "args": ["x", ▸"${NONE}"]'),
      "gateway-variable-unset: args[1] of the server a needs the variable NONE, which is not set",
    ],
    [
      "a file",
      inServer('"url": "https://h/", "headers": { "A": ▸"${file:no}" }'),
      "gateway-file-unreadable: headers.A of the server a needs the file /proj/no: ENOENT: no such file or directory",
    ],
    [
      "a file with variables",
      inServer('"command": "npx", "envFile": ▸"no.env"'),
      "gateway-file-unreadable: envFile of the server a needs the file /proj/no.env: ENOENT: no such file or directory",
    ],
    [
      "a file without variables",
      inServer('"command": "npx", "envFile": ▸"bad.env"'),
      "gateway-value-invalid: envFile of the server a is invalid: it has a line that is not NAME=value",
    ],
    [
      "an input",
      '{ "inputs": [{ "id": "i" }], "servers": { "a": { "url": "https://h/", "auth": { "clientId": ▸"${input:i}" } } } }',
      "gateway-input-unset: auth.clientId of the server a needs the input i, which has no value",
    ],
    [
      "a URL from a variable",
      inServer('"url": ▸"${TOKEN}"'),
      "gateway-value-invalid: url of the server a is invalid: it is not a URL",
    ],
    [
      "the file of the log",
      '{ "servers": { "a": { "command": "npx" } }, "gateway": { "audit": { "file": ▸"${LOGS}/a" } } }',
      "gateway-variable-unset: gateway.audit.file needs the variable LOGS, which is not set",
    ],
  ])("%s", (_name, source, expected) => {
    const { text, place } = marked(source);
    expect(mistakes(text)).toEqual([`${place} error ${expected}`]);
    expect(checkConfig(text, options).config).toBeDefined();
  });
});

test("all reasons of all servers are reported at once, in the order of the text", () => {
  const text = `{ "servers": {
    "a": { "command": "no", "args": ["\${B}"], "dev": {} },
    "b": { "url": "https://h/\${C}" }
  } }`;
  expect(checkConfig(text, options).problems.map(({ id, server, severity }) => [id, server, severity])).toEqual([
    ["gateway-command-not-found", "a", "error"],
    ["gateway-variable-unset", "a", "error"],
    ["gateway-field-ignored", "a", "finding"],
    ["gateway-variable-unset", "b", "error"],
  ]);
});

test("a server that is disabled need not be able to start", () => {
  expect(mistakes(inServer('"command": "no", "disabled": true'))).toEqual([]);
});

test("mistakes in the text of one server, and reasons why another cannot start", () => {
  expect(mistakes('{ "servers": { "a": { "command": "no", "arg": [] }, "b": { "command": "no" } } }')).toEqual([
    "1:40 error gateway-field-unknown: the server a has the unknown field arg",
    "1:71 error gateway-command-not-found: the command no of the server b was not found",
  ]);
});

test("mistakes that concern the whole configuration", () => {
  const text = '{ "servers": { "b": { "command": "no" } }, "gateway": { "audit": 1 } }';
  expect(mistakes(text)).toEqual([
    "1:66 error gateway-field-invalid: gateway.audit must be an object, not the number 1",
  ]);
});

test("with the file of a host, the other servers are checked", () => {
  const text = '{ "servers": { "a": { "url": "unix:///s" }, "b": { "command": "no" } } }';
  expect(checkConfig(text, { ...options, lenient: true }).problems.map(({ id, server }) => [id, server])).toEqual([
    ["gateway-field-invalid", "a"],
    ["gateway-command-not-found", "b"],
  ]);
});

test("on this machine, as it is printed", () => {
  const folder = sandbox();
  put(folder, { "bin/tool": "#!/bin/sh\n", "bin/text": "", token: "t\n" });
  chmodSync(join(folder, "bin/tool"), 0o755);
  chmodSync(join(folder, "bin/text"), 0o644);
  const path = join(folder, "gateway.json");
  const text = `{ "mcpServers": {
  "good": { "command": "node", "args": ["\${file:token}"], "cwd": "bin" },
  "tool": { "command": "./tool", "cwd": "bin" },
  "text": { "command": "./text", "cwd": "bin", "type": "stdio", "oauth": {} },
} }`;
  const lines = checkConfig(text, { path }).problems.map((problem) => formatProblem(problem).replace(folder, "DIR"));
  expect(lines).toEqual([
    "DIR/gateway.json:4:24  error  gateway-command-not-found: the command ./text of the server text is not executable. Run chmod +x on it, or start it with its interpreter.",
    "DIR/gateway.json:4:65  warning  gateway-field-ignored: the server text has the field oauth, which is ignored. Use auth.",
  ]);
});
