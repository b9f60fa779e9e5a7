/** Errors of a bundle say what to do, and nothing is written. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { findEsbuild } from "../../../../generator/commands/bundle/bundle-code.js";
import type { BundleOptions } from "../../../../generator/commands/bundle/bundle.js";
import { writeBundle } from "../../../../generator/commands/bundle/write-bundle.js";
import { DiagnosticError } from "../../../../generator/shared/diagnostics/diagnostic.js";
import { realDisk } from "../../../../generator/shared/files/disk.js";
import { line, problems } from "../../shared/diagnostics/problems.js";
import { put, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { greeter, packageJson } from "./bundled-project.js";

/** The errors of a run, with OUT for its folder. The folder must stay as it was. */
async function refused(folder: string, options: BundleOptions = {}, disk = realDisk): Promise<readonly string[]> {
  const before = treeOf(folder);
  const error: unknown = await writeBundle({ folder, ...options }, disk).catch((reason: unknown) => reason);
  expect(treeOf(folder)).toEqual(before);
  if (!(error instanceof DiagnosticError)) throw error;
  return error.diagnostics.map((one) => line(one).replaceAll(folder, "OUT"));
}

test.each<[string, object | string, readonly unknown[]]>([
  ["broken JSON", "{", [expect.stringMatching(/^bundle-no-project: OUT\/package.json is not valid JSON: /)]],
  ["no object", "[]", ["bundle-no-project: OUT/package.json is not an object"]],
  [
    "no facts",
    { name: "x", author: 7, version: "" },
    ["version", "description"].map(
      (key) => `bundle-fact-missing: OUT/package.json has no usable "${key}", which every bundle has`,
    ),
  ],
  [
    "no entry",
    { ...packageJson, scripts: {} },
    ["bundle-no-entry: OUT/package.json does not say which file starts the server"],
  ],
  [
    "no build",
    { ...packageJson, bin: "out/cli.js" },
    ["bundle-not-built: OUT/out/cli.js, which starts the server, does not exist"],
  ],
  [
    "an entry of another folder",
    { ...packageJson, bin: "../main.js" },
    ["bundle-entry-outside: PLACE/main.js, which starts the server, is not inside of OUT"],
  ],
])("package.json: %s", async (_name, manifest, expected) => {
  const place = sandbox();
  const folder = join(place, "project");
  put(place, {
    "project/package.json": typeof manifest === "string" ? manifest : JSON.stringify(manifest),
    "project/readme": "",
    "main.js": "",
  });
  if (JSON.stringify(manifest).includes('"scripts":{}')) put(folder, { "index.js": "" });
  expect((await refused(folder)).map((text) => text.replaceAll(place, "PLACE"))).toEqual(expected);
});

test("no package.json", async () => {
  expect(await refused(sandbox())).toEqual([
    "bundle-no-project: OUT/package.json cannot be read: ENOENT: no such file or directory",
  ]);
});

test("imports that cannot be resolved, and syntax errors, are reported with their place", async () => {
  expect(await refused(greeter({ "build/main.js": 'import "a";\n\n  import "b";\n' }))).toEqual([
    'build/main.js:1:8 bundle-failed: could not resolve "a"',
    'build/main.js:3:10 bundle-failed: could not resolve "b"',
  ]);
  expect(await refused(greeter({ "build/main.js": "const = 1;\n" }))).toEqual([
    'build/main.js:1:7 bundle-failed: Expected identifier but found "="',
  ]);
});

test("native modules are named with what imports them, and can be included", async () => {
  const folder = greeter({
    "build/main.js": 'import fast from "fast";\nimport late from "late";\nconsole.error(fast, late);\n',
  });
  rmSync(join(folder, "node_modules"));
  put(folder, {
    "node_modules/fast/package.json": "{}",
    "node_modules/late/package.json": "{}",
    "node_modules/fast/index.js": 'module.exports = require("./build/fast.node");\n',
    "node_modules/fast/build/fast.node": "",
    "node_modules/late/index.js": 'module.exports = require("bindings")("late");\n',
  });
  const native = (name: string): string =>
    `bundle-native-module: ${name} has native code, which cannot be in one file with the rest (imported in node_modules/${name}/index.js)`;
  expect(await refused(folder, { isStarted: false })).toEqual([native("fast"), native("late")]);
  const include = ["node_modules/fast", "node_modules/late"];
  const { files, manifest } = await writeBundle({ folder, include, isStarted: false });
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["node_modules/fast/build/fast.node", "node_modules/late/index.js"]),
  );
  expect(manifest["compatibility"]).toMatchObject({ platforms: [process.platform] });
});

