import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Alias,
  aliasEntries,
  aliases,
  aliasManifest,
  officialName,
  readCompatManifest,
} from "../../scripts/compat/aliases.js";
import { root } from "../support/typecheck.js";

const compat = readCompatManifest();
const entries = aliases.flatMap((alias) => aliasEntries(alias, compat));

interface Manifest {
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function installed({ name }: Alias): Manifest | undefined {
  try {
    return JSON.parse(
      readFileSync(join(root, "node_modules/@modelcontextprotocol", name, "package.json"), "utf8"),
    ) as Manifest;
  } catch {
    return undefined;
  }
}

test("each entry of compat is an entry of one alias", () => {
  const keys = Object.keys(compat.exports).filter((key) => key !== "./package.json");
  expect(entries.map(({ specifier }) => specifier.replace(compat.name, ".")).sort()).toEqual(keys.sort());
});

test.each(entries)("$specifier has no default export, which an alias would leave out", async ({ specifier }) => {
  expect(Object.keys((await import(specifier)) as object)).not.toContain("default");
});

describe("the versions of aliases", () => {
  const known = aliases.flatMap((alias) => {
    const official = installed(alias);
    return official ? [{ alias, official }] : [];
  });

  test("are compared with the official packages of the tests", () => {
    expect(known.map(({ alias }) => alias.name)).toEqual(
      expect.arrayContaining(["server", "node", "express", "hono", "fastify"]),
    );
  });

  test.each(known)("$alias.name has the minor version of the official package", ({ alias, official }) => {
    const minor = (version: string): string => version.split(".").slice(0, 2).join(".");
    expect(minor(alias.version)).toBe(minor(official.version));
  });

  test.each(known)("$alias.name asks for the peers of the official package", ({ alias, official }) => {
    const { peerDependencies: peers = {} } = aliasManifest(alias, compat) as Partial<Manifest>;
    const own = Object.entries(official.peerDependencies ?? {}).filter(
      ([name]) => !aliases.some((one) => officialName(one) === name),
    );
    expect(peers).toEqual(Object.fromEntries(own));
  });

  test.each(known)("the peers of the official $alias.name accept them", ({ official }) => {
    for (const alias of aliases) {
      const range = official.peerDependencies?.[officialName(alias)];
      if (range !== undefined) expect(isInRange(alias.version, range)).toBe(true);
    }
  });

  /** For the ranges with `^` and a major version above 0 that the official packages state. */
  function isInRange(version: string, range: string): boolean {
    const least = /^\^([1-9]\d*)\.(\d+)\.(\d+)$/.exec(range)?.slice(1).map(Number);
    if (!least) throw new Error(`the test does not know the range ${range}`);
    const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
    const [leastMajor = 0, leastMinor = 0, leastPatch = 0] = least;
    return major === leastMajor && (minor > leastMinor || (minor === leastMinor && patch >= leastPatch));
  }
});
