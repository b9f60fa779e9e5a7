import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { askChoices, Cancelled, type GivenChoices } from "../../generator/commands/new/questions.js";
import { projectStarts } from "../../generator/shared/project/project-options.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { childCli, cli, cliOn, startCli, exitCode } from "./command-line.js";

describe("without a terminal", () => {
  test.each<[name: string, args: readonly string[], made: object]>([
    ["--yes: a minimal server", ["--yes"], { start: "minimal", name: "my-notes" }],
    ["a start", ["--start", "http"], { start: "http", name: "my-notes" }],
    [
      "everything is said",
      ["--start", "http-auth", "--stdio", "--legacy-sse", "--skills", "--name", "@acme/x"],
      { start: "http-auth", name: "@acme/x", stdio: true, legacySse: true, skills: true },
    ],
    ["options that are off", ["--start", "http", "--no-stdio"], { start: "http", name: "my-notes" }],
    ["skills", ["--start", "server", "--skills"], { start: "server", name: "my-notes", skills: true }],
    ["a client", ["--start", "client"], { start: "client", name: "my-notes" }],
  ])("%s", async (_name, args, made) => {
    const folder = join(sandbox(), "My Notes");
    const { code, out, err } = await cli("new", folder, ...args, "--json");
    expect([code, err]).toEqual([0, ""]);
    const printed = JSON.parse(out) as { folder: string; project: object; files: string[]; written: boolean };
    expect(printed).toMatchObject({ folder, written: true });
    expect(printed.project).toEqual(made);
    expect(Object.keys(treeOf(folder)).sort()).toEqual(printed.files);
  });

  test.each<[name: string, folder: string, args: readonly string[], said: string]>([
    ["no options", "notes", [], "--start is required"],
    ["no options, with a partial terminal", "notes", ["--json"], "--start is required"],
    ["a folder name that is not a package name", "日本", ["--yes"], '--name is required: the folder name "日本"'],
    ["a folder with the name of a module of Node", "http", ["--yes"], "--name is required"],
    ["another start", "notes", ["--start", "proxy"], "--start must be one of minimal, "],
    ["a misspelt start", "notes", ["--start", "htp"], "Did you mean http?"],
    ["two starts", "notes", ["--start", "server", "--start", "client"], "--start must not be repeated"],
    [
      "a server over stdio, over stdio",
      "notes",
      ["--start", "server", "--stdio"],
      "--stdio does not apply to --start server",
    ],
    ["HTTP+SSE over stdio", "notes", ["--start", "server", "--legacy-sse"], "only to http, http-auth"],
    [
      "the option of another start with --yes",
      "notes",
      ["--yes", "--skills"],
      "--skills does not apply to --start minimal",
    ],
    ["a client with skills", "notes", ["--start", "client", "--skills"], "only to server, http, http-auth"],
    ["a tag without a description", "notes", ["--yes", "--tag", "a"], "--tag requires --from-openapi."],
    ["a description over HTTP", "notes", ["--from-openapi", "a.json", "--start", "http"], "a server over stdio"],
    [
      "a description with skills",
      "notes",
      ["--from-openapi", "a.json", "--skills"],
      "cannot be combined with --skills",
    ],
    ["no tools at all", "notes", ["--from-openapi", "a.json", "--limit", "0"], "--limit must be a positive integer."],
    ["no description", "notes", ["--from-openapi", ""], "--from-openapi must not be empty"],
    ["an unknown option", "notes", ["--force"], "Unknown option: --force."],
    [
      "a name with a path in it",
      "notes",
      ["--yes", "--name", "../../x"],
      "error[skeleton-name-invalid]: ../../x is not a valid package name",
    ],
    ["a name that is code", "notes", ["--yes", "--name", "${process.exit()}"], "error[skeleton-name-invalid]"],
    ["an empty name", "notes", ["--yes", "--name", ""], "error[skeleton-name-invalid]"],
  ])("%s: nothing is written", async (_name, folder, args, said) => {
    const root = sandbox();
    const { code, out, err } = await cliOn({ isTTY: !args.includes("--json") }, "new", join(root, folder), ...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(said);
    expect(readdirSync(root)).toEqual([]);
  });

  test("no folder", async () => {
    for (const args of [["new"], ["new", ""]]) expect(await cli(...args, "--yes")).toMatchObject({ code: 2, out: "" });
  });

  test("--list: each start with one line, and nothing is written", async () => {
    const { code, out } = await cli("new", "--list");
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ", 1)[0])).toEqual(Object.keys(projectStarts));
    expect(JSON.parse((await cli("new", "--list", "--json")).out)).toEqual(projectStarts);
  });

  test("says what to do next, with an entry for hosts that has the path in it", async () => {
    const folder = join(sandbox(), "notes");
    const { out } = await cli("new", folder, "--yes");
    expect(out).toContain("npm install\n  npx mcpwright inspect build/main.js --call greet --arg name=Ada\n");
    const entry = JSON.parse(out.slice(out.indexOf("{"))) as object;
    expect(entry).toEqual({ mcpServers: { notes: { command: "node", args: [join(folder, "build/main.js")] } } });
  });

  test("says how to try a protected server without an authorization server of its own", async () => {
    const { out } = await cli("new", join(sandbox(), "notes"), "--start", "http-auth", "--stdio");
    for (const step of ["npm run issuer", "npm start -- --http", "npx mcpwright inspect http://127.0.0.1:3000/mcp"])
      expect(out).toContain(step);
  });

  test("lists all that is in the way, and touches none of it", async () => {
    const folder = sandbox();
    const tree = { "package.json": "{}", "src/main.ts": "mine" };
    put(folder, tree);
    const { code, err } = await cli("new", folder, "--yes", "--name", "notes");
    expect(code).toBe(1);
    expect(err).toContain("already contains package.json, src/main.ts");
    expect(treeOf(folder)).toEqual(tree);
  });

  test("--dry-run lists the files", async () => {
    const folder = sandbox();
    const { out } = await cli("new", join(folder, "notes"), "--yes", "--dry-run");
    expect(out.split("\n")).toEqual(expect.arrayContaining(["package.json", "src/main.ts"]));
    expect(readdirSync(folder)).toEqual([]);
  });
});

test("`.` is the current folder, and `..` the one above", async () => {
  const root = sandbox();
  put(root, { "notes/inner/keep": "" });
  expect(await childCli(["new", "..", "--yes"], { cwd: join(root, "notes/inner") })).toMatchObject({ code: 0 });
  expect(treeOf(join(root, "notes"))["package.json"]).toContain('"name": "notes"');
  expect(await childCli(["new", ".", "--start", "client"], { cwd: join(root, "notes/inner") })).toMatchObject({
    code: 0,
  });
  expect(treeOf(join(root, "notes/inner"))["package.json"]).toContain('"name": "inner"');
});

test("a reader that goes away does not keep the files from being written", async () => {
  const folder = sandbox();
  const child = startCli(["new", join(folder, "notes"), "--yes"]);
  child.stdout?.destroy();
  await exitCode(child);
  expect(treeOf(join(folder, "notes"))).toHaveProperty([".mcpwright/project.json"]);
});

describe("on a terminal", () => {
  const nothing: GivenChoices = { start: undefined, name: undefined };
  const [enter, down, escape] = ["\r", "\u001b[B", "\u0003"];

  /** Types a key whenever something new is asked. */
  async function answering(given: GivenChoices, ...keys: readonly string[]) {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 120, rows: 30 });
    let shown = "";
    output.on("data", (chunk: Buffer) => (shown += chunk.toString()));
    const choices = askChoices(given, "notes", { input, output });
    const state = { over: false };
    const over = choices.then(
      () => (state.over = true),
      () => (state.over = true),
    );
    for (const key of keys) {
      const before = shown.length;
      input.write(key);
      while (shown.length === before && !state.over) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await over;
    return { choices: await choices, shown };
  }

  test.each<[name: string, given: GivenChoices, keys: readonly string[], choices: object]>([
    ["everything as suggested", nothing, [enter, enter], { start: "minimal", name: "notes" }],
    ["another start", nothing, [down, down, enter, enter], { start: "http", name: "notes" }],
    ["only what was not said", { ...nothing, start: "client" }, ["2", enter], { start: "client", name: "notes2" }],
  ])("%s", async (_name, given, keys, choices) => {
    expect((await answering(given, ...keys)).choices).toEqual(choices);
  });

  test("nothing is asked when everything was said", async () => {
    const given: GivenChoices = { start: "server", name: "x" };
    expect(await answering(given)).toEqual({ choices: given, shown: "" });
  });

  test("writes nothing when the user cancels", async () => {
    await expect(answering(nothing, enter, escape)).rejects.toThrow(Cancelled);
  });
});
