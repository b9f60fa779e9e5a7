/** What is written into the files of all hosts, and what is refused. */
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Server } from "../../../../generator/commands/install/entry/make-entry.js";
import { hostFile } from "../../../../generator/commands/install/host-file.js";
import { applyPlan, type InstallPlan, planInstall } from "../../../../generator/commands/install/install.js";
import { InstallRecord } from "../../../../generator/commands/install/install-record.js";
import { type HostId, hostIds, hosts } from "../../../../generator/shared/hosts/hosts.js";
import { problems } from "../../shared/diagnostics/problems.js";
import { put, refusal, treeOf } from "../../shared/files/sandbox.js";
import type { Tree } from "../../shared/files/tree.js";
import { type Home, homeWith } from "./home.js";

const command: Server = {
  kind: "command",
  command: "node",
  args: ["/srv/main.js"],
  env: { LOG: "1" },
  variables: ["API_KEY"],
};
const plain: Server = { ...command, env: {}, variables: [] };
const url: Server = { kind: "url", url: "https://example.com/mcp" };

function plan(
  host: HostId,
  server: Server | undefined,
  { machine }: Home,
  scope: "user" | "project" = "user",
): InstallPlan {
  return planInstall({ host, scope, name: "notes", server, machine });
}

function apply(one: InstallPlan, { machine }: Home): Promise<string | undefined> {
  return applyPlan(one, { record: new InstallRecord(machine) });
}

const gatewayArgs = ["-y", "mcpwright", "gateway", "https://example.com/mcp"];

/** The file of the user for the command and for the URL. */
const written: Readonly<Record<HostId, readonly [path: string, forCommand: unknown, forUrl: unknown]>> = {
  claude: [
    ".config/Claude/claude_desktop_config.json",
    { mcpServers: { notes: { command: "node", args: ["/srv/main.js"], env: { LOG: "1" } } } },
    { mcpServers: { notes: { command: "npx", args: gatewayArgs } } },
  ],
  "claude-code": [
    ".claude.json",
    {
      mcpServers: {
        notes: { type: "stdio", command: "node", args: ["/srv/main.js"], env: { LOG: "1", API_KEY: "${API_KEY}" } },
      },
    },
    { mcpServers: { notes: { type: "http", url: "https://example.com/mcp" } } },
  ],
  vscode: [
    ".config/Code/User/mcp.json",
    {
      servers: {
        notes: { type: "stdio", command: "node", args: ["/srv/main.js"], env: { LOG: "1", API_KEY: "${env:API_KEY}" } },
      },
    },
    { servers: { notes: { type: "http", url: "https://example.com/mcp" } } },
  ],
  cursor: [
    ".cursor/mcp.json",
    {
      mcpServers: { notes: { command: "node", args: ["/srv/main.js"], env: { LOG: "1", API_KEY: "${env:API_KEY}" } } },
    },
    { mcpServers: { notes: { url: "https://example.com/mcp" } } },
  ],
  windsurf: [
    ".codeium/windsurf/mcp_config.json",
    {
      mcpServers: { notes: { command: "node", args: ["/srv/main.js"], env: { LOG: "1", API_KEY: "${env:API_KEY}" } } },
    },
    { mcpServers: { notes: { serverUrl: "https://example.com/mcp" } } },
  ],
  devin: [
    ".config/devin/mcp_config.json",
    { mcpServers: { notes: { command: "node", args: ["/srv/main.js"], env: { LOG: "1" } } } },
    { mcpServers: { notes: { url: "https://example.com/mcp" } } },
  ],
  zed: [
    ".config/zed/settings.json",
    { context_servers: { notes: { command: "node", args: ["/srv/main.js"], env: { LOG: "1" } } } },
    { context_servers: { notes: { url: "https://example.com/mcp" } } },
  ],
  gemini: [
    ".gemini/settings.json",
    { mcpServers: { notes: { command: "node", args: ["/srv/main.js"], env: { LOG: "1", API_KEY: "${API_KEY}" } } } },
    { mcpServers: { notes: { httpUrl: "https://example.com/mcp" } } },
  ],
  codex: [
    ".codex/config.toml",
    '[mcp_servers.notes]\ncommand = "node"\nargs = ["/srv/main.js"]\nenv = { LOG = "1" }\nenv_vars = ["API_KEY"]\n',
    '[mcp_servers.notes]\nurl = "https://example.com/mcp"\n',
  ],
};

