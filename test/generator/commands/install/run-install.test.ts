/** What the user sees and is asked. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { type InstallRequest, runInstall } from "../../../../generator/commands/install/run-install.js";
import { treeOf } from "../../shared/files/sandbox.js";
import { type Home, homeWith } from "./home.js";

const [enter, down, yes] = ["\r", "\u001b[B", "y"];
const nothing: Omit<InstallRequest, "machine"> = {
  host: undefined,
  scope: "user",
  remove: false,
  list: false,
  yes: false,
  dryRun: false,
  json: false,
  source: {},
};

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What the terminal shows. */
  readonly shown: string;
}

/** Runs the command, and presses a key whenever something new is shown. */
async function run({ machine }: Home, given: Partial<InstallRequest>, keys?: readonly string[]): Promise<Run> {
  const [out, err] = [[] as string[], [] as string[]];
  let code = 0;
  const context = {
    out: { write: (text: string) => out.push(text) },
    err: { write: (text: string) => err.push(text) },
    exit: (next: number) => void (code = next),
  };
  let shown = "";
  const request = { ...nothing, ...given, machine };
  if (!keys) await runInstall(request, context, undefined);
  else {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 160, rows: 30 });
    output.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    const state = { over: false };
    const over = runInstall(request, context, { input, output }).finally(() => (state.over = true));
    over.catch(() => undefined);
    const nextFrame = async (length: number): Promise<void> => {
      while (shown.length === length && !state.over) await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise((resolve) => setImmediate(resolve));
    };
    await nextFrame(0);
    for (const key of keys) {
      const { length } = shown;
      input.write(key);
      await nextFrame(length);
    }
    await over;
  }
  return { code, out: out.join(""), err: err.join(""), shown };
}

describe("on a terminal", () => {
  test("the user chooses among the hosts on this machine, sees the change, and agrees", async () => {
    const home = homeWith({ ".cursor/x": "", ".gemini/x": "" });
    const { code, out, shown } = await run(home, {}, [down, enter, yes]);
    expect(code).toBe(0);
    expect(shown).toContain("Cursor");
    expect(shown).not.toContain("Windsurf");
    const path = join(home.home, ".gemini/settings.json");
    expect(shown).toContain(`Add it to Gemini CLI (${path})?`);
    expect(out).toBe(`Gemini CLI will run this command, with your permissions:
  node ${home.project}/build/main.js

in ${path}:

--- a${path}
+++ b${path}
@@ -0,0 +1,6 @@
+"notes": {
+  "command": "node",
+  "args": [
+    "${home.project}/build/main.js"
+  ]
+}
notes is in Gemini CLI, in ${path}
Start Gemini CLI again; /mcp shows its servers.
`);
    expect(existsSync(path)).toBe(true);
  });

  test.each([
    ["refuses", [enter]],
    ["cancels", ["\u0003"]],
  ])("the user %s: nothing is written", async (_name, keys) => {
    const home = homeWith();
    const before = treeOf(home.home);
    expect(await run(home, { host: "cursor" }, keys)).toMatchObject({ code: 1, err: "Nothing was written.\n" });
    expect(treeOf(home.home)).toEqual(before);
  });

  test("the user cancels the choice", async () => {
    const home = homeWith({ ".cursor/x": "" });
    expect(await run(home, {}, ["\u0003"])).toMatchObject({ code: 1, out: "", err: "Nothing was written.\n" });
  });

  test("a value is asked for where a host cannot refer to variables, and never shown", async () => {
    const home = homeWith();
    const given = { host: "zed", source: { variables: ["API_KEY"] } } as const;
    const { code, out, err, shown } = await run(home, given, ["s", "3", "c", enter, yes]);
    expect(code).toBe(0);
    expect(shown).toContain("Value of API_KEY");
    expect(out + err + shown).not.toContain("s3c");
    expect(out).toContain('"API_KEY": "(hidden)"');
    expect(readFileSync(join(home.home, ".config/zed/settings.json"), "utf8")).toContain('"API_KEY": "s3c"');
  });

  test("no host on this machine", async () => {
    await expect(run(homeWith(), {}, [])).rejects.toThrow("install-host-missing");
  });
});

