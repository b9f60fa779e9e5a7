import { expect, test } from "vitest";
import { configPaths, type Machine, userPaths } from "../../../../generator/shared/hosts/host-paths.js";
import { type HostId, hostIds, hosts } from "../../../../generator/shared/hosts/hosts.js";

const mac = { platform: "darwin", home: "/Users/ada", cwd: "/p", env: {} } as const;
const linux = { platform: "linux", home: "/home/ada", cwd: "/p", env: {} } as const;
const windows = { platform: "win32", home: "C:\\Users\\ada", cwd: "C:\\p", env: {} } as const;

test.each<[HostId, string, Machine, readonly string[]]>([
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
  ["windsurf", "Linux", linux, ["/home/ada/.codeium/windsurf/mcp_config.json"]],
  ["windsurf", "macOS", mac, ["/Users/ada/.codeium/windsurf/mcp_config.json"]],
  ["windsurf", "Windows", windows, ["C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json"]],
  ["devin", "Linux", linux, ["/p/.devin/mcp_config.json", "/home/ada/.config/devin/mcp_config.json"]],
  ["devin", "macOS", mac, ["/p/.devin/mcp_config.json", "/Users/ada/.config/devin/mcp_config.json"]],
  [
    "devin",
    "Windows",
    { ...windows, env: { APPDATA: "D:\\Roaming" } },
    ["C:\\p\\.devin\\mcp_config.json", "D:\\Roaming\\devin\\mcp_config.json"],
  ],
  ["zed", "Linux", linux, ["/p/.zed/settings.json", "/home/ada/.config/zed/settings.json"]],
  [
    "zed",
    "Linux with XDG",
    { ...linux, env: { XDG_CONFIG_HOME: "/x" } },
    ["/p/.zed/settings.json", "/x/zed/settings.json"],
  ],
  [
    "zed",
    "macOS, which ignores XDG",
    { ...mac, env: { XDG_CONFIG_HOME: "/x" } },
    ["/p/.zed/settings.json", "/Users/ada/.config/zed/settings.json"],
  ],
  [
    "zed",
    "Windows",
    { ...windows, env: { APPDATA: "D:\\Roaming" } },
    ["C:\\p\\.zed\\settings.json", "D:\\Roaming\\Zed\\settings.json"],
  ],
  ["gemini", "Linux", linux, ["/p/.gemini/settings.json", "/home/ada/.gemini/settings.json"]],
  ["gemini", "macOS", mac, ["/p/.gemini/settings.json", "/Users/ada/.gemini/settings.json"]],
  ["gemini", "Windows", windows, ["C:\\p\\.gemini\\settings.json", "C:\\Users\\ada\\.gemini\\settings.json"]],
  ["codex", "Linux", linux, ["/p/.codex/config.toml", "/home/ada/.codex/config.toml"]],
  ["codex", "macOS", { ...mac, env: { CODEX_HOME: "/c" } }, ["/p/.codex/config.toml", "/c/config.toml"]],
  ["codex", "Windows", windows, ["C:\\p\\.codex\\config.toml", "C:\\Users\\ada\\.codex\\config.toml"]],
])("%s on %s", (host, _platform, options, expected) => {
  expect(configPaths(host, options)).toEqual(expected);
});

test.each(
  hostIds.flatMap((host) => [mac, linux, windows].map((machine) => [host, machine.platform, machine] as const)),
)("%s has a file of the user on %s, and creates at most one", (host, _platform, machine) => {
  const paths = userPaths(host, machine);
  expect(paths.filter(({ isVariant }) => !isVariant)).toHaveLength(1);
  for (const { file } of paths) expect(file).toMatch(hosts[host].format === "toml" ? /\.toml$/ : /\.json$/);
});
