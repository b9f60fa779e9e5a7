/** The policies state what the packages, the release script and CI do. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { steps } from "../../scripts/ci/steps.js";
import { forUsers } from "../../scripts/release/checks/licences.js";
import { authoringRevision } from "../../runtime/src/authoring.js";
import { root } from "../support/typecheck.js";
import { markdownTables } from "./markdown-tables.js";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const manifests = ["generated", "runtime", "compat", "."].map(
  (folder) => JSON.parse(read(join(folder, "package.json"))) as Manifest,
);
/** How the tables write a range: packages of this repository require each other in exactly one version. */
const written = (range: string, own: string): string => (range === own ? "exact" : range);

describe.each(["docs/dependency-policy.md", "docs/zh/dependency-policy.md"])("%s", (page) => {
  const tables = markdownTables(read(page));
  const ofPackage = (name: string) => tables.filter(({ heading }) => heading === `\`${name}\``).map(({ rows }) => rows);
  const [nameColumn, rangeColumn, entryColumn] = page.includes("zh")
    ? ["包", "范围", "入口"]
    : ["package", "range", "entry"];

  test.each(manifests.map((one) => [one.name, one] as const))("lists the packages of %s", (name, manifest) => {
    const [dependencies = [], peers = []] = ofPackage(name);
    const stated = (rows: typeof dependencies) =>
      rows.map((row) => [row[nameColumn], ...(rangeColumn in row ? [row[rangeColumn]] : [])]);
    const exact = name === "mcpwright";
    expect(stated(dependencies)).toEqual(
      Object.entries(manifest.dependencies ?? {}).map(([of, range]) =>
        exact
          ? [of]
          : [of, rangeColumn === "范围" && range === manifest.version ? "精确" : written(range, manifest.version)],
      ),
    );
    expect(stated(peers)).toEqual(Object.entries(manifest.peerDependencies ?? {}));
    for (const row of [...dependencies, ...peers]) expect(Object.values(row)).not.toContain("");
  });

  test.each(manifests.map((one) => [one.name, one] as const))("names only entries that %s has", (name, manifest) => {
    const named = ofPackage(name).flatMap((rows) =>
      rows.flatMap((row) => [...(row[entryColumn] ?? "").matchAll(/(?<=^|`)\/[\w/-]+/g)].map(([entry]) => `.${entry}`)),
    );
    const entries = Object.keys(manifest.exports);
    expect(named.filter((entry) => !entries.some((one) => one === entry || one.startsWith(`${entry}/`)))).toEqual([]);
  });

  test("lists the licences that the release script accepts", () => {
    expect(
      [...forUsers].filter((licence) => !new RegExp(`\\b${licence.split("-")[0] ?? ""}\\b`).test(read(page))),
    ).toEqual([]);
  });
});

test("peers are optional; the generator has exact versions, the libraries have ranges", () => {
  for (const { name, version, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } of manifests) {
    expect(Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true)).toEqual([]);
    const foreign = Object.values(dependencies).filter((range) => range !== version);
    expect(foreign.filter((range) => /^\d/.test(range) !== (name === "mcpwright"))).toEqual([]);
  }
});

describe.each(["docs/versioning.md", "docs/zh/versioning.md"])("%s", (page) => {
  const text = read(page);
  test("names the versions of Node, the authoring revision and the compilers that the repository has", () => {
    expect(new Set(manifests.map(({ engines }) => engines.node))).toEqual(new Set([">=20.19"]));
    expect(text).toContain("Node 20.19");
    const inCi = steps.flatMap(({ name }) => / on Node (\d+)/.exec(name)?.[1] ?? []);
    expect(inCi).toEqual(["22", "24", "26"]);
    for (const version of inCi) expect(text).toMatch(new RegExp(`Node[^.。]*\\b${version}\\b`));
    expect(text).toContain(authoringRevision);
    const compilers = Object.keys(
      (JSON.parse(read("test/compilers/package.json")) as { dependencies: Record<string, string> }).dependencies,
    ).flatMap((name) => /^typescript-(.+)$/.exec(name)?.[1] ?? []);
    expect(text).toMatch(new RegExp(`TypeScript ${compilers[0] ?? "?"} \\S+ ${compilers.at(-1) ?? "?"}`));
  });
});
