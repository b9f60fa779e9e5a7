import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../../support/typecheck.js";

/** Entries of the official packages, and ours. */
const entries = [
  ["server/dist/index.d.mts", "server.ts"],
  ["core/dist/index.d.mts", "core.ts"],
  ["core/dist/internal.d.mts", "core/internal.ts"],
  ["client/dist/index.d.mts", "client.ts"],
  ["node/dist/index.d.mts", "node.ts"],
  ["express/dist/index.d.mts", "express.ts"],
  ["hono/dist/index.d.mts", "hono.ts"],
  ["fastify/dist/index.d.mts", "fastify.ts"],
] as const;

/** Types of members, which the official declarations write in their place. */
const namedOnlyHere = ["type ClientTasksCapability", "type ServerTasksCapability"];

const files = entries.map(([official, own]) => ({
  official: join(root, "node_modules/@modelcontextprotocol", official),
  own: join(root, "compat/src", own),
}));

test("the entries export the types and values of the official ones, and no others", () => {
  const program = ts.createProgram(
    files.flatMap(({ official, own }) => [official, own]),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      skipLibCheck: true,
    },
  );
  const checker = program.getTypeChecker();
  const exportsOf = (file: string): Set<string> => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is not a module`);
    return new Set(
      checker.getExportsOfModule(module).flatMap((symbol) => {
        const { flags } = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        const isType = (flags & ts.SymbolFlags.Type) !== 0;
        const isValue = (flags & ts.SymbolFlags.Value) !== 0;
        return [...(isType ? [`type ${symbol.name}`] : []), ...(isValue ? [`value ${symbol.name}`] : [])];
      }),
    );
  };
  for (const { official, own } of files) {
    const expected = exportsOf(official);
    const found = exportsOf(own);
    expect(expected.size, official).toBeGreaterThan(0);
    const all = [...found].filter((name) => !namedOnlyHere.includes(name));
    expect(all.sort(), own).toEqual([...expected].sort());
  }
});
