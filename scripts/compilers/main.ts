/**
 * Checks the published declarations with the compilers of users: `npm run test:compilers -- [part of a version]...`. With each
 * TypeScript that `test/compilers` pins, and both module resolutions, it compiles five programs: a module that imports every
 * public entry, with checks inside the declarations; the examples, with a list of mistakes that must be reported; the page of an
 * example, which runs in a browser; the code that is generated from the official files of extensions, with programs for their roles;
 * and a library that emits declarations, in which packages can import only their own dependencies (as pnpm installs them).
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { installLibraries } from "../packages.js";
import { installPinned, pinnedVersion } from "../pinned.js";
import { makeOfficial } from "./official.js";

const root = resolve(import.meta.dirname, "../..");
const compilersFolder = join(root, "test/compilers");
const modulesFolder = join(compilersFolder, "node_modules");

const resolutions = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

/** All checks that users can enable besides `strict`. */
const strictest = {
  target: "es2022",
  lib: ["es2023"],
  types: ["node"],
  typeRoots: [join(modulesFolder, "@types")],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noEmit: true,
};

/** Skips declarations of other packages: the program of the entries would also check those of zod. */
const programs = {
  entries: { skipDefaultLibCheck: true },
  examples: { skipLibCheck: true },
  page: { skipLibCheck: true, lib: ["es2023", "dom", "dom.iterable"], types: [] },
  official: { skipLibCheck: true },
  library: { skipLibCheck: true, noEmit: false, emitDeclarationOnly: true, declaration: true, outDir: "out" },
} as const;

const start = performance.now();
installPinned(compilersFolder);
const { dependencies } = manifestOf(compilersFolder) as { readonly dependencies: Readonly<Record<string, string>> };
const wanted = process.argv.slice(2);
const compilers = Object.keys(dependencies)
  .filter((name) => name.startsWith("typescript-"))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
if (compilers.length === 0) throw new Error(`no compiler matches ${wanted.join(", ")}`);

const stage = installLibraries(modulesFolder);
let failed = 0;
try {
  makeEntries(join(stage, "entries"));
  cpSync(join(root, "examples"), join(stage, "examples"), { recursive: true });
  // Examples find free ports and a browser as the scripts do.
  for (const path of [
    "scripts/free-port.ts",
    "scripts/hosts/find-chromium.ts",
    "generator/commands/inspect/app/chromium-places.ts",
  ])
    cpSync(join(root, path), join(stage, path));
  renameSync(join(stage, "examples/chart/page"), join(stage, "page"));
  cpSync(join(compilersFolder, "mistakes.ts"), join(stage, "examples/mistakes.ts"));
  tryAll("entries");
  tryAll("examples");
  tryAll("page");
  await makeOfficial(join(stage, "official"));
  tryAll("official");
  hideProtocol(join(stage, "node_modules"));
  cpSync(join(compilersFolder, "inferred.ts"), join(stage, "library/inferred.ts"));
  tryAll("library");
} finally {
  rmSync(stage, { recursive: true });
}
console.log(`${((performance.now() - start) / 1_000).toFixed(1)} s`);
if (failed > 0) process.exitCode = 1;

function tryAll(program: keyof typeof programs): void {
  for (const compiler of compilers)
    for (const [resolution, modules] of Object.entries(resolutions)) {
      const version = String(pinnedVersion(compilersFolder, compiler));
      const erasable = Number.parseFloat(version) >= 5.8 && program === "official" && { erasableSyntaxOnly: true };
      const options = { ...strictest, ...modules, ...programs[program], ...erasable };
      const said = compile(compiler, join(stage, program), options);
      console.log(`TypeScript ${version}, ${resolution}, ${program}: ${said ?? "fine"}`);
      if (said !== undefined) failed += 1;
    }
}

/** Writes a module that imports each public entry of both libraries. */
function makeEntries(folder: string): void {
  const imports = ["protocol", "runtime"].flatMap((name) => {
    const { exports } = manifestOf(join(stage, "node_modules/@mcpwright", name)) as { readonly exports: object };
    return Object.keys(exports)
      .filter((entry) => !entry.endsWith(".json"))
      .map((entry) => `@mcpwright/${name}${entry.slice(1)}`);
  });
  if (imports.length === 0) throw new Error("the packages have no entries");
  mkdirSync(folder);
  const lines = imports.map((specifier, index) => `export * as entry${index} from "${specifier}";\n`);
  writeFileSync(join(folder, "entries.ts"), lines.join(""));
}

/** Makes only the runtime importable; its dependencies are next to it in a store. */
function hideProtocol(modules: string): void {
  const store = join(modules, ".store/node_modules");
  mkdirSync(store, { recursive: true });
  renameSync(join(modules, "@mcpwright"), join(store, "@mcpwright"));
  mkdirSync(join(modules, "@mcpwright"));
  symlinkSync(join(store, "@mcpwright/runtime"), join(modules, "@mcpwright/runtime"), "junction");
}

/** @returns the errors of the compiler */
function compile(compiler: string, folder: string, compilerOptions: object): string | undefined {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
  const tsc = join(modulesFolder, compiler, "bin/tsc");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", folder], {
    encoding: "utf8",
    timeout: 300_000,
  });
  return status === 0 ? undefined : `\n${stdout}${stderr}`;
}

function manifestOf(folder: string): object {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
}
