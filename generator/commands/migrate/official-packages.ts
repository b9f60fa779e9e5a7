/** A package of the official SDK, and the compat package that npm installs in its place. */
export interface OfficialPackage {
  readonly name: string;
  /** The specifier of an npm alias. */
  readonly alias: string;
}

/** The compat packages have the versions of the packages that they replace, so that ranges of other packages accept them. */
const ranges = {
  "^2.4.0": ["server", "client", "core", "node", "express", "hono", "fastify", "server-legacy"],
  "^1.32.0": ["sdk"],
} as const;

/** The packages of both lines of the official SDK: 2.x, and `sdk` of 1.x. */
export const officialPackages: ReadonlyMap<string, OfficialPackage> = new Map(
  Object.entries(ranges).flatMap(([range, names]) =>
    names.map((short) => {
      const name = `@modelcontextprotocol/${short}`;
      return [name, { name, alias: `npm:@mcpwright/compat-${short}@${range}` }] as const;
    }),
  ),
);

/** The official package that an npm alias of the user installs under another name. */
export function aliasedPackage(range: string): OfficialPackage | undefined {
  const [, name = ""] = /^npm:(@[^/]+\/[^@]+)(?:@|$)/.exec(range) ?? [];
  return officialPackages.get(name);
}
