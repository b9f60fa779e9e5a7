import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type ConfigHost,
  configPaths,
  findConfig,
  type FindConfigOptions,
} from "../../../../../generator/commands/gateway/config/find-config.js";
import { problems } from "../../../shared/diagnostics/problems.js";
import { put, sandbox } from "../../../shared/files/sandbox.js";

const mac = { platform: "darwin", home: "/Users/ada", cwd: "/p", env: {} } as const;
const linux = { platform: "linux", home: "/home/ada", cwd: "/p", env: {} } as const;
const windows = { platform: "win32", home: "C:\\Users\\ada", cwd: "C:\\p", env: {} } as const;

test.each<[ConfigHost, string, FindConfigOptions, readonly string[]]>([
  ["claude", "macOS", mac, ["/Users/ada/Library/Application Support/Claude/claude_desktop_config.json"]],
  ["claude", "Linux", linux, ["/home/ada/.config/Claude/claude_desktop_config.json"]],
  ["claude", "Linux with XDG", { ...linux, env: { XDG_CONFIG_HOME: "/x" } }, ["/x/Claude/claude_desktop_config.json"]],
  [
    "claude",
    "Linux with a relative XDG",
    { ...linux, env: { XDG_CONFIG_HOME: "x" } },
    ["/home/ada/.config/Claude/claude_desktop_config.json"],
  ],
  [
    "claude",
    "Windows",
    { ...windows, env: { APPDATA: "D:\\Roaming", LOCALAPPDATA: "D:\\Local" } },
    [
      "D:\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json",
      "D:\\Roaming\\Claude\\claude_desktop_config.json",
    ],
  ],
  [
    "claude",
    "Windows without variables",
    windows,
    [
      "C:\\Users\\ada\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json",
      "C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
    ],
  ],
  ["claude-code", "Linux", linux, ["/p/.mcp.json", "/home/ada/.claude.json"]],
  ["claude-code", "macOS", { ...mac, env: { CLAUDE_CONFIG_DIR: "/c" } }, ["/p/.mcp.json", "/c/.claude.json"]],
  ["claude-code", "Windows", windows, ["C:\\p\\.mcp.json", "C:\\Users\\ada\\.claude.json"]],
  ["cursor", "macOS", mac, ["/p/.cursor/mcp.json", "/Users/ada/.cursor/mcp.json"]],
  ["cursor", "Windows", windows, ["C:\\p\\.cursor\\mcp.json", "C:\\Users\\ada\\.cursor\\mcp.json"]],
  [
    "vscode",
    "macOS",
    mac,
    [
      "/p/.vscode/mcp.json",
      "/Users/ada/Library/Application Support/Code/User/mcp.json",
      "/Users/ada/Library/Application Support/Code - Insiders/User/mcp.json",
    ],
  ],
  [
    "vscode",
    "Linux",
    linux,
    ["/p/.vscode/mcp.json", "/home/ada/.config/Code/User/mcp.json", "/home/ada/.config/Code - Insiders/User/mcp.json"],
  ],
  [
    "vscode",
    "Windows",
    { ...windows, env: { APPDATA: "D:\\Roaming" } },
    ["C:\\p\\.vscode\\mcp.json", "D:\\Roaming\\Code\\User\\mcp.json", "D:\\Roaming\\Code - Insiders\\User\\mcp.json"],
  ],
])("%s on %s", (host, _platform, options, expected) => {
  expect(configPaths(host, options)).toEqual(expected);
});

describe("finds", () => {
  const find = (host: ConfigHost, existing: readonly string[]) =>
    findConfig(host, { ...linux, exists: (path) => existing.includes(path) });

  test("the file of the project before that of the user", () => {
    const both = ["/p/.cursor/mcp.json", "/home/ada/.cursor/mcp.json"];
    expect(find("cursor", both)).toEqual({ path: "/p/.cursor/mcp.json", workspaceFolder: "/p" });
  });

  test("the file of the user, for the project", () => {
    const path = "/home/ada/.config/Code/User/mcp.json";
    expect(find("vscode", [path])).toEqual({ path, workspaceFolder: "/p" });
  });

  test("nothing, and lists the paths that were tried", () => {
    expect(problems(() => find("claude-code", ["/p/.cursor/mcp.json"]))).toEqual([
      "gateway-config-not-found: Claude Code has no configuration of servers; looked for /p/.mcp.json, /home/ada/.claude.json",
    ]);
  });

  test("files on the disk, but not folders", () => {
    const folder = sandbox();
    put(folder, { ".mcp.json": "{}" });
    mkdirSync(join(folder, ".vscode", "mcp.json"), { recursive: true });
    const options = { cwd: folder, home: folder, env: {} };
    expect(findConfig("claude-code", options).path).toBe(join(folder, ".mcp.json"));
    expect(problems(() => findConfig("vscode", options))).toHaveLength(1);
  });
});