describe.each(hostIds)("%s", (host) => {
  const [path, ...expected] = written[host];

  test.each([
    ["a command", command, expected[0]],
    ["a URL", url, expected[1]],
  ])("%s, and then nothing to do", async (_name, server, content) => {
    const home = homeWith();
    const planned = plan(host, server, home);
    expect(planned).toMatchObject({ path: join(home.home, path), action: "add" });
    expect(await apply(planned, home)).toBeUndefined();
    const text = readFileSync(join(home.home, path), "utf8");
    expect(hosts[host].format === "toml" ? text : JSON.parse(text)).toEqual(content);
    expect(text).toMatch(/\S\n$/);
    expect(statSync(join(home.home, path)).mode & 0o777).toBe(0o600);
    expect(plan(host, server, home)).toMatchObject({ action: "keep", difference: "" });
  });

  test("a file that did not exist is removed with the server", async () => {
    const home = homeWith();
    await apply(plan(host, plain, home), home);
    await apply(plan(host, url, home), home);
    await apply(plan(host, undefined, home), home);
    const names = Object.keys(treeOf(home.home)).filter((name) => name.startsWith(dirname(path)) || name === path);
    expect(names.filter((name) => name.includes(path))).toEqual([`${path}.mcpwright-backup`]);
    expect(plan(host, undefined, home)).toMatchObject({ action: "keep" });
  });

  test("without a record, an empty object or file stays", async () => {
    const home = homeWith();
    await apply(plan(host, plain, home), home);
    put(home.home, { ".config/mcpwright/installed.json": "not JSON" });
    await apply(plan(host, undefined, home), home);
    const left = hosts[host].format === "toml" ? "" : `{\n  "${hosts[host].servers}": {}\n}\n`;
    expect(readFileSync(join(home.home, path), "utf8")).toBe(left);
  });

  test("an edit of the user in between stays", async () => {
    const home = homeWith();
    await apply(plan(host, plain, home), home);
    const file = join(home.home, path);
    const isToml = hosts[host].format === "toml";
    const text = readFileSync(file, "utf8");
    writeFileSync(file, isToml ? `model = "x"\n\n${text}` : text.replace("{", '{ "theme": "dark",'));
    await apply(plan(host, undefined, home), home);
    expect(readFileSync(file, "utf8")).toContain(isToml ? 'model = "x"\n' : '"theme": "dark"');
    expect(readFileSync(file, "utf8")).not.toContain("notes");
  });
});

