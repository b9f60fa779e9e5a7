/** The compiler errors of unsupported module resolutions, and that the user documentation lists them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root, strictest, typecheck } from "../support/typecheck.js";

const program = 'import { McpServer } from "@mcpwright/runtime/server";\nexport const made: unknown = McpServer;\n';
const node10 = {
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  ignoreDeprecations: "6.0",
};
const node18 = { module: ts.ModuleKind.Node18, moduleResolution: ts.ModuleResolutionKind.Node16 };
const loose = { types: ["node"], skipLibCheck: true, verbatimModuleSyntax: false };

test.each<[what: string, file: string, options: ts.CompilerOptions, code: string | undefined]>([
  ["the old resolution", "main.ts", { ...loose, ...node10 }, "TS2307"],
  ["CommonJS of Node 18", "main.cts", { ...loose, ...node18 }, "TS1479"],
  ["CommonJS of today", "main.cts", loose, undefined],
])("%s", (_, file, options, code) => {
  const { errors } = typecheck([], { ...strictest, ...options }, { [join(root, "test", file)]: program });
  const codes = new Set(errors.map((error) => /TS\d+/.exec(error)?.[0]));
  expect([...codes]).toEqual(code === undefined ? [] : [code]);
  if (code !== undefined)
    expect(readFileSync(join(root, "docs/guide/troubleshooting.md"), "utf8")).toContain(`| ${code},`);
});
