import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { format } from "prettier";
import { beforeAll, expect, test } from "vitest";
import { createProject } from "../../../../../generator/commands/new/create-project.js";
import { temporaryFolder } from "../../../../support/temporary-folder.js";
import { treeOf } from "../../../shared/files/sandbox.js";
import { describing, operation } from "./descriptions.js";
import { pets } from "./pets.js";

const modules = join(import.meta.dirname, "../../../../../node_modules");
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder("pets");
  writeFileSync(join(folder, "api.json"), JSON.stringify(pets));
  const openapi = { source: "api.json", limit: 100 };
  await createProject({
    folder,
    project: { start: "openapi", name: "pets", openapi },
  });
  symlinkSync(modules, join(folder, "node_modules"));
});

/** Runs a tool of the project. Resolves with its output, also when it fails. */
async function run(...args: readonly string[]): Promise<{ code: number; out: string }> {
  return runIn(folder, ...args);
}

async function runIn(cwd: string, ...args: readonly string[]): Promise<{ code: number; out: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 50_000_000 });
    return { code: 0, out: stdout };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { code: typeof code === "number" ? code : -1, out: stdout + stderr };
  }
}

const testAll = () => run(join(modules, "vitest/vitest.mjs"), "run", "--no-color");

test("the project compiles under strict, and its rules accept it", async () => {
  expect(await run(join(modules, "typescript/bin/tsc"))).toEqual({ code: 0, out: "" });
  expect(await run(join(modules, "eslint/bin/eslint.js"), ".", "--ignore-pattern", "api.json")).toEqual({
    code: 0,
    out: "",
  });
}, 240_000);

test("its files are formatted", async () => {
  for (const [path, text] of Object.entries(treeOf(folder))) {
    if (/^(?:node_modules|api\.json|\.mcpwright)/.test(path) || !/\.(?:ts|json|md)$/.test(path)) continue;
    expect(await format(text, { filepath: path, printWidth: 120 }), path).toBe(text);
  }
});

test("its tests pass; each finds a request that is not as the description says", async () => {
  const { code, out } = await testAll();
  expect(code, out).toBe(0);
  const changes: readonly (readonly [file: string, from: string, to: string, tool: string])[] = [
    ["src/tools/pets.ts", "explode: false", "explode: true", "list_pets"],
    ["src/tools/pets.ts", 'path: "/pets/{petId}/{list}"', 'path: "/pets/{list}/{petId}"', "delete_pet"],
    ["src/tools/pets.ts", "cookies: { session", "cookies: { seession", "list_pets"],
    ["src/tools/forms.ts", 'files: ["file"]', "files: []", "upload"],
    ["src/tools/forms.ts", 'type: "text/plain"', 'type: "text/html"', "set_text"],
    ["src/schemas/responses.ts", "id: z.int()", "id: z.string()", "create_pet"],
  ];
  // Changed together, because each run takes seconds; each is found in the test of its tool.
  const originals = new Map<string, string>();
  for (const [file, from, to] of changes) {
    const text = readFileSync(join(folder, file), "utf8");
    if (!originals.has(file)) originals.set(file, text);
    expect(text, file).toContain(from);
    writeFileSync(join(folder, file), text.replace(from, to));
  }
  const broken = await testAll();
  expect(broken.code).toBe(1);
  for (const [, , , tool] of changes) expect(broken.out).toMatch(new RegExp(`FAIL .* ${tool} > `));
  for (const name of ["set_bytes", "list_photos", "set_form"])
    expect(broken.out).not.toMatch(new RegExp(`FAIL .* ${name} > `));
  for (const [file, text] of originals) writeFileSync(join(folder, file), text);
}, 240_000);

test("an API with operations that change something only", async () => {
  const writing = temporaryFolder("writing");
  const post = operation({ operationId: "add" });
  writeFileSync(join(writing, "api.json"), JSON.stringify(describing({ "/a": { post } })));
  const openapi = { source: "api.json", limit: 100 };
  await createProject({ folder: writing, project: { start: "openapi", name: "writing", openapi } });
  symlinkSync(modules, join(writing, "node_modules"));
  const { code, out } = await runIn(writing, join(modules, "vitest/vitest.mjs"), "run", "--no-color");
  expect(code, out).toBe(0);
}, 240_000);
