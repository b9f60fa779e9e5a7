import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findName, findServer } from "../../../../generator/commands/install/server-source.js";
import { problems } from "../../shared/diagnostics/problems.js";
import { put, sandbox } from "../../shared/files/sandbox.js";

function project(manifest: unknown, ...files: readonly string[]): string {
  const folder = sandbox();
  put(folder, {
    "package.json": typeof manifest === "string" ? manifest : JSON.stringify(manifest),
    ...Object.fromEntries(files.map((file) => [file, ""])),
  });
  return folder;
}

describe("the program of a project", () => {
  test.each<[string, object, readonly string[], string]>([
    ["its only bin", { bin: "./out/cli.js" }, ["out/cli.js"], "out/cli.js"],
    ["the bin with its name", { name: "@a/n", bin: { x: "x.js", n: "n.js" } }, ["x.js", "n.js"], "n.js"],
    ["the only one of its bins", { name: "n", bin: { x: "x.js" } }, ["x.js"], "x.js"],
    ["what npm start runs", { scripts: { start: "node build/main.js" } }, ["build/main.js"], "build/main.js"],
    ["main", { main: "lib/index.cjs" }, ["lib/index.cjs"], "lib/index.cjs"],
    ["bin before main", { bin: "a.js", main: "b.js" }, ["a.js", "b.js"], "a.js"],
    ["the output of the projects of mcpwright new", {}, ["build/main.js"], "build/main.js"],
    ["the usual output", { scripts: { start: "node x.js | cat" } }, ["dist/main.js"], "dist/main.js"],
  ])("%s", (_name, manifest, files, expected) => {
    const folder = project(manifest, ...files);
    expect(findServer({ folder })).toEqual({
      kind: "command",
      command: "node",
      args: [join(folder, expected)],
      env: {},
      variables: [],
    });
  });

  test.each<[string, unknown, string]>([
    [
      "not built",
      { bin: "build/main.js" },
      "install-not-built: OUT/build/main.js, which starts the server, does not exist",
    ],
    [
      "not known",
      { bin: { a: "a.js", b: "b.js" } },
      "install-no-entry: OUT/package.json does not say which file starts the server",
    ],
    ["not an object", [], "install-no-project: OUT/package.json is not an object"],
    ["not JSON", "{", expect.stringMatching(/^install-no-project: OUT\/package.json is not valid JSON: /)],
  ])("%s", (_name, manifest, message) => {
    const folder = project(manifest);
    const told = problems(() => findServer({ folder })).map((one) => one.replaceAll(folder, "OUT"));
    expect(told).toEqual([message]);
  });

  test("no project", () => {
    const folder = sandbox();
    expect(problems(() => findServer({ folder }))).toEqual([
      `install-no-project: ${join(folder, "package.json")} cannot be read: ENOENT: no such file or directory`,
    ]);
  });
});

describe("the name", () => {
  test.each([
    ["notes", "notes"],
    ["@ada/notes", "notes"],
    ["notes.js", "notes-js"],
  ])("of %s is %s", (name, expected) => {
    expect(findName({ folder: project({ name }) })).toBe(expected);
    expect(findName({ folder: project({ name }), name: "other_1" })).toBe("other_1");
  });

  test.each([
    [{}, 'install-no-project: OUT/package.json has no "name"'],
    [
      { name: "ä" },
      'install-name-invalid: "ä" cannot be the name of a server: use 1 to 64 letters, digits, hyphens and underscores',
    ],
    [
      { name: "__proto__" },
      'install-name-invalid: "__proto__" cannot be the name of a server: use 1 to 64 letters, digits, hyphens and underscores',
    ],
  ])("of %j is refused", (manifest, message) => {
    const folder = project(manifest);
    expect(problems(() => findName({ folder })).map((one) => one.replaceAll(folder, "OUT"))).toEqual([message]);
  });
});

test("a source file for mcpwright dev", () => {
  const folder = project({ name: "notes" }, "src/main.ts");
  expect(findServer({ folder, dev: "src/main.ts" })).toMatchObject({
    command: "npx",
    args: ["-y", "mcpwright", "dev", join(folder, "src/main.ts")],
  });
  expect(problems(() => findServer({ folder, dev: "main.ts" }))).toEqual([
    `install-not-built: ${join(folder, "main.ts")}, which starts the server, does not exist`,
  ]);
});

test("a command and a URL", () => {
  expect(findServer({ command: ["npx", "-y", "x"], env: { A: "1" }, variables: ["B"] })).toEqual({
    kind: "command",
    command: "npx",
    args: ["-y", "x"],
    env: { A: "1" },
    variables: ["B"],
  });
  expect(findServer({ url: "https://example.com/mcp" })).toEqual({ kind: "url", url: "https://example.com/mcp" });
});