describe("without a terminal", () => {
  test("a host is required, and --yes", async () => {
    await expect(run(homeWith(), {})).rejects.toThrow("<host> is required without a terminal");
    await expect(run(homeWith(), { host: "cursor" })).rejects.toThrow("--yes is required without a terminal");
  });

  test("a variable that the host cannot refer to is refused", async () => {
    const given = { host: "claude", yes: true, source: { variables: ["API_KEY"] } } as const;
    await expect(run(homeWith(), given)).rejects.toThrow("install-variable-kept");
  });

  test("--dry-run writes nothing", async () => {
    const home = homeWith({ ".cursor/mcp.json": "{}" });
    const before = treeOf(home.home);
    const { code, out } = await run(home, { host: "cursor", dryRun: true });
    expect(code).toBe(0);
    expect(out).toMatch(/\nNothing was written\.\n$/);
    expect(treeOf(home.home)).toEqual(before);
  });

  test("twice: nothing to do; removed: the file is as before, and then nothing to do", async () => {
    const home = homeWith({ ".cursor/mcp.json": "{ }" });
    const path = join(home.home, ".cursor/mcp.json");
    expect((await run(home, { host: "cursor", yes: true })).out).toContain(
      `The earlier file is in ${path}.mcpwright-backup`,
    );
    expect(await run(home, { host: "cursor", yes: true })).toMatchObject({
      code: 0,
      out: `Nothing to do: Cursor already has the same entry of notes in ${path}\n`,
    });
    const { out } = await run(home, { host: "cursor", yes: true, remove: true });
    expect(out).toMatch(
      /^Cursor will no longer have the server notes\.\n\n--- a[^]*\n-"notes": \{\n[^]*notes was removed from Cursor/,
    );
    expect(readFileSync(path, "utf8")).toBe("{ }");
    expect(await run(home, { host: "cursor", remove: true })).toMatchObject({
      code: 0,
      out: `Nothing to do: Cursor has no server notes in ${path}\n`,
    });
  });

  test("control characters of files are not obeyed", async () => {
    const home = homeWith({ ".cursor/mcp.json": '{ "mcpServers": { "notes": { "command": "\\u001b[2Jx" } } }' });
    const { out } = await run(home, { host: "cursor", dryRun: true });
    expect(out).not.toContain("\u001b");
    expect(out).toContain("[2Jx");
  });

  test("--json", async () => {
    const home = homeWith({ ".cursor/mcp.json": "{}" });
    const source = { env: { TOKEN: "s3cret" }, variables: ["API_KEY"] };
    const { out } = await run(home, { host: "cursor", yes: true, json: true, source });
    const path = join(home.home, ".cursor/mcp.json");
    expect(JSON.parse(out)).toEqual({
      host: "cursor",
      scope: "user",
      path,
      name: "notes",
      action: "add",
      starts: ["node", join(home.project, "build/main.js")],
      notes: ["API_KEY: Cursor takes the value from its own environment."],
      difference: expect.stringContaining('+    "TOKEN": "(hidden)"') as string,
      written: true,
      backup: `${path}.mcpwright-backup`,
    });
    expect(out).not.toContain("s3cret");
  });

  test("a URL in a host that only starts commands", async () => {
    const source = { name: "example", url: "https://example.com/mcp" };
    const { out } = await run(homeWith(), { host: "claude", dryRun: true, source });
    expect(out).toContain(`Claude Desktop will run this command, with your permissions:
  npx -y mcpwright gateway https://example.com/mcp
  Claude Desktop only starts commands from its file: mcpwright gateway connects it to the URL.
`);
    const connected = await run(homeWith(), { host: "codex", dryRun: true, source });
    expect(connected.out).toMatch(/^Codex will connect to the URL of the server example\.\n/);
  });
});

describe("--list", () => {
  const files = {
    ".cursor/mcp.json": '{ "mcpServers": { "notes": {} } }',
    "notes/.vscode/mcp.json": "{}",
    ".gemini/settings.json": "[",
    ".codex/x": "",
  };

  test("shows where the server is", async () => {
    const home = homeWith(files);
    const { code, out } = await run(home, { list: true });
    expect(code).toBe(0);
    expect(out).toBe(`claude       not found
claude-code  not found
vscode       project, no notes: ${home.project}/.vscode/mcp.json
cursor       has notes: ${home.home}/.cursor/mcp.json
windsurf     not found
devin        not found
zed          not found
gemini       cannot be used (invalid configuration: close bracket expected): ${home.home}/.gemini/settings.json
codex        found, without a file of servers
`);
  });

  test("as JSON", async () => {
    const home = homeWith(files);
    const listed = JSON.parse((await run(home, { list: true, json: true, source: { name: "x" } })).out) as object[];
    expect(listed).toHaveLength(9);
    expect(listed[3]).toEqual({
      host: "cursor",
      title: "Cursor",
      found: true,
      files: [
        { scope: "user", path: join(home.home, ".cursor/mcp.json"), exists: true, installed: false },
        { scope: "project", path: join(home.project, ".cursor/mcp.json"), exists: false, installed: false },
      ],
    });
  });

  test("outside of a project", async () => {
    const { home, machine } = homeWith(files);
    const { out } = await run({ home, project: home, machine: { ...machine, cwd: home } }, { list: true });
    expect(out).toContain(`cursor       ${home}/.cursor/mcp.json\n`);
  });
});
