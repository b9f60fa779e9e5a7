/** Counts the type instantiations of the compiler for a server and a client. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../../support/typecheck.js";

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  types: ["node"],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The programs of `bench/types`, moved here so that they resolve the packages of the tests. */
const texts = new Map(
  ["client.ts", "server.ts"].map((name) => [
    join(import.meta.dirname, "checked", name),
    readFileSync(join(root, "bench/types/mcpwright", name), "utf8"),
  ]),
);
const disk = ts.createCompilerHost(options);
const program = ts.createProgram([...texts.keys()], options, {
  ...disk,
  fileExists: (path) => texts.has(path) || disk.fileExists(path),
  readFile: (path) => texts.get(path) ?? disk.readFile(path),
  getSourceFile: (path, language) => {
    const text = texts.get(path);
    return text === undefined ? disk.getSourceFile(path, language) : ts.createSourceFile(path, text, language, true);
  },
});
const problems = program.getSemanticDiagnostics().map(({ messageText }) => messageText);
const instantiations = program.getInstantiationCount();

test("the compiler instantiates few types", () => {
  expect(problems).toEqual([]);
  // Servers and clients are generic, so that handlers have the types of the revisions and extensions that they get.
  expect(instantiations).toBeLessThan(2_420);
});
