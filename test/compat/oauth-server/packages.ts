import type * as compat from "@mcpwright/compat/server-legacy/auth";

/** The parts of the authorization server that both versions of the official SDK have. */
export type Sdk = typeof compat;

const modules = [
  "errors",
  "router",
  "handlers/authorize",
  "handlers/register",
  "middleware/bearerAuth",
  "middleware/clientAuth",
  "providers/proxyProvider",
];

async function load(specifiers: readonly string[]): Promise<Sdk> {
  const parts = await Promise.all(specifiers.map(async (specifier) => (await import(specifier)) as object));
  return Object.assign({}, ...parts) as Sdk;
}

function ofVersion1(base: string): Promise<Sdk> {
  return load(modules.map((name) => `${base}/server/auth/${name}.js`));
}

/** Pairs of an official package and ours. The types of the official ones extend those of Express otherwise. */
export const pairs: readonly (readonly [name: string, official: Sdk, ours: Sdk])[] = [
  ["sdk", await ofVersion1("@modelcontextprotocol/sdk"), await ofVersion1("@mcpwright/compat/sdk")],
  [
    "server-legacy",
    await load(["@modelcontextprotocol/server-legacy/auth"]),
    await load(["@mcpwright/compat/server-legacy/auth"]),
  ],
];
