import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ConfigHost, findConfig } from "../../../../../generator/commands/gateway/config/find-config.js";
import { problems } from "../../../shared/diagnostics/problems.js";
import { put, sandbox } from "../../../shared/files/sandbox.js";

const linux = { platform: "linux", home: "/home/ada", cwd: "/p", env: {} } as const;

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
