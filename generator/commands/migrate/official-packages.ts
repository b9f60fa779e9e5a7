/** A package of the official SDK, and the compat package that npm installs in its place. */
export interface OfficialPackage {
  readonly name: string;
  /** The specifier of an npm alias. */
  readonly alias: string;
}

/** The compat packages have the versions of the packages that they replace, so that ranges of other packages accept them. */
const ranges = {
  server: "^2.4.0",
  client: "^2.4.0",
  core: "^2.4.0",
  node: "^2.1.0",
  express: "^2.0.0",
  hono: "^2.0.0",
  fastify: "^2.0.0",
  "server-legacy": "^2.3.0",
  sdk: "^1.32.0",
} as const;

/** The packages of both lines of the official SDK: 2.x, and `sdk` of 1.x. */
export const officialPackages: ReadonlyMap<string, OfficialPackage> = new Map(
  Object.entries(ranges).map(([short, range]) => {
    const name = `@modelcontextprotocol/${short}`;
    return [name, { name, alias: `npm:@mcpwright/compat-${short}@${range}` }] as const;
  }),
);

/** The official package that an npm alias of the user installs under another name. */
export function aliasedPackage(range: string): OfficialPackage | undefined {
  const [, name = ""] = /^npm:(@[^/]+\/[^@]+)(?:@|$)/.exec(range) ?? [];
  return officialPackages.get(name);
}
