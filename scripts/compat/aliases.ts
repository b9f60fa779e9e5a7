import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** A package that npm can install under the name of an official one. It only re-exports entries of `@mcpwright/compat`. */
export interface Alias {
  /** The name of the official package in the scope `@modelcontextprotocol`, and of its entries in `@mcpwright/compat`. */
  readonly name: string;
  /**
   * Has the major and minor version of the official package, so that npm accepts it for the ranges of other packages. Raise the patch
   * with each release.
   */
  readonly version: string;
  /** The dependencies of the official package that are peers of `@mcpwright/compat`. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** The peers of the official package, except its own siblings. */
  readonly peers?: Readonly<Record<string, string>>;
  /** Peers that only some entries need. */
  readonly optionalPeers?: Readonly<Record<string, string>>;
}

export const aliases: readonly Alias[] = [
  { name: "core", version: "2.4.0" },
  { name: "server", version: "2.4.0" },
  { name: "client", version: "2.4.0" },
  { name: "node", version: "2.1.2" },
  { name: "express", version: "2.0.2", peers: { express: "^4.18.0 || ^5.0.0" } },
  { name: "hono", version: "2.0.2", peers: { hono: "^4.11.4" } },
  { name: "fastify", version: "2.0.1", peers: { fastify: "^5.2.0" } },
  {
    name: "server-legacy",
    version: "2.3.1",
    dependencies: { "express-rate-limit": "^8.2.1" },
    optionalPeers: { express: "^4.18.0 || ^5.0.0" },
  },
  {
    name: "sdk",
    version: "1.32.2",
    dependencies: { express: "^5.2.1", "express-rate-limit": "^8.2.1" },
    peers: { zod: "^3.25 || ^4.0" },
    optionalPeers: { "@cfworker/json-schema": "^4.1.1" },
  },
];

const root = resolve(import.meta.dirname, "../..");

/** The fields of the manifest of `@mcpwright/compat` that its aliases repeat. */
interface CompatManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly engines: object;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly publishConfig: object;
  readonly repository?: object;
  readonly homepage?: string;
  readonly bugs?: object;
}

export function readCompatManifest(): CompatManifest {
  return JSON.parse(readFileSync(join(root, "compat/package.json"), "utf8")) as CompatManifest;
}

/** The name under which an alias is published. */
export function aliasName({ name }: Alias): string {
  return `@mcpwright/compat-${name}`;
}

/** The name under which programs install an alias. */
export function officialName({ name }: Alias): string {
  return `@modelcontextprotocol/${name}`;
}

/** The folder of an alias after a build, relative to the root. */
export function aliasFolder({ name }: Alias): string {
  return `compat/dist/aliases/${name}`;
}

/** One module of an alias. */
export interface AliasEntry {
  /** The key in `exports`, such as `./stdio`. */
  readonly subpath: string;
  /** The module's file without its extension, such as `stdio`. */
  readonly file: string;
  /** The module that it re-exports, such as `@mcpwright/compat/server/stdio`. */
  readonly specifier: string;
}

/** The entries of `@mcpwright/compat` in the folder of an alias. */
export function aliasEntries({ name }: Alias, compat: CompatManifest): readonly AliasEntry[] {
  return Object.keys(compat.exports).flatMap((key) => {
    if (key !== `./${name}` && !key.startsWith(`./${name}/`)) return [];
    const subpath = `.${key.slice(`./${name}`.length)}`;
    const file = subpath === "." ? "index" : subpath.slice(2).replace(/\.js$/, "");
    return [{ subpath, file, specifier: `${compat.name}${key.slice(1)}` }];
  });
}

/** The `package.json` of an alias. */
export function aliasManifest(alias: Alias, compat: CompatManifest) {
  const { version } = alias;
  const { repository, homepage, bugs } = compat;
  const targets = aliasEntries(alias, compat).map(({ subpath, file }) => [
    subpath,
    { types: `./${file}.d.ts`, default: `./${file}.js` },
  ]);
  return {
    name: aliasName(alias),
    version,
    description: `Takes the place of ${officialName(alias)}, on mcpwright's runtime`,
    license: compat.license,
    type: "module",
    engines: compat.engines,
    exports: { ...(Object.fromEntries(targets) as object), "./package.json": "./package.json" },
    publishConfig: compat.publishConfig,
    ...(repository && { repository }),
    ...(homepage !== undefined && { homepage }),
    ...(bugs && { bugs }),
    sideEffects: false,
    dependencies: { [compat.name]: compat.version, ...alias.dependencies },
    ...((alias.peers ?? alias.optionalPeers) && { peerDependencies: { ...alias.peers, ...alias.optionalPeers } }),
    ...(alias.optionalPeers && { peerDependenciesMeta: optional(alias.optionalPeers) }),
  };
}

function optional(peers: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }]));
}

/** The README of an alias. */
export function aliasReadme(alias: Alias): string {
  const official = officialName(alias);
  return `# ${aliasName(alias)}

This package has the API of \`${official}\` on mcpwright's runtime. A program uses it without a change of its source when its
\`package.json\` requires \`"${official}": "npm:${aliasName(alias)}@^${alias.version}"\`.
`;
}
