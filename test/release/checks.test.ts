import { describe, expect, test } from "vitest";
import { changelogFindings } from "../../scripts/release/checks/changelog.js";
import { contractFindings } from "../../scripts/release/checks/contract.js";
import { fileFindings, type PackedFile } from "../../scripts/release/checks/files.js";
import { byLicence, forTools, forUsers, licenceFindings } from "../../scripts/release/checks/licences.js";
import { provenanceFindings } from "../../scripts/release/checks/provenance.js";
import { readinessFindings, type RepositoryState } from "../../scripts/release/checks/readiness.js";
import { versionFindings } from "../../scripts/release/checks/versions.js";
import type { Finding } from "../../scripts/release/finding.js";
import type { Manifest, Package } from "../../scripts/release/manifest.js";

const url = "git+https://git.example/team/mcpwright.git";

/** Valid packages, except for the given changes by folder. */
function packages(changes: Readonly<Record<string, object>> = {}): readonly Package[] {
  const names = { generated: "@mcpwright/protocol", runtime: "@mcpwright/runtime", ".": "mcpwright" };
  return Object.entries(names).map(([folder, name]) => ({
    folder,
    manifest: {
      name,
      version: "1.2.3",
      license: "MIT",
      repository: { type: "git", url, ...(folder !== "." && { directory: folder }) },
      homepage: "https://git.example/team/mcpwright#readme",
      bugs: { url: "https://git.example/team/mcpwright/issues" },
      publishConfig: { access: "public", provenance: true },
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./package.json": "./package.json" },
      ...(folder === "runtime" && { dependencies: { "@mcpwright/protocol": "1.2.3", other: "^4.0.0" } }),
      ...changes[folder],
    } satisfies Manifest,
  }));
}

/** Findings as "kind where: what". Their remedies must not be empty. */
function shown(findings: readonly Finding[]): readonly string[] {
  for (const { remedy } of findings) expect(remedy).toMatch(/^[A-Z].+\.$/s);
  return findings.map(({ kind, where, what }) => `${kind} ${where}: ${what}`);
}

describe("versions", () => {
  test.each<[string, Readonly<Record<string, object>>, readonly string[]]>([
    ["equal versions", {}, []],
    [
      "an older version",
      { runtime: { version: "1.2.2", dependencies: {} } },
      ["defect runtime/package.json, version: is 1.2.2, but mcpwright is 1.2.3"],
    ],
    [
      "an invalid version",
      { generated: { version: "1.2" } },
      ["defect generated/package.json, version: 1.2 is not a version"],
    ],
    [
      "a dependency on a range",
      { ".": { dependencies: { "@mcpwright/runtime": "^1.2.3" } } },
      ["defect package.json, dependencies: requires @mcpwright/runtime ^1.2.3"],
    ],
    [
      "a peer dependency on another version",
      { runtime: { peerDependencies: { "@mcpwright/protocol": "*" } } },
      ["defect runtime/package.json, peerDependencies: requires @mcpwright/protocol *"],
    ],
    [
      "a dependency on a workspace",
      { ".": { devDependencies: { "@mcpwright/protocol": "workspace:*" } } },
      ["defect package.json, devDependencies: requires @mcpwright/protocol workspace:*"],
    ],
  ])("%s", (_, changes, expected) => {
    expect(shown(versionFindings(packages(changes)))).toEqual(expected);
  });
});

