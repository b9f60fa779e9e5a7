import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkHosts } from "../../../../generator/commands/doctor/checks/host-configs.js";
import { put, sandbox } from "../../shared/files/sandbox.js";

/** The findings for a home folder with these files; FOLDER in them is the folder. */
function examine(
  files: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
): readonly string[] {
  const home = sandbox();
  const texts = Object.entries(files).map(([path, content]) => [
    path,
    (typeof content === "string" ? content : JSON.stringify(content)).replaceAll("FOLDER", home),
  ]);
  put(home, {
    "bin/node": "",
    "bin/npx": "",
    "bin/plain": "",
    "main.js": "",
    ...(Object.fromEntries(texts) as object),
  });
  for (const name of ["node", "npx"]) chmodSync(join(home, "bin", name), 0o755);
  chmodSync(join(home, "bin/plain"), 0o644);
  const machine = {
    platform: "linux",
    env: { PATH: join(home, "bin"), ...env },
    home,
    cwd: join(home, "project"),
  } as const;
  const result = checkHosts(machine) ?? [];
  if (typeof result === "string") return [result];
  return result.map(({ level, message, remedy, path }) => {
    expect(path).toBeDefined();
    return `${level}: ${message} -> ${remedy}`.replaceAll(home, "FOLDER");
  });
}

const cursor = (servers: object): Readonly<Record<string, unknown>> => ({
  ".cursor/mcp.json": { mcpServers: servers },
});
const start = { command: "node", args: ["FOLDER/main.js"] };

test("without files of hosts, there is nothing to check", () => {
  expect(examine({})).toEqual([]);
});

test("servers that can start", () => {
  const servers = { a: start, b: { url: "https://example.com/mcp" }, c: { command: "npx", args: ["-y", "a-server"] } };
  expect(examine(cursor(servers))).toEqual(["3 servers in 1 file of hosts"]);
});

test.each([
  [
    "a program that does not exist",
    { command: "/nowhere/run" },
    /^error: .* the program \/nowhere\/run does not exist -> correct/,
  ],
  [
    "a program that is not on the PATH",
    { command: "uvx" },
    /^error: .* the program uvx is not on your PATH -> install it/,
  ],
  [
    "a file on the PATH that is not executable",
    { command: "plain" },
    /^error: .* the program plain is not on your PATH/,
  ],
  ["an empty program", { command: "" }, /^error: .* the command is empty/],
  ["a relative program", { command: "./run.sh" }, /^error: .* the path \.\/run\.sh is relative/],
  [
    "a relative file",
    { command: "node", args: ["--no-warnings", "build/main.js"] },
    /^error: .* build\/main\.js is relative/,
  ],
  ["a missing file", { command: "node", args: ["FOLDER/no.js"] }, /^error: .* the file FOLDER\/no\.js does not exist/],
  ["npx without -y", { command: "npx", args: ["a-server", "-y"] }, /^warning: .* npx asks before it installs/],
  [
    "a variable that is not set",
    { ...start, env: { KEY: "${env:API_KEY}" } },
    /^warning: .* the variable API_KEY is not set/,
  ],
  ["an empty variable", { ...start, env: { KEY: "" } }, /^warning: .* the variable KEY is empty/],
])("%s", (_what, entry, expected) => {
  expect(examine(cursor({ notes: entry }))).toEqual([expect.stringMatching(expected)]);
});

test("a variable that is set, and texts that the host replaces, are right", () => {
  const entry = { command: "${userHome}/run", args: ["${workspaceFolder}/main.js"], env: { KEY: "${env:API_KEY}" } };
  expect(examine(cursor({ notes: entry }), { API_KEY: "x" })).toEqual(["1 server in 1 file of hosts"]);
});

test("relative paths in the file of a project are right", () => {
  const servers = { notes: { command: "node", args: ["build/main.js"] } };
  expect(examine({ "project/.mcp.json": { mcpServers: servers } })).toEqual(["1 server in 1 file of hosts"]);
});

test("a host without variables gets them as they are", () => {
  const servers = { notes: { ...start, env: { KEY: "${API_KEY}" } } };
  expect(examine({ ".config/Claude/claude_desktop_config.json": { mcpServers: servers } })).toEqual([
    expect.stringMatching(
      /^warning: Claude Desktop, server "notes": Claude Desktop does not replace variables, as KEY has one/,
    ),
  ]);
});

test("the listed variables of Codex", () => {
  const toml = '[mcp_servers.notes]\ncommand = "node"\nargs = ["FOLDER/main.js"]\nenv_vars = ["API_KEY", "OTHER"]\n';
  expect(examine({ ".codex/config.toml": toml }, { OTHER: "x" })).toEqual([
    expect.stringMatching(/^warning: Codex, server "notes": the variable API_KEY is not set -> set API_KEY/),
  ]);
});

test.each([
  ["JSON", ".cursor/mcp.json", '{ "mcpServers": { "a": '],
  ["TOML", ".codex/config.toml", "[mcp_servers.a\n"],
  ["a wrong type", ".cursor/mcp.json", '{ "mcpServers": [] }'],
  ["a server that is not an object", ".cursor/mcp.json", '{ "mcpServers": { "a": 1 } }'],
  ["a name that occurs twice", ".cursor/mcp.json", '{ "mcpServers": { "a": {}, "a": {} } }'],
])("broken: %s", (_what, path, text) => {
  expect(examine({ [path]: text })[0]).toMatch(
    /^error: (Cursor|Codex) cannot use its configuration: .* -> correct the file$/,
  );
});

test("a server that is configured twice", () => {
  const twice = {
    ...cursor({ a: start, b: start }),
    "project/.cursor/mcp.json": { mcpServers: { a: { ...start, env: { K: "v" } } } },
  };
  expect(examine(twice)).toEqual([
    'warning: Cursor has the server "a" twice, also in FOLDER/project/.cursor/mcp.json -> remove one of them: mcpwright install --remove, or edit the file',
    'warning: Cursor has the server "b" twice, also as "a" in FOLDER/.cursor/mcp.json -> remove one of them: mcpwright install --remove, or edit the file',
  ]);
});

test("servers that Claude Code keeps for the project in the file of the user", () => {
  const servers = { a: { command: "node", args: ["build/main.js"] }, b: { command: "uvx" } };
  const projects = {
    "FOLDER/project": { mcpServers: servers },
    "FOLDER/other": { mcpServers: { c: { command: "" } } },
  };
  expect(examine({ ".claude.json": { projects, mcpServers: { d: start } } })).toEqual([
    expect.stringMatching(/^error: Claude Code, server "b": the program uvx is not on your PATH/),
  ]);
});

test("each variant of a host has the server once", () => {
  const file = { servers: { notes: start } };
  const files = { ".config/Code/User/mcp.json": file, ".config/Code - Insiders/User/mcp.json": file };
  expect(examine(files)).toEqual(["2 servers in 2 files of hosts"]);
});

test("values of variables and arguments are not printed", () => {
  const entry = { command: "uvx", args: ["--token", "s3cret"], env: { KEY: "s3cret", OTHER: "" } };
  const found = examine(cursor({ notes: entry }));
  expect(found).toHaveLength(2);
  expect(found.join("\n")).not.toContain("s3cret");
});
