import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { root } from "../../support/typecheck.js";

/** Entries of the official packages, and ours. */
const entries = [
  ["server/dist/index.d.mts", "server.ts"],
  ["client/dist/index.d.mts", "client.ts"],
  ["client/dist/ext/skills/index.d.mts", "client/ext/skills.ts"],
  ["core/dist/index.d.mts", "core.ts"],
  ["core/dist/ext/skills/index.d.mts", "core/ext/skills.ts"],
  ["core/dist/internal.d.mts", "core/internal.ts"],
  ["node/dist/index.d.mts", "node.ts"],
  ["express/dist/index.d.mts", "express.ts"],
  ["hono/dist/index.d.mts", "hono.ts"],
  ["fastify/dist/index.d.mts", "fastify.ts"],
  ["sdk/dist/esm/types.d.ts", "sdk/types.ts"],
  ["sdk/dist/esm/client/auth-extensions.d.ts", "sdk/client/auth-extensions.ts"],
  ["sdk/dist/esm/client/index.d.ts", "sdk/client/index.ts"],
  ["sdk/dist/esm/client/middleware.d.ts", "sdk/client/middleware.ts"],
  ["sdk/dist/esm/client/sse.d.ts", "sdk/client/sse.ts"],
  ["sdk/dist/esm/client/stdio.d.ts", "sdk/client/stdio.ts"],
  ["sdk/dist/esm/client/streamableHttp.d.ts", "sdk/client/streamableHttp.ts"],
  ["sdk/dist/esm/client/websocket.d.ts", "sdk/client/websocket.ts"],
  ["sdk/dist/esm/shared/auth.d.ts", "sdk/shared/auth.ts"],
  ["sdk/dist/esm/shared/auth-utils.d.ts", "sdk/shared/auth-utils.ts"],
  ["sdk/dist/esm/shared/stdio.d.ts", "sdk/shared/stdio.ts"],
  ["server-legacy/dist/index.d.mts", "server-legacy.ts"],
  ["server-legacy/dist/auth/index.d.mts", "server-legacy/auth.ts"],
  ["server-legacy/dist/sse/index.d.mts", "server-legacy/sse.ts"],
  ["sdk/dist/esm/server/auth/clients.d.ts", "sdk/server/auth/clients.ts"],
  ["sdk/dist/esm/server/auth/errors.d.ts", "sdk/server/auth/errors.ts"],
  ["sdk/dist/esm/server/auth/provider.d.ts", "sdk/server/auth/provider.ts"],
  ["sdk/dist/esm/server/auth/router.d.ts", "sdk/server/auth/router.ts"],
  ["sdk/dist/esm/server/auth/types.d.ts", "sdk/server/auth/types.ts"],
  ["sdk/dist/esm/server/auth/handlers/authorize.d.ts", "sdk/server/auth/handlers/authorize.ts"],
  ["sdk/dist/esm/server/auth/handlers/metadata.d.ts", "sdk/server/auth/handlers/metadata.ts"],
  ["sdk/dist/esm/server/auth/handlers/register.d.ts", "sdk/server/auth/handlers/register.ts"],
  ["sdk/dist/esm/server/auth/handlers/revoke.d.ts", "sdk/server/auth/handlers/revoke.ts"],
  ["sdk/dist/esm/server/auth/handlers/token.d.ts", "sdk/server/auth/handlers/token.ts"],
  ["sdk/dist/esm/server/auth/middleware/allowedMethods.d.ts", "sdk/server/auth/middleware/allowedMethods.ts"],
  ["sdk/dist/esm/server/auth/middleware/bearerAuth.d.ts", "sdk/server/auth/middleware/bearerAuth.ts"],
  ["sdk/dist/esm/server/auth/middleware/clientAuth.d.ts", "sdk/server/auth/middleware/clientAuth.ts"],
  ["sdk/dist/esm/server/auth/providers/proxyProvider.d.ts", "sdk/server/auth/providers/proxyProvider.ts"],
] as const;

/** Types of members, which the official declarations write in their place. */
const namedOnlyHere = ["type ClientTasksCapability", "type ServerTasksCapability"];

const packages = join(root, "node_modules/@modelcontextprotocol");
const compat = join(root, "compat/src");

const files = entries.map(([official, own]) => ({
  name: own.replace(".ts", ""),
  official: join(packages, official),
  own: join(compat, own),
}));

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

/** Returns what a module exports, as `type X` and `value X`. */
function exportsOf(file: string): ReadonlyMap<string, ts.Symbol> {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is not a module`);
  return new Map(
    checker.getExportsOfModule(module).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      return [
        ...(symbol.flags & ts.SymbolFlags.Type ? [[`type ${exported.name}`, symbol] as const] : []),
        ...(symbol.flags & ts.SymbolFlags.Value ? [[`value ${exported.name}`, symbol] as const] : []),
      ];
    }),
  );
}

describe.each(files)("the entry $name", ({ official, own }) => {
  const expected = exportsOf(official);
  const found = exportsOf(own);

  test("exports exactly the types and values of the official one", () => {
    expect(expected.size).toBeGreaterThan(0);
    const names = [...found.keys()].filter((name) => !namedOnlyHere.includes(name));
    expect(names.sort()).toEqual([...expected.keys()].sort());
  });
});

/** Generated types of messages, and an entry of the official package that has them. */
const messages = [
  ["server/dist/index.d.mts", "types/core-messages.ts"],
  ["sdk/dist/esm/types.d.ts", "types/sdk-messages.ts"],
] as const;

test.each(messages)("the types of %s are assignable to those of %s, and back", (official, own) => {
  const expected = exportsOf(join(packages, official));
  const found = exportsOf(join(compat, own));
  const differences: string[] = [];
  for (const [name, symbol] of found) {
    const other = expected.get(name);
    if (!other) continue;
    const ours = checker.getDeclaredTypeOfSymbol(symbol);
    const theirs = checker.getDeclaredTypeOfSymbol(other);
    if (!checker.isTypeAssignableTo(ours, theirs)) differences.push(`${name} to the official one`);
    if (!checker.isTypeAssignableTo(theirs, ours)) differences.push(`${name} from the official one`);
  }
  expect(differences).toEqual([]);
  expect([...found.keys()].filter((name) => expected.has(name)).length).toBeGreaterThan(150);
});