describe("a server that the file already has", () => {
  const before = `{
  // mine
  "mcpServers": {
    "notes": { "command": "old", "env": { "TOKEN": "s3cret" }, "timeout": 5, "disabled": true },
    "other": {}
  }
}`;

  test("is changed, and keeps the settings of the user", async () => {
    const home = homeWith({ ".cursor/mcp.json": before });
    const planned = plan("cursor", plain, home);
    expect(planned.action).toBe("change");
    expect(planned.difference).toBe(`--- a/${planned.path.slice(1)}
+++ b/${planned.path.slice(1)}
@@ -1,8 +1,8 @@
 "notes": {
-  "command": "old",
-  "env": {
-    "TOKEN": "(hidden)"
-  },
+  "command": "node",
+  "args": [
+    "/srv/main.js"
+  ],
   "timeout": 5,
   "disabled": true
 }
`);
    await apply(planned, home);
    expect(readFileSync(planned.path, "utf8")).toBe(
      before.replace(
        '{ "command": "old", "env": { "TOKEN": "s3cret" }, "timeout": 5, "disabled": true }',
        '{"command": "node", "args": ["/srv/main.js"], "timeout": 5, "disabled": true}',
      ),
    );
  });

  test("in TOML keeps other members, tables and comments", async () => {
    const text = `[mcp_servers.notes] # mine
command = "old" # the program
startup_timeout_sec = 20 # slow
args = [
  "a",
]

[mcp_servers.notes.env]
TOKEN = "s3cret"

[mcp_servers.notes.tools.delete]
approval = "prompt"
`;
    const home = homeWith({ ".codex/config.toml": text });
    const planned = plan("codex", plain, home);
    expect(planned.difference).not.toContain("s3cret");
    await apply(planned, home);
    expect(readFileSync(planned.path, "utf8")).toBe(`[mcp_servers.notes] # mine
command = "node"
args = ["/srv/main.js"]
startup_timeout_sec = 20 # slow

[mcp_servers.notes.tools.delete]
approval = "prompt"
`);
    expect(plan("codex", plain, home).action).toBe("keep");
    await apply(plan("codex", undefined, home), home);
    expect(readFileSync(planned.path, "utf8")).toBe("");
  });

  test("in TOML without a table of its own gets one", async () => {
    const text = 'model = "x"\n\n[mcp_servers.notes.env]\nTOKEN = "s3cret"\n\n[mcp_servers.notes.tools.a]\nb = 1\n';
    const home = homeWith({ ".codex/config.toml": text });
    await apply(plan("codex", plain, home), home);
    expect(readFileSync(join(home.home, ".codex/config.toml"), "utf8")).toBe(
      'model = "x"\n\n[mcp_servers.notes]\ncommand = "node"\nargs = ["/srv/main.js"]\n\n[mcp_servers.notes.tools.a]\nb = 1\n',
    );
  });

  test.each([
    ['mcp_servers = { notes = { command = "x" } }\n', "mcp_servers must be written as tables: [mcp_servers.name]"],
    ["[[mcp_servers]]\n", "mcp_servers must be made of tables with one pair of brackets: [mcp_servers.name]"],
    ['mcp_servers.notes.command = "x"\n', "mcp_servers.notes must be written as a table: [mcp_servers.notes]"],
  ])("in TOML that cannot be changed in place, before the user is asked: %j", (text, message) => {
    const home = homeWith({ ".codex/config.toml": text });
    const path = join(home.home, ".codex/config.toml");
    expect(problems(() => plan("codex", plain, home))).toEqual([`${path}:1:1 install-config-shape: ${message}`]);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test.each([
    [
      '[mcp_servers]\nnotes = { command = "x", timeout = 1 }\n',
      '[mcp_servers]\nnotes = { command = "node", args = ["/srv/main.js"], timeout = 1 }\n',
    ],
    ['mcp_servers.notes = { command = "x" }\n', 'mcp_servers.notes = { command = "node", args = ["/srv/main.js"] }\n'],
  ])("in TOML as an inline table: %j", async (text, changed) => {
    const home = homeWith({ ".codex/config.toml": text });
    const path = join(home.home, ".codex/config.toml");
    await apply(plan("codex", plain, home), home);
    expect(readFileSync(path, "utf8")).toBe(changed);
    await apply(plan("codex", undefined, home), home);
    expect(readFileSync(path, "utf8")).toBe(text.startsWith("[") ? "[mcp_servers]\n" : "");
  });
});

describe("a broken file is refused with line and column, and stays:", () => {
  test.each<[HostId, string, string]>([
    [
      "cursor",
      '{\n  "mcpServers": {\n    "a": }\n',
      "OUT:3:10 install-config-syntax: invalid configuration: value expected",
    ],
    [
      "cursor",
      '{\r\n  "a": 1\r\n  "b": 2\r\n}',
      "OUT:3:3 install-config-syntax: invalid configuration: comma expected",
    ],
    ["cursor", "[]", "OUT:1:1 install-config-shape: the document must be an object"],
    ["cursor", '{ "mcpServers": [] }', 'OUT:1:17 install-config-shape: "mcpServers" must be an object'],
    ["cursor", '{ "mcpServers": { "notes": 1 } }', 'OUT:1:28 install-config-shape: "notes" must be an object'],
    [
      "cursor",
      '{ "mcpServers": {},\n "mcpServers": {} }',
      'OUT:2:2 install-config-repeated: "mcpServers" occurs twice; first in line 1',
    ],
    [
      "cursor",
      '{ "mcpServers": { "notes": {},\n "notes": {} } }',
      'OUT:2:2 install-config-repeated: "notes" occurs twice; first in line 1',
    ],
    ["cursor", "{".repeat(3), "OUT:1:2 install-config-syntax: invalid configuration: property name expected"],
    ["codex", "a = 1\nb = \n", "OUT:3:1 install-config-syntax: invalid configuration: Unspecified values are invalid"],
    [
      "codex",
      "[a]\n[a]\n",
      "OUT:2:2 install-config-syntax: invalid configuration: Defining a key multiple times is invalid",
    ],
  ])("%s: %j", (host, text, message) => {
    const files: Tree = { ".cursor/mcp.json": text, ".codex/config.toml": text };
    const home = homeWith(files);
    const path = hostFile(host, "user", home.machine);
    const told = problems(() => plan(host, plain, home)).map((one) => one.replaceAll(path, "OUT"));
    expect(told).toEqual([message]);
    expect(problems(() => plan(host, undefined, home))).toHaveLength(1);
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});

test.each([
  ["[__proto__]\nshell = true\n", "1:2"],
  ["[mcp_servers.notes]\nenv.__proto__.shell = true\n", "2:5"],
  ['[[mcp_servers.notes."__proto__"]]\nshell = true\n', "1:21"],
  ["a = 1\nb = [{ '__proto__' = { shell = true } }]\n", "2:8"],
])("%j changes no other object", (text, place) => {
  const home = homeWith({ ".codex/config.toml": text });
  const path = hostFile("codex", "user", home.machine);
  expect(problems(() => plan("codex", plain, home))).toEqual([
    `${path}:${place} install-config-syntax: invalid configuration: __proto__ is not supported as a key`,
  ]);
  expect(({} as { readonly shell?: unknown }).shell).toBeUndefined();
});

test("a file that nests too deeply is refused", () => {
  const home = homeWith({ ".cursor/mcp.json": '{"a":'.repeat(200_000) });
  expect(problems(() => plan("cursor", plain, home))).toEqual([
    expect.stringMatching(/:1:1 install-config-syntax: invalid configuration: it nests too deeply$/),
  ]);
});

describe("the file", () => {
  test("of the project", async () => {
    const home = homeWith();
    for (const host of hostIds.filter((one) => hosts[one].project))
      await apply(plan(host, plain, home, "project"), home);
    const files = Object.keys(treeOf(home.project)).filter((name) => name.startsWith("."));
    expect(files).toEqual([
      ".codex/config.toml",
      ".cursor/mcp.json",
      ".devin/mcp_config.json",
      ".gemini/settings.json",
      ".mcp.json",
      ".vscode/mcp.json",
      ".zed/settings.json",
    ]);
    expect(plan("cursor", command, home, "project").notes).toContain(
      "The file of the project will contain a path of this machine, which others do not have.",
    );
    expect(problems(() => plan("claude", plain, home, "project"))).toEqual([
      "install-scope-missing: Claude Desktop has no servers of projects",
    ]);
  });

  test("of a variant of a host that was used here", () => {
    const insiders = ".config/Code - Insiders/User/settings.json";
    const { machine, home } = homeWith({ [insiders]: "{}" });
    expect(hostFile("vscode", "user", machine)).toBe(join(home, ".config/Code - Insiders/User/mcp.json"));
    expect(hostFile("vscode", "user", homeWith().machine)).toMatch(/\/Code\/User\/mcp\.json$/);
  });

  test("behind a symbolic link", async () => {
    const home = homeWith({ "dotfiles/mcp.json": "{}", ".cursor/x": "" });
    symlinkSync("../dotfiles/mcp.json", join(home.home, ".cursor/mcp.json"));
    await apply(plan("cursor", plain, home), home);
    await apply(plan("cursor", undefined, home), home);
    expect(treeOf(home.home)).toMatchObject({
      ".cursor/mcp.json": "-> ../dotfiles/mcp.json",
      "dotfiles/mcp.json": "{}",
    });
  });
});

describe("between the plan and the change", () => {
  test("another server appears, and stays", async () => {
    const home = homeWith({ ".cursor/mcp.json": "{}" });
    const planned = plan("cursor", plain, home);
    writeFileSync(planned.path, '{ "mcpServers": { "other": {} } }');
    await apply(planned, home);
    const content = JSON.parse(readFileSync(planned.path, "utf8")) as { mcpServers: object };
    expect(Object.keys(content.mcpServers)).toEqual(["other", "notes"]);
  });

  test("the same server changes: refused", async () => {
    const home = homeWith({ ".cursor/mcp.json": "{}" });
    const planned = plan("cursor", plain, home);
    const text = '{ "mcpServers": { "notes": { "command": "theirs" } } }';
    writeFileSync(planned.path, text);
    expect(await refusal(home.home, apply(planned, home))).toEqual([
      'install-config-changed: another program changed "notes" in OUT/.cursor/mcp.json at the same time',
    ]);
    expect(readFileSync(planned.path, "utf8")).toBe(text);
  });

  test("eight servers are installed at once", async () => {
    const home = homeWith({ ".cursor/mcp.json": "{ // servers\n}" });
    const names = Array.from({ length: 8 }, (_, at) => `server-${at}`);
    const plans = names.map((name) =>
      planInstall({ host: "cursor", scope: "user", name, server: plain, machine: home.machine }),
    );
    await Promise.all(plans.map((one) => apply(one, home)));
    const text = readFileSync(join(home.home, ".cursor/mcp.json"), "utf8");
    const content = JSON.parse(text.replace("// servers", "")) as { mcpServers: object };
    expect(Object.keys(content.mcpServers).sort()).toEqual(names);
  });
});

test("values and what else may be secret are hidden, references are not", () => {
  const entry = {
    command: "x",
    env: { A: "s3cret", B: "${input:key}", C: "$HOME" },
    headers: { Authorization: "Bearer s3cret" },
    oauth: { clientSecret: "s3cret", scopes: ["s3cret"] },
    bearer_token: "s3cret",
  };
  const home = homeWith({ ".cursor/mcp.json": JSON.stringify({ mcpServers: { notes: entry } }) });
  const changed: Server = { ...plain, kind: "command", env: { A: "n3w", B: "same" } };
  const { difference } = plan("cursor", changed, home);
  expect(difference).not.toMatch(/s3cret|n3w|same/);
  expect(difference).toContain('-    "B": "${input:key}",\n-    "C": "$HOME"\n');
  expect(difference).toContain('+    "A": "(hidden, changed)",\n+    "B": "(hidden, changed)"\n');
});
