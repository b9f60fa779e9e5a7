import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findEntry } from "../../../../generator/commands/dev/find-entry.js";
import { chooseRunner, nodeArguments } from "../../../../generator/commands/dev/server-command.js";
import { project, tsconfig } from "./project.js";

const erasable = { erasableSyntaxOnly: true, allowImportingTsExtensions: true };
const config = (compilerOptions: object, more: object = {}): string => JSON.stringify({ ...more, compilerOptions });
const node20 = { version: "20.19.0", typescript: undefined };
const node24 = { version: "24.0.0", typescript: "strip" };

describe("what runs the source", () => {
  test.each([
    ["JavaScript", { "server.js": "" }, "server.js", node20, "node"],
    ["TypeScript on Node 20", { "main.ts": "", "tsconfig.json": config(erasable) }, "main.ts", node20, "tsx"],
    ["a project for NodeNext", { "src/main.ts": "", "tsconfig.json": tsconfig }, "src/main.ts", node24, "tsx"],
    ["no configuration", { "main.ts": "" }, "main.ts", node24, "tsx"],
    [
      "erasable syntax, .ts imports",
      { "main.ts": "", "tsconfig.json": config(erasable) },
      "main.ts",
      node24,
      "type-stripping",
    ],
    [
      "the same in an extended configuration with comments",
      { "src/main.mts": "", "tsconfig.json": `{ "extends": "./base", /* own */ }`, "base.json": config(erasable) },
      "src/main.mts",
      node24,
      "type-stripping",
    ],
    [
      "erasable syntax, .js imports",
      { "main.ts": "", "tsconfig.json": config({ erasableSyntaxOnly: true }) },
      "main.ts",
      node24,
      "tsx",
    ],
    ["JSX", { "main.tsx": "", "tsconfig.json": config(erasable) }, "main.tsx", node24, "tsx"],
    ["a broken configuration", { "main.ts": "", "tsconfig.json": "{" }, "main.ts", node24, "tsx"],
  ])("%s", (_name, files, entry, node, kind) => {
    const { folder } = project(files);
    expect(chooseRunner(findEntry(entry, folder), node).kind).toBe(kind);
  });

  test("the arguments of Node, of the debugger and of the server", () => {
    const { folder } = project({ "src/main.ts": "" });
    const entry = findEntry("src/main.ts", folder);
    const args = nodeArguments(entry, ["--verbose"], { kind: "tsx", loader: "/x/loader.mjs" }, 9229);
    expect(args.filter((one) => !one.startsWith("file:"))).toEqual([
      "--inspect=9229",
      "--import",
      entry.path,
      "--verbose",
    ]);
  });
});

test.each([
  ["src/nothing.ts", "dev-entry-not-found"],
  ["src", "dev-entry-folder"],
  ["main.py", "dev-entry-type"],
  ["https://example.com/mcp", "dev-entry-url"],
])("%s is not an entry: %s", (entry, id) => {
  const { folder } = project({ "src/main.ts": "", "main.py": "" });
  expect(() => findEntry(entry, folder)).toThrow(`error[${id}]`);
});

test("the example for a folder is a file that exists in it", () => {
  const { folder } = project({ "app/src/index.ts": "" });
  expect(() => findEntry("app", folder)).toThrow("such as app/src/index.ts");
  expect(findEntry("app/src/index.ts", folder).folder).toBe(findEntry(join(folder, "app/src/index.ts"), "/").folder);
});
