import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { latestRevision, revisions } from "@mcpwright/protocol";
import ts from "typescript";
import { afterAll, describe, expect, test } from "vitest";
import { generatedPath } from "../support/protocol.js";
import { root, strictest, typecheck } from "../support/typecheck.js";

const sources = readdirSync(generatedPath("."), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !/^(dist|node_modules)\b/.test(path))
  .map(generatedPath);
const environment = join(import.meta.dirname, "../generated/fixtures/environment.d.ts");
const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

describe("the generated sources compile with the strictest options", () => {
  test("there are sources of all revisions", () => {
    expect(sources.length).toBeGreaterThan(8 * revisions.length);
  });

  test.each([
    ["NodeNext", strictest],
    ["bundler", { ...strictest, ...bundler }],
  ])("%s", (_, options) => {
    expect(typecheck([environment, ...sources], options).errors).toEqual([]);
  });

  test("besides ES2023, they need only a type AbortSignal", () => {
    const { errors } = typecheck(sources);
    expect(errors).not.toEqual([]);
    expect(errors.filter((error) => !error.includes("Cannot find name 'AbortSignal'"))).toEqual([]);
  });

  test("an error in one of them is reported", () => {
    const path = generatedPath(`${latestRevision}/profile.ts`);
    expect(
      typecheck([environment, ...sources], strictest, { [path]: `export const profile: string = 5;` }).errors,
    ).not.toEqual([]);
  });
});

describe("types are cheap", () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  test.each([
    [
      "types of all revisions, each named by a type of its own",
      (name: string, revision: string) =>
        `import type * as ${name} from "@mcpwright/protocol/${revision}";\nexport type ${name}Message = ${name}.JSONRPCMessage;\n`,
    ],
    [
      "tables, predicates and stubs of all revisions",
      (name: string, revision: string) =>
        `export * as ${name} from "@mcpwright/protocol/${revision}";\nexport * as ${name}Client from "@mcpwright/protocol/${revision}/client";\nexport * as ${name}Server from "@mcpwright/protocol/${revision}/server";\n`,
    ],
  ])("%s: fewer than 2,000 instantiations", (what, line) => {
    const folder = mkdtempSync(join(tmpdir(), "mcpwright-budget-"));
    folders.push(folder);
    const text = revisions.map((revision) => line(`r${revision.replaceAll("-", "")}`, revision)).join("");
    writeFileSync(join(folder, "all.ts"), text);
    const options = {
      ...printable,
      paths: { "@mcpwright/protocol/*": [generatedPath("dist/*/index.d.ts"), generatedPath("dist/*.d.ts")] },
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files: ["all.ts", environment] }),
    );
    const output = execFileSync(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "-p", folder, "--extendedDiagnostics"],
      { encoding: "utf8" },
    );
    const figure = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(output)?.[1]);
    process.stdout.write(`${what}: ${figure("Instantiations")} instantiations, ${figure("Types")} types\n`);
    expect(figure("Types")).toBeGreaterThan(100);
    expect(figure("Instantiations")).toBeLessThan(2000);
  });
});

const printable = {
  target: "es2023",
  lib: ["es2023"],
  types: [],
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  noEmit: true,
};