describe("changelog", () => {
  const log = (...sections: readonly string[]): string => ["# Changelog", "Words.", ...sections].join("\n\n");
  const entry = "## [1.2.3] - 2026-03-01\n\n### Added\n\n- A thing.";
  const older = "## [1.2.2] - 2026-02-01\n\n- Things.";

  test.each<[string, string, readonly string[]]>([
    ["an entry", log(entry, older), []],
    ["an entry after an empty Unreleased", log("## [Unreleased]\n\n### Added", entry, older), []],
    ["no entry", log(older), ["defect CHANGELOG.md: has no entry for 1.2.3"]],
    ["only an empty Unreleased", log("## [Unreleased]", older), ["defect CHANGELOG.md: has no entry for 1.2.3"]],
    [
      "Unreleased",
      log("## [Unreleased]\n\n- A thing.", older),
      ["obstacle CHANGELOG.md:5: the entry of 1.2.3 still has the heading Unreleased"],
    ],
    [
      "an entry and a filled Unreleased",
      log("## [Unreleased]\n\n- More.", entry),
      ["obstacle CHANGELOG.md:5: the entry Unreleased is not empty"],
    ],
    [
      "no date",
      log("## [1.2.3]\n\n- A thing."),
      ['defect CHANGELOG.md:5: "[1.2.3]" does not contain the date of the release'],
    ],
    [
      "a date that does not exist",
      log("## [1.2.3] - 2026-02-30\n\n- A thing."),
      ['defect CHANGELOG.md:5: "[1.2.3] - 2026-02-30" does not contain the date of the release'],
    ],
    [
      "tomorrow",
      log("## [1.2.3] - 2026-03-03\n\n- A thing."),
      ["obstacle CHANGELOG.md:5: is dated 2026-03-03, but today is 2026-03-02"],
    ],
    ["an empty entry", log("## [1.2.3] - 2026-03-01\n\n### Added"), ["defect CHANGELOG.md:5: is empty"]],
    ["two entries", log(entry, entry), ["defect CHANGELOG.md:11: is a second entry for 1.2.3"]],
    [
      "a newer entry first",
      log("## [1.3.0] - 2026-03-02\n\n- New.", entry),
      ["defect CHANGELOG.md:9: is not the first entry: [1.3.0] - 2026-03-02 precedes it"],
    ],
    [
      "a version that starts with the same characters",
      log("## [1.2.30] - 2026-03-01\n\n- A thing."),
      ["defect CHANGELOG.md: has no entry for 1.2.3"],
    ],
  ])("%s", (_, text, expected) => {
    expect(shown(changelogFindings(text, "1.2.3", "2026-03-02"))).toEqual(expected);
  });
});

describe("contract", () => {
  test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ["one number", { generator: 2, manifest: 2, "2026-07-28": 2 }, []],
    [
      "a manifest with another number",
      { generator: 2, manifest: 1 },
      ["defect manifest: the contract number is 1, but 2 in generator"],
    ],
    [
      "none",
      { generator: 2, manifest: undefined },
      ["defect manifest: the contract number is undefined, but 2 in generator"],
    ],
    ["no number", { generator: "2" }, ["defect generator: the contract number is 2"]],
  ])("%s", (_, numbers, expected) => {
    expect(shown(contractFindings(numbers))).toEqual(expected);
  });
});

describe("licences", () => {
  test.each<[string, string, boolean, boolean]>([
    ["on the list", "MIT", true, true],
    ["for tools only", "MPL-2.0", false, true],
    ["unknown", "SSPL-1.0", false, false],
    ["none", "", false, false],
    ["one of two", "(GPL-3.0 OR MIT)", true, true],
    ["both of two", "MIT AND GPL-3.0", false, false],
    ["two that are allowed", "(MIT AND ISC)", true, true],
    ["nested alternatives", "(MIT AND (GPL-3.0 OR ISC))", false, false],
    ["a file", "SEE LICENSE IN LICENSE", false, false],
  ])("%s", (_, license, users, tools) => {
    const some = [{ name: "thing", version: "4.0.0", license }];
    expect(licenceFindings("a folder", some, forUsers).length === 0).toBe(users);
    expect(licenceFindings("a folder", some, forTools).length === 0).toBe(tools);
  });

  test("reports the package and its licence, and an empty folder", () => {
    const thing = { name: "thing", version: "4.0.0" };
    expect(
      shown(
        licenceFindings(
          "a folder",
          [
            { ...thing, license: "X" },
            { ...thing, license: "" },
          ],
          forUsers,
        ),
      ),
    ).toEqual([
      "defect a folder: thing 4.0.0 has the licence X",
      "defect a folder: thing 4.0.0 does not name a licence in its package.json",
    ]);
    expect(shown(licenceFindings("a folder", [], forUsers))).toEqual(["defect a folder: contains no packages"]);
  });

  test("lists packages by licence", () => {
    const some = [
      ["a", "ISC"],
      ["b", "MIT"],
      ["c", "MIT"],
    ].map(([name = "", license = ""]) => ({ name, version: "1.0.0", license }));
    expect([...byLicence(some)]).toEqual([
      ["MIT", ["b", "c"]],
      ["ISC", ["a"]],
    ]);
  });
});

