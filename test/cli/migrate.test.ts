import { expect, test } from "vitest";
import { treeOf } from "../generator/shared/files/sandbox.js";
import { folderOf, repositoryOf, treeFrom } from "../generator/commands/migrate/project.js";
import { cli } from "./command-line.js";

const files = { "package.json": { dependencies: { "@modelcontextprotocol/server": "^2.0.0" } } };

test("says what was done, and what to run next", async () => {
  const folder = repositoryOf(files);
  expect(await cli("migrate", folder)).toEqual({
    code: 0,
    out: "changed   package.json\n1 file changed. Run npm install now.\n",
    err: "",
  });
  expect(await cli("migrate", folder)).toEqual({
    code: 0,
    out: "Nothing to change: the project uses mcpwright.\n",
    err: "",
  });
});

test("--dry-run shows the diff and writes nothing", async () => {
  const folder = folderOf(files);
  const { code, out, err } = await cli("migrate", folder, "--dry-run");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(
    '-    "@modelcontextprotocol/server": "^2.0.0"\n+    "@modelcontextprotocol/server": "npm:@mcpwright/compat-server@^2.4.0"\n',
  );
  expect(out).toMatch(/\nchanged {3}package\.json\n1 file would change\.\n$/);
  expect(treeOf(folder)).toEqual(treeFrom(files));
});

test("a folder without git: exit code 1 and the remedy, unless --force is passed", async () => {
  const folder = folderOf(files);
  const { code, out, err } = await cli("migrate", folder);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/^error\[migrate-no-git\]: .*\n {2}Nothing was changed\. .*--force/);
  expect(await cli("migrate", folder, "--force")).toMatchObject({ code: 0, err: "" });
});

test("a finding: exit code 1", async () => {
  const folder = folderOf({ "package.json": { peerDependencies: { "@modelcontextprotocol/sdk": "^1.0.0" } } });
  const { code, out, err } = await cli("migrate", folder);
  expect([code, out]).toEqual([1, "Nothing was changed.\n"]);
  expect(err).toMatch(/^finding\[migrate-peer-kept\]: package\.json: @modelcontextprotocol\/sdk is only a peer/);
});

test("--json", async () => {
  const { code, out } = await cli("migrate", folderOf(files), "--force", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ changed: ["package.json"], todos: [], findings: [], manager: "npm" });
});

test("--native lists the places where a person must decide, and exits with 1", async () => {
  const source = 'import { mergeCapabilities } from "@modelcontextprotocol/server";\nmergeCapabilities({}, {});\n';
  const folder = folderOf({ ...files, "index.ts": source });
  expect(await cli("migrate", folder, "--native", "--force")).toEqual({
    code: 1,
    out: `changed   index.ts
changed   package.json
1 place needs your decision, marked with TODO mcpwright:
  index.ts:1: mergeCapabilities has no counterpart (docs/reference/official-names.md#names-servers-and-both-sides)
2 files changed. Run npm install now.
`,
    err: "",
  });
});

test("--compat and --native are two levels", async () => {
  const { code, err } = await cli("migrate", ".", "--compat", "--native");
  expect(code).toBe(2);
  expect(err).toContain("Use only one of --compat and --native.");
});

test("an empty folder name is wrong usage", async () => {
  expect(await cli("migrate", "")).toMatchObject({ code: 2, out: "" });
});
