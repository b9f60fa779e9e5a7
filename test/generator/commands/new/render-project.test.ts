import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../../../generator/shared/package-root.js";
import { projectFiles } from "../../../../generator/shared/project/project-files.js";
import { unscoped } from "../../../../generator/shared/project/package-name.js";
import { renderProject } from "../../../../generator/commands/new/render-project.js";
import {
  isNotesProject,
  type ProjectOptions,
  projectStarts,
} from "../../../../generator/shared/project/project-options.js";
import { projects } from "./project-options.js";

const templates = join(packageRoot().folder, "templates/skeletons");
const own = JSON.parse(readFileSync(join(packageRoot().folder, "package.json"), "utf8")) as {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

interface Manifest {
  readonly name: string;
  readonly type: string;
  readonly bin?: Record<string, string>;
  readonly files?: readonly string[];
  readonly scripts: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

function scriptsOf(options: ProjectOptions): readonly string[] {
  if (options.start === "minimal") return ["build", "dev", "prepare"];
  const ofSmall = ["build", "prepare", "test", "typecheck"];
  if (options.start === "cluster") return [...ofSmall, "key", "start"].sort();
  if (options.start === "extension") return [...ofSmall, "client", "generate"].sort();
  if (!isNotesProject(options) && options.start !== "client") return ofSmall;
  const scripts = ["build", "dev", "lint", "prepare", "start", "test", "typecheck"];
  if (isNotesProject(options)) scripts.push("inspect", ...(options.start === "http-auth" ? ["issuer"] : []));
  return scripts.sort();
}

describe.each(Object.entries(projects))("%s", (_name, options) => {
  const rendered = renderProject(options);
  const fileOf = async (path: string): Promise<string> => (await rendered).get(path) ?? expect.fail(`no ${path}`);

  test("is formatted as prettier would", async () => {
    for (const [path, text] of await rendered) {
      if (!/\.(ts|js|json|md)$/.test(path)) continue;
      const again = await format(text, { filepath: path, printWidth: 120 });
      expect(again, path).toBe(text);
    }
  });

  test("is TypeScript that parses, with imports of files that are there", async () => {
    const files = await rendered;
    for (const [path, text] of files) {
      if (!path.endsWith(".ts")) continue;
      const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true, fileName: path });
      expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
      for (const [, target = ""] of text.matchAll(/from "(\.[^"]+)\.js"/g)) {
        if (target.includes("/generated/")) continue; // written by the build
        const at = join(path, "..", target).replaceAll("\\", "/");
        expect([...files.keys()], `${path} imports ${target}`).toContain(`${at}.ts`);
      }
    }
  });

  test("nothing in it but types has to be compiled away", async () => {
    for (const [path, text] of await rendered) {
      if (!path.endsWith(".ts")) continue;
      const visit = (node: ts.Node): void => {
        const compiled = ts.isEnumDeclaration(node) || (ts.isParameter(node) && node.modifiers !== undefined);
        expect(compiled, `${path}: ${node.getText()}`).toBe(false);
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true));
    }
  });

  test("holds nothing of a template, and nothing is empty", async () => {
    for (const [path, text] of await rendered) {
      expect(text, path).not.toMatch(/\{\{/);
      expect(text.trim(), path).not.toBe("");
      expect(text.endsWith("\n") && !text.endsWith("\n\n"), path).toBe(true);
    }
  });

  test("package.json: what npm and people want", async () => {
    const manifest = JSON.parse(await fileOf("package.json")) as Manifest;
    const { name } = options;
    expect(manifest).toMatchObject({ name, type: "module" });
    expect(Object.keys(manifest.scripts).sort()).toEqual(scriptsOf(options));
    expect(manifest.scripts["prepare"], "npm install builds").toBeDefined();
    expect(manifest.dependencies["@mcpwright/runtime"]).toBe(`^${own.version}`);
    for (const [dependency, range] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(range, dependency).toBe(
        `^${/^(@mcpwright\/|mcpwright$)/.test(dependency) ? own.version : (own.devDependencies[dependency] ?? own.dependencies[dependency])}`,
      );
    const isCommand = isNotesProject(options) || options.start === "client";
    const hasSkills = isNotesProject(options) && options.skills === true;
    expect(manifest.bin).toEqual(isCommand ? { [unscoped(name)]: "./build/main.js" } : undefined);
    if (!isCommand) return;
    expect(manifest.files).toEqual(["build", ...(hasSkills ? ["skills"] : [])]);
    expect(await fileOf("src/main.ts")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test("every package that is imported is one that is installed", async () => {
    const { dependencies, devDependencies } = JSON.parse(await fileOf("package.json")) as Manifest;
    for (const [path, text] of await rendered) {
      if (!/\.[tj]s$/.test(path)) continue;
      const installed = Object.keys(path.startsWith("src/") ? dependencies : { ...dependencies, ...devDependencies });
      for (const [, specifier = ""] of text.matchAll(/from "([^."][^"]*)"/g)) {
        if (specifier.startsWith("node:")) continue;
        expect(installed, `${path} imports ${specifier}`).toContain(
          specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"),
        );
      }
    }
  });

  test("README: every JSON is JSON, and every file that it names is there", async () => {
    const files = [...(await rendered).keys()];
    const readme = await fileOf("README.md");
    const snippets = [...readme.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) => JSON.parse(json) as object);
    if (isNotesProject(options)) expect(snippets.length).toBeGreaterThan(0);
    for (const snippet of snippets) expect(snippet).toHaveProperty("mcpServers");
    for (const [, path = ""] of readme.matchAll(/`((?:src|examples)\/[^`]*)`/g)) {
      if (path === "src/generated/") continue; // written by the build
      expect(path.endsWith("/") ? files.some((file) => file.startsWith(path)) : files.includes(path), path).toBe(true);
    }
  });

  test("AGENTS.md names scripts, files and folders that are there", async () => {
    const files = [...(await rendered).keys()];
    if (options.start === "minimal") {
      expect(files).not.toContain("AGENTS.md");
      return;
    }
    const text = await fileOf("AGENTS.md");
    const { scripts } = JSON.parse(await fileOf("package.json")) as Manifest;
    for (const [, script = ""] of text.matchAll(/`npm (?:run )?([a-z]+)`/g)) expect(scripts).toHaveProperty(script);
    expect(text.includes("npm run lint")).toBe("lint" in scripts);
    const places = [...text.matchAll(/^- `([^`]+)`: /gm)].map(([, path = ""]) => path);
    expect(places.length).toBeGreaterThan(1);
    for (const path of places)
      expect(path.endsWith("/") ? files.some((file) => file.startsWith(path)) : files.includes(path), path).toBe(true);
  });

  test("is the same every time", async () => {
    expect(await renderProject(options)).toEqual(await rendered);
  });
});

test.each<[string, RegExp]>([
  ["a server over stdio", /http:|HTTP|--port|serveHttp|legacy|auth|scope|ISSUER/],
  ["a server over HTTP", /stdio|[Ss]tandard output carries|HTTP\+SSE \(2024|auth\/server|scope|ISSUER/],
  ["a protected server", /stdio|[Ss]tandard output carries|HTTP\+SSE \(2024/],
  ["a client", /Dockerfile|createServer|notes\.set/],
])("%s: no leftovers of other options in its sources", async (name, leftover) => {
  for (const [path, text] of await renderProject(projects[name] ?? expect.fail())) {
    if (path.startsWith("src/") && !path.startsWith("src/t")) expect(text, path).not.toMatch(leftover);
  }
});

test.each(["a server over stdio", "a server over both"])(
  "%s: the README has configuration entries for every system",
  async (name) => {
    const readme = (await renderProject(projects[name] ?? expect.fail())).get("README.md") ?? "";
    for (const path of [
      "/Users/you/notes/build/main.js",
      "/home/you/notes/build/main.js",
      String.raw`C:\\Users\\you\\notes\\build\\main.js`,
    ])
      expect(readme).toContain(path);
    expect(readme).toContain('"command": "npx"');
  },
);

test("every start is among these projects", () => {
  const tested = new Set(Object.values(projects).map(({ start }) => start));
  expect([...tested].sort()).toEqual(Object.keys(projectStarts).sort());
});

test("a minimal server is read in a minute: all of its files have less than 60 lines", async () => {
  const files = await renderProject({ start: "minimal", name: "weather" });
  const lines = [...files.values()].map((text) => text.trimEnd().split("\n").length);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(60);
});

test("every template is used", () => {
  const used = new Set(Object.values(projects).flatMap((options) => [...projectFiles(options).values()]));
  const there = readdirSync(templates, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".hbs"))
    .map((path) => path.replaceAll("\\", "/").slice(0, -4));
  expect(there.sort()).toEqual([...used].sort());
});

test("no template has a name that npm would not publish", () => {
  for (const path of readdirSync(templates, { recursive: true, encoding: "utf8" }))
    expect(path).not.toMatch(/(^|[\\/])(\.|node_modules)/);
});
