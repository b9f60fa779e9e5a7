import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { childCli, cli } from "./command-line.js";

test.each([
  [["cursor", "--url", "https://x.org/mcp", "--name", "x", "--", "node"], "Use only one of --url and a command"],
  [["cursor", "--url", "https://x.org/mcp"], "--name is required"],
  [["cursor", "--url", "ftp://x.org", "--name", "x"], "--url must be a URL that begins with http:// or https://"],
  [["cursor", "--url", "https://a:b@x.org", "--name", "x"], "without user and password."],
  [["cursor", "--url", "https://[", "--name", "x"], "--url must be a URL"],
  [["cursor", "--url", "https://x.org/mcp", "--name", "x", "--env", "A"], "--env applies to commands"],
  [["cursor", "--", "node"], "--name is required"],
  [["cursor", "--dev", "a.ts", "--", "node"], "Use --dev without --url and without a command"],
  [["cursor", "--remove", "--dev", "a.ts"], "--remove takes --name, but no server"],
  [["cursor", "--env", "=1"], "--env must be NAME=value or NAME."],
  [["cursor", "--project", "--user"], "Use only one of --project and --user."],
  [["cursor", "--remove", "--env", "A"], "--remove takes --name, but no server"],
  [["cursor", "--list"], "--list shows all hosts"],
  [["--list", "--remove"], "Use only one of --list and --remove."],
  [
    ["cursr"],
    '<host> must be one of claude, claude-code, vscode, cursor, windsurf, devin, zed, gemini, codex, not "cursr".',
  ],
])("wrong usage: install %j", async (args, message) => {
  const { code, out, err } = await cli("install", ...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(message);
});

test(
  "processes that install at once lose nothing, and a removal gives the bytes back",
  { timeout: 120_000 },
  async () => {
    const home = sandbox();
    const text = "{\n\t// mine\n}";
    put(home, { ".cursor/mcp.json": text });
    const env = {
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      APPDATA: join(home, "AppData"),
    };
    const install = (...args: readonly string[]) =>
      childCli(["install", "cursor", "--yes", ...args], { cwd: home, env });
    const path = join(home, ".cursor/mcp.json");

    const outcomes = await Promise.all(
      ["a", "b", "c"].map((name) => install("--name", name, "--env", "TOKEN=s3cret", "--", "node", `${name}.js`)),
    );
    for (const { code, out, err } of outcomes) {
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).not.toContain("s3cret");
    }
    const content = JSON.parse(readFileSync(path, "utf8").replace("// mine", "")) as { mcpServers: object };
    expect(Object.keys(content.mcpServers).sort()).toEqual(["a", "b", "c"]);

    for (const name of ["a", "b", "c"])
      expect(await install("--remove", "--name", name)).toMatchObject({ code: 0, err: "" });
    const left = readFileSync(path, "utf8");
    expect(left.startsWith("{\n\t// mine")).toBe(true);
    expect(JSON.parse(left.replace("// mine", ""))).not.toHaveProperty("mcpServers.a");
    expect(existsSync(join(home, ".cursor/.mcpwright-lock"))).toBe(false);
  },
);
