import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Project, ts } from "ts-morph";
import { expect, test } from "vitest";
import { nameTargets } from "../../../../generator/commands/migrate/name-targets.js";
import { officialPackages } from "../../../../generator/commands/migrate/official-packages.js";
import { rules } from "../../../../generator/commands/migrate/rules/index.js";
import { placeOf } from "../../../../generator/commands/migrate/todo-comment.js";
import { aliases, aliasName, officialName } from "../../../../scripts/compat/aliases.js";
import { root } from "../../../cli/command-line.js";

/** The declarations of an entry, such as `@mcpwright/runtime/server`. */
function declarationsOf(entry: string): string {
  const [, name = "", path] = /^@mcpwright\/(runtime|protocol)(?:\/(.*))?$/.exec(entry) ?? [];
  const folder = join(root, name === "runtime" ? "runtime" : "generated");
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports: Record<string, { types: string }>;
  };
  const types = exports[path === undefined ? "." : `./${path}`]?.types;
  if (types === undefined) throw new Error(`${entry} is not an entry`);
  return join(folder, types);
}

test("every target is exported by its entry", () => {
  const project = new Project({
    skipAddingFilesFromTsConfig: true,
    compilerOptions: { moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext },
  });
  const entries = new Map(
    [...new Set(nameTargets.map(({ from }) => from))].map((from) => {
      const path = declarationsOf(from);
      expect([from, existsSync(path)]).toEqual([from, true]);
      return [
        from,
        new Set(
          project
            .addSourceFileAtPath(path)
            .getExportSymbols()
            .map((one) => one.getName()),
        ),
      ];
    }),
  );
  expect(nameTargets.filter(({ name, from }) => entries.get(from)?.has(name) !== true)).toEqual([]);
});

test("the aliases are those that are published, with ranges of their versions", () => {
  const expected = aliases.map((one) => {
    const [, range = ""] = /^(\d+\.\d+\.)/.exec(one.version) ?? [];
    return [officialName(one), `npm:${aliasName(one)}@^${range}0`];
  });
  expect([...officialPackages.values()].map(({ name, alias }) => [name, alias]).sort()).toEqual(expected.sort());
});

test("every comment names a page and a section of it", () => {
  const headingsOf = (page: string): string[] =>
    [...readFileSync(join(root, page), "utf8").matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .replace(/\s/g, "-"),
    );
  const folder = join(root, "generator/commands/migrate");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const code = sources.map((path) => readFileSync(join(folder, path), "utf8")).join("\n");
  const named = [...code.matchAll(/"((?:[a-z0-9]+-)+[a-z0-9]+|authorization)",?\s*\)/g)].map(([, section = ""]) =>
    placeOf(section),
  );
  const fixtures = join(import.meta.dirname, "fixtures");
  const printed = readdirSync(fixtures).flatMap((path) =>
    [...readFileSync(join(fixtures, path), "utf8").matchAll(/\((docs\/[\w/-]+\.md#[\w-]+)\)/g)].map(
      ([, place = ""]) => place,
    ),
  );
  expect(new Set(printed).size).toBeGreaterThan(8);
  expect(
    [...new Set([...printed, ...named])].filter((place) => {
      const [page = "", section = ""] = place.split("#");
      return !headingsOf(page).includes(section);
    }),
  ).toEqual([]);
});

test("ids of rules are the names of their files", () => {
  const files = readdirSync(join(root, "generator/commands/migrate/rules")).map((name) => name.slice(0, -".ts".length));
  expect(rules.filter(({ id }) => !files.includes(id))).toEqual([]);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});
