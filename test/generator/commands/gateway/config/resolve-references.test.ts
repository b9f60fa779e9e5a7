import { describe, expect, test } from "vitest";
import { resolveReferences } from "../../../../../generator/commands/gateway/config/resolve-references.js";
import {
  inputVariable,
  type ReferenceContext,
  workspaceFolderOf,
} from "../../../../../generator/commands/gateway/config/resolve-text.js";
import { problems } from "../../../shared/diagnostics/problems.js";
import { serverConfig } from "./server-text.js";

const files: Readonly<Record<string, string>> = {
  "/proj/.vscode/token": "s3cret\n",
  "/proj/.vscode/crlf": "s3cret\r\n",
  "/proj/.vscode/two": "a\n\n",
  "/home/ada/key": "k",
  "/etc/key": "e",
  "/proj/.env": 'A=1\n# comment\nexport B="two words"\n\nC=`one\ntwo lines`\n',
  "/proj/bad.env": "A=1\nnot a variable\nC=2\n",
};

const context: ReferenceContext = {
  path: "/proj/.vscode/mcp.json",
  env: { TOKEN: "t0k3n", EMPTY: "", URL: "https://u:p@h/", MCPWRIGHT_INPUT_MY_KEY: "k3y" },
  inputs: [{ id: "my-key" }, { id: "place", default: "here" }, { id: "none" }],
  userHome: "/home/ada",
  platform: "linux",
  readFile: (path) => {
    const text = files[path];
    if (text === undefined)
      throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), {
        code: "ENOENT",
        syscall: "open",
      });
    return text;
  },
};
const inputs = context.inputs.map((input) => ({ ...input }));

const resolve = (fields: object, changes: Partial<ReferenceContext> = {}) =>
  resolveReferences(serverConfig(fields, inputs), { ...context, ...changes });

describe("a reference becomes", () => {
  test.each([
    ["a variable", "${env:TOKEN}", "t0k3n"],
    ["a variable of Claude Code", "Bearer ${TOKEN}", "Bearer t0k3n"],
    ["an empty variable", "<${env:EMPTY}>", "<>"],
    ["the default of a variable that is not set", "${NONE:-http://h/x}", "http://h/x"],
    ["the default of an empty variable", "${EMPTY:-d}", "d"],
    ["the variable, not its default", "${TOKEN:-d}", "t0k3n"],
    ["an empty default", "<${NONE:-}>", "<>"],
    ["a file, without its line break", "${file:token}", "s3cret"],
    ["a file with a line break of Windows", "${file:./crlf}", "s3cret"],
    ["a file, without one of two line breaks", "${file:two}", "a\n"],
    ["a file in the home folder", "${file:~/key}", "k"],
    ["a file with an absolute path", "${file:/etc/key}", "e"],
    ["the folder of the project", "${workspaceFolder}/x", "/proj/x"],
    ["the name of that folder", "${workspaceFolderBasename}", "proj"],
    ["the home folder", "${userHome}", "/home/ada"],
    ["the separator of paths", "a${/}b${pathSeparator}c", "a/b/c"],
    ["an input", "${input:my-key}", "k3y"],
    ["the default of an input", "${input:place}", "here"],
    ["several", "${TOKEN}:${TOKEN}", "t0k3n:t0k3n"],
    ["what is escaped", "$${TOKEN} $TOKEN $", "${TOKEN} $TOKEN $"],
  ])("%s", (_name, text, expected) => {
    expect(resolve({ command: "x", args: [text] })).toMatchObject({ args: [expected] });
  });

  test("a separator of Windows", () => {
    const changes = { platform: "win32", path: "C:\\work\\g.json", userHome: "C:\\Users\\ada" } as const;
    expect(resolve({ command: "x", args: ["${/}", "${workspaceFolder}"], cwd: "sub" }, changes)).toMatchObject({
      args: ["\\", "C:\\work"],
      cwd: "C:\\work\\sub",
    });
  });
});

test("all fields of a server with a command", () => {
  const fields = { command: "${userHome}/bin/x", args: ["${TOKEN}"], env: { A: "${TOKEN}" }, cwd: "${userHome}" };
  expect(resolve(fields)).toEqual({
    kind: "stdio",
    command: "/home/ada/bin/x",
    args: ["t0k3n"],
    env: { A: "t0k3n" },
    cwd: "/home/ada",
  });
});

test("all fields of a server at a URL", () => {
  const auth = {
    type: "service",
    clientId: "${TOKEN}",
    clientSecret: "${file:token}",
    scopes: ["s"],
    issuer: "https://i",
  };
  expect(resolve({ type: "sse", url: "https://h/${TOKEN}", headers: { B: "${TOKEN}" }, auth })).toEqual({
    kind: "http",
    url: new URL("https://h/t0k3n"),
    headers: { B: "t0k3n" },
    transport: "sse",
    auth: { type: "service", clientId: "t0k3n", clientSecret: "s3cret", scopes: ["s"], issuer: "https://i" },
  });
});