describe("provenance", () => {
  const runtime = "runtime/package.json";
  const repository = { type: "git", url, directory: "runtime" };

  test.each<[string, object, readonly string[]]>([
    ["valid manifests", {}, []],
    [
      "no repository",
      { repository: undefined },
      [`obstacle ${runtime}, repository: is missing: npm cannot state from which sources the package was built`],
    ],
    ["no directory", { repository: { type: "git", url } }, [`defect ${runtime}, repository.directory: is missing`]],
    [
      "another directory",
      { repository: { ...repository, directory: "src" } },
      [`defect ${runtime}, repository.directory: is "src"`],
    ],
    ["not git", { repository: { ...repository, type: "svn" } }, [`defect ${runtime}, repository.type: is svn`]],
    [
      "a repository in short form",
      { repository: { ...repository, url: "team/mcpwright" } },
      [`defect ${runtime}, repository.url: is "team/mcpwright"`],
    ],
    [
      "a URL with a password",
      { repository: { ...repository, url: "git+https://a:b@git.example/team/mcpwright.git" } },
      [`defect ${runtime}, repository.url: is "git+https://a:b@git.example/team/mcpwright.git"`],
    ],
    [
      "another repository",
      { repository: { ...repository, url: "git+https://git.example/team/other.git" } },
      [`defect ${runtime}, repository.url: is git+https://git.example/team/other.git, but ${url} in another package`],
    ],
    [
      "no homepage",
      { homepage: undefined },
      [`obstacle ${runtime}, homepage: is missing: the registry cannot link to it`],
    ],
    [
      "a homepage without https",
      { homepage: "http://git.example" },
      [`defect ${runtime}, homepage: "http://git.example" is not an https URL`],
    ],
    ["no bugs", { bugs: undefined }, [`obstacle ${runtime}, bugs: is missing: the registry cannot link to it`]],
    [
      "bugs with a mail address",
      { bugs: { url: "mailto:a@b.example" } },
      [`defect ${runtime}, bugs: "mailto:a@b.example" is not an https URL`],
    ],
    ["private", { private: true }, [`defect ${runtime}, private: is true: npm does not publish private packages`]],
    ["another licence", { license: "ISC" }, [`defect ${runtime}, license: is ISC`]],
    [
      "restricted",
      { publishConfig: { access: "restricted", provenance: true } },
      [`defect ${runtime}, publishConfig.access: is not public: npm would publish a scoped package as private`],
    ],
    [
      "without provenance",
      { publishConfig: { access: "public" } },
      [`defect ${runtime}, publishConfig.provenance: is not true`],
    ],
  ])("%s", (_, changes, expected) => {
    expect(shown(provenanceFindings(packages({ runtime: changes })))).toEqual(expected);
  });

  test("names the source of a generated manifest as the place to edit", () => {
    const [finding] = provenanceFindings(packages({ generated: { homepage: undefined } }));
    expect(finding?.remedy).toContain("generator/pipeline/emit/shared-files.ts, and npm run generate");
  });

  test("reports a directory of the root", () => {
    const found = provenanceFindings(packages({ ".": { repository: { type: "git", url, directory: "." } } }));
    expect(shown(found)).toEqual(['defect package.json, repository.directory: is "."']);
  });
});