test("esbuild is that of the project, and an error says what to install", () => {
  const [folder, own] = [sandbox(), sandbox()];
  expect(problems(() => findEsbuild(folder, own))).toEqual([
    "bundle-esbuild-missing: bundles are made with esbuild, which is not installed",
  ]);
  put(own, { "node_modules/esbuild/index.js": "" });
  expect(findEsbuild(folder, own)).toBe(join(own, "node_modules/esbuild/index.js"));
  put(folder, { "node_modules/esbuild/index.js": "" });
  expect(findEsbuild(folder, own)).toBe(join(folder, "node_modules/esbuild/index.js"));
});

test("--include takes files of the project that can be read", async () => {
  const folder = greeter();
  const told = (reason: string, path: string): readonly string[] => [
    `bundle-include-unusable: ${path} of --include or --icon ${reason}`,
  ];
  expect(await refused(folder, { include: ["../x"] })).toEqual(told("is not inside of the project", "../x"));
  expect(await refused(folder, { include: ["."] })).toEqual(told("is not inside of the project", "."));
  expect(await refused(folder, { include: ["manifest.json"] })).toEqual(
    told("has the name of the manifest of the bundle", "manifest.json"),
  );
  expect(await refused(folder, { include: ["no.txt"] })).toEqual(
    told("cannot be read: ENOENT: no such file or directory", "no.txt"),
  );
  put(folder, { "..data/a.txt": "a" });
  const { files } = await writeBundle({ folder, include: ["..data"], isStarted: false, isDryRun: true });
  expect(files.map(({ path }) => path)).toContain("..data/a.txt");
  mkdirSync(join(folder, "data"));
  symlinkSync(join(folder, "data"), join(folder, "data/again"), "junction");
  expect(await refused(folder, { include: ["data"] })).toEqual(told("is a link to a folder above it", "data/again"));
});

test("a server that does not start is not bundled, and what it needs is named", { timeout: 60_000 }, async () => {
  vi.stubEnv("A_KEY_THAT_IS_NOT_SET", undefined);
  const folder = greeter({
    "build/main.js": 'if (!process.env.A_KEY_THAT_IS_NOT_SET) throw new Error("I need a key");\n',
  });
  const variables = [{ name: "A_KEY_THAT_IS_NOT_SET", isSecret: true }];
  expect(await refused(folder, { variables })).toEqual([
    expect.stringMatching(/^server-exited: .*ended with code 1 before it responded; it wrote: .*I need a key/),
    "bundle-not-started: the bundle was started in an empty folder, without a value for A_KEY_THAT_IS_NOT_SET, and did not answer",
  ]);
  const reading = greeter();
  expect(await refused(reading)).toEqual([
    expect.stringMatching(/^server-exited: .*words\.txt/),
    "bundle-not-started: the bundle was started in an empty folder, and did not answer",
  ]);
});

test("a full disk and a missing folder leave the earlier bundle", async () => {
  const folder = greeter();
  writeFileSync(join(folder, "greeter-1.2.3.mcpb"), "the earlier one");
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
  const disk = {
    ...realDisk,
    write: (path: string, content: string | Uint8Array) => {
      realDisk.write(path, content.slice(0, 10));
      throw full;
    },
  };
  expect(await refused(folder, { isStarted: false }, disk)).toEqual([
    "output-not-writable: cannot write OUT/greeter-1.2.3.mcpb: ENOSPC: no space left on device",
  ]);
  expect(await refused(folder, { isStarted: false, out: join(folder, "no/x.mcpb") })).toEqual([
    "output-not-writable: cannot write OUT/no/x.mcpb: ENOENT: no such file or directory",
  ]);
  await writeBundle({ folder, isStarted: false });
  expect(readFileSync(join(folder, "greeter-1.2.3.mcpb"), "latin1").startsWith("PK")).toBe(true);
});