describe("envFile", () => {
  test("is relative to the project, and env has priority", () => {
    expect(resolve({ command: "x", envFile: ".env", env: { A: "9" } })).toMatchObject({
      env: { A: "9", B: "two words", C: "one\ntwo lines" },
    });
  });
  test.each([
    [
      "that does not exist",
      "no.env",
      "gateway-file-unreadable: envFile of the server a needs the file /proj/no.env: ENOENT: no such file or directory",
    ],
    [
      "with another line",
      "bad.env",
      "gateway-value-invalid: envFile of the server a is invalid: it has a line that is not NAME=value",
    ],
  ])("%s", (_name, envFile, expected) => {
    expect(problems(() => resolve({ command: "x", envFile }))).toEqual([expected]);
  });
});

describe("errors name server, field and variable", () => {
  test.each([
    [
      "a variable",
      { command: "x", env: { K: "${env:NONE}" } },
      "gateway-variable-unset: env.K of the server a needs the variable NONE, which is not set",
    ],
    [
      "a name of the prototype",
      { command: "x", args: ["${constructor}"] },
      "gateway-variable-unset: args[0] of the server a needs the variable constructor, which is not set",
    ],
    [
      "an input",
      { command: "x", args: ["${input:none}"] },
      "gateway-input-unset: args[0] of the server a needs the input none, which has no value",
    ],
    [
      "a file",
      { url: "http://h/", headers: { A: "${file:no}" } },
      "gateway-file-unreadable: headers.A of the server a needs the file /proj/.vscode/no: ENOENT: no such file or directory",
    ],
  ])("%s", (_name, fields, expected) => {
    expect(problems(() => resolve(fields))).toEqual([expected]);
  });

  test("all at once", () => {
    const fields = { command: "${A}", args: ["${B} ${C}"], env: { D: "${D}" }, envFile: "${E}" };
    expect(problems(() => resolve(fields)).map((line) => /variable (\w)/.exec(line)?.[1])).toEqual([
      "A",
      "B",
      "C",
      "E",
      "D",
    ]);
  });
});

describe("a value that cannot be used is not shown", () => {
  test.each([
    [
      "another scheme",
      { url: "${U}" },
      "ftp://secret/",
      "url of the server a is invalid: it does not begin with http:// or https://",
    ],
    [
      "a URL with a password",
      { url: "${U}" },
      "https://secret:p@h/",
      "url of the server a is invalid: it contains a user or a password, which belong in headers",
    ],
    ["not a URL", { url: "${U}" }, "secret", "url of the server a is invalid: it is not a URL"],
    [
      "a header of two lines",
      { url: "http://h/", headers: { A: "${U}" } },
      "secret\nB: c",
      "headers.A of the server a is invalid: a header is one line, without control characters and characters beyond Latin-1",
    ],
    [
      "an argument with NUL",
      { command: "x", args: ["${U}"] },
      "secret\0",
      "args[0] of the server a is invalid: it contains a NUL character",
    ],
    ["an empty command", { command: "${U}" }, " ", "command of the server a is invalid: it is empty"],
    [
      "an empty secret",
      { url: "http://h/", auth: { clientId: "x", clientSecret: "${U}" } },
      "",
      "auth.clientSecret of the server a is invalid: it is empty",
    ],
  ])("%s", (_name, fields, value, expected) => {
    const run = () => resolve(fields, { env: { U: value } });
    expect(problems(run)).toEqual([`gateway-value-invalid: ${expected}`]);
    expect(run).toThrow("Check the value of ${U}.");
    expect(run).not.toThrow("secret");
  });
});

test("the configuration does not contain what references stand for", () => {
  const server = serverConfig({ command: "x", env: { A: "${TOKEN}" }, args: ["${file:token}"] });
  resolveReferences(server, context);
  expect(JSON.stringify(server)).not.toMatch(/t0k3n|s3cret/);
});

test("the environment of the process, the real home folder and real files are the defaults", () => {
  const server = serverConfig({
    command: "x",
    args: ["${env:PATH}", "${userHome}", `\${file:${import.meta.filename}}`],
  });
  const resolved = resolveReferences(server, { path: "g.json", inputs: [] });
  expect(resolved).toMatchObject({
    args: [process.env["PATH"], expect.stringMatching(/./), expect.stringContaining("s3cret")],
  });
});

test.each([
  ["/a/.vscode/mcp.json", "linux", "/a"],
  ["/a/.cursor/mcp.json", "darwin", "/a"],
  ["/a/.mcp.json", "linux", "/a"],
  ["/a/b/gateway.json", "linux", "/a/b"],
  ["C:\\a\\.vscode\\mcp.json", "win32", "C:\\a"],
] as const)("the project of %s on %s is %s", (path, platform, expected) => {
  expect(workspaceFolderOf(path, platform)).toBe(expected);
});

test.each([
  ["github-token", "MCPWRIGHT_INPUT_GITHUB_TOKEN"],
  ["api.key 2", "MCPWRIGHT_INPUT_API_KEY_2"],
])("the variable of the input %s is %s", (id, expected) => {
  expect(inputVariable(id)).toBe(expected);
});