describe("readiness", () => {
  const github = {
    GITHUB_ACTIONS: "true",
    ACTIONS_ID_TOKEN_REQUEST_URL: "https://token.example",
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "t",
    GITHUB_SERVER_URL: "https://git.example",
    GITHUB_REPOSITORY: "team/mcpwright",
  };
  const gitlab = { GITLAB_CI: "true", SIGSTORE_ID_TOKEN: "t", CI_PROJECT_URL: "https://git.example/team/mcpwright" };
  const ready: RepositoryState = { changes: "", tags: ["v1.2.3"], environment: github };

  test.each<[string, Partial<RepositoryState>, readonly string[]]>([
    ["GitHub Actions", {}, []],
    ["GitLab CI", { environment: gitlab }, []],
    ["a changed file", { changes: " M a.ts\n?? b.ts\n" }, ["obstacle git: 2 files are changed or new, such as a.ts"]],
    ["no tag", { tags: [] }, ["obstacle git: the commit is not tagged v1.2.3"]],
    [
      "another tag",
      { tags: ["v1.2.2", "latest"] },
      ["obstacle git: the commit is not tagged v1.2.3, but v1.2.2, latest"],
    ],
    [
      "no CI service",
      { environment: {} },
      ["obstacle environment: this is neither GitHub Actions nor GitLab CI: npm cannot state provenance"],
    ],
    [
      "no permission",
      { environment: { ...github, ACTIONS_ID_TOKEN_REQUEST_URL: "" } },
      ["obstacle environment: the workflow may not request a token"],
    ],
    ["no token", { environment: { GITLAB_CI: "true" } }, ["obstacle environment: SIGSTORE_ID_TOKEN is not set"]],
    [
      "a fork",
      { environment: { ...github, GITHUB_REPOSITORY: "else/mcpwright" } },
      [`obstacle environment: this is https://git.example/else/mcpwright, but the packages name ${url}`],
    ],
    [
      "another project",
      { environment: { ...gitlab, CI_PROJECT_URL: "https://git.example/x/y" } },
      [`obstacle environment: this is https://git.example/x/y, but the packages name ${url}`],
    ],
  ])("%s", (_, changes, expected) => {
    expect(shown(readinessFindings({ ...ready, ...changes }, "1.2.3", url))).toEqual(expected);
  });
});

describe("files", () => {
  const complete = ["package.json", "README.md", "dist/index.js", "dist/index.d.ts"];
  const filesOf = (...more: readonly PackedFile[]): readonly PackedFile[] => [
    ...complete.map((path) => ({ path, text: "" })),
    { path: "LICENSE", text: "MIT License\n" },
    ...more,
  ];
  const [, runtime, root] = packages() as [Package, Package, Package];

  test.each<[string, readonly PackedFile[], readonly string[]]>([
    ["a complete tarball", filesOf(), []],
    ["without a licence", filesOf().filter(({ path }) => path !== "LICENSE"), ["lacks LICENSE"]],
    [
      "without the target of an export",
      filesOf().filter(({ path }) => path !== "dist/index.d.ts"),
      ["lacks dist/index.d.ts"],
    ],
    [
      "another licence",
      filesOf().map((file) => (file.path === "LICENSE" ? { ...file, text: "Mine" } : file)),
      ['LICENSE does not start with "MIT License"'],
    ],
    ["a test", filesOf({ path: "dist/index.test.js", text: "" }), ["contains dist/index.test.js"]],
    ["a folder of tests", filesOf({ path: "dist/test/index.js", text: "" }), ["contains dist/test/index.js"]],
    ["a map", filesOf({ path: "dist/index.js.map", text: "" }), ["contains dist/index.js.map"]],
    ["a map of declarations", filesOf({ path: "dist/index.d.ts.map", text: "" }), ["contains dist/index.d.ts.map"]],
    [
      "build information",
      filesOf({ path: "dist/tsconfig.tsbuildinfo", text: "" }),
      ["contains dist/tsconfig.tsbuildinfo"],
    ],
    ["a secret", filesOf({ path: ".npmrc", text: "" }), ["contains .npmrc"]],
    [
      "a path of the machine",
      filesOf({ path: "dist/a.js", text: "// /build/here/a.ts" }),
      ["dist/a.js contains /build/here/"],
    ],
  ])("%s", (_, files, expected) => {
    const found = fileFindings(runtime, files, ["/build/here/"]);
    expect(shown(found)).toEqual(expected.map((what) => `defect the tarball of @mcpwright/runtime: ${what}`));
  });

  test("accepts maps, data and templates of the generator", () => {
    const paths = [
      "dist/cli.js.map",
      "generated/2026-07-28/model.json",
      "generated/extensions/tasks/corpus.json",
      "schema/pins.json",
      "schema/2026-07-28/schema.ts",
      "templates/a.hbs",
      "templates/server/test/server.test.ts.hbs",
    ];
    const files = filesOf(...paths.map((path) => ({ path, text: "" })));
    expect(fileFindings(root, files, [])).toEqual([]);
    expect(fileFindings(runtime, files, [])).toHaveLength(paths.length);
  });
});
