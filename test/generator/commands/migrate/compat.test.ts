import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { migrate } from "../../../../generator/commands/migrate/migrate.js";
import { diskFailingOnce } from "../../shared/files/broken-disk.js";
import { put, refusal, treeOf } from "../../shared/files/sandbox.js";
import { commitAll, type Files, folderOf, repositoryOf, treeFrom } from "./project.js";

const sdk = "npm:@mcpwright/compat-sdk@^1.32.0";
const server = "npm:@mcpwright/compat-server@^2.4.0";
const client = "npm:@mcpwright/compat-client@^2.4.0";

/** The lockfiles of a project with a package `weather` of another author, which depends on the SDK. */
const locks = {
  npm: {
    "package-lock.json": {
      lockfileVersion: 3,
      packages: {
        "": { dependencies: { weather: "1.0.0" } },
        "node_modules/weather": { version: "1.0.0", dependencies: { "@modelcontextprotocol/sdk": "^1.20.0" } },
        "node_modules/@modelcontextprotocol/node": { dependencies: { "@modelcontextprotocol/server": "^2.0.0" } },
      },
    },
  },
  "npm 6": {
    "package-lock.json": {
      lockfileVersion: 1,
      dependencies: { weather: { version: "1.0.0", requires: { "@modelcontextprotocol/sdk": "^1.20.0" } } },
    },
  },
  pnpm: {
    "pnpm-lock.yaml":
      "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      weather:\n        specifier: 1.0.0\n        version: 1.0.0\n\npackages:\n\n  weather@1.0.0:\n    resolution: {integrity: sha512-x}\n\nsnapshots:\n\n  '@modelcontextprotocol/node@2.0.0':\n    dependencies:\n      '@modelcontextprotocol/server': 2.0.0\n\n  weather@1.0.0:\n    dependencies:\n      '@modelcontextprotocol/sdk': 1.20.0\n",
  },
  "Yarn 1": {
    "yarn.lock": 'weather@1.0.0:\n  version "1.0.0"\n  dependencies:\n    "@modelcontextprotocol/sdk" "^1.20.0"\n',
  },
  "Yarn 4": {
    "yarn.lock":
      '"app@workspace:.":\n  version: 0.0.0-use.local\n  dependencies:\n    "@modelcontextprotocol/server": "npm:^2.0.0"\n\n"weather@npm:1.0.0":\n  version: 1.0.0\n  dependencies:\n    "@modelcontextprotocol/sdk": "npm:^1.20.0"\n',
  },
  Bun: {
    "bun.lock":
      '{\n  "lockfileVersion": 1,\n  "packages": {\n    "weather": ["weather@1.0.0", "", { "dependencies": { "@modelcontextprotocol/sdk": "^1.20.0" } }, "sha512-x"],\n  }\n}\n',
  },
} as const satisfies Record<string, Files>;

interface Case {
  readonly name: string;
  readonly files: Files;
  /** The files that change, as they are afterwards. */
  readonly expected: Files;
  readonly findings?: readonly string[];
  readonly manager?: string;
}

const table: readonly Case[] = [
  {
    name: "direct dependencies become aliases",
    files: {
      "package.json": {
        name: "app",
        dependencies: { "@modelcontextprotocol/server": "^2.0.0", zod: "^4.0.0" },
        devDependencies: { "@modelcontextprotocol/client": "2.4.0" },
        optionalDependencies: { "@modelcontextprotocol/sdk": "latest" },
      },
    },
    expected: {
      "package.json": {
        name: "app",
        dependencies: { "@modelcontextprotocol/server": server, zod: "^4.0.0" },
        devDependencies: { "@modelcontextprotocol/client": client },
        optionalDependencies: { "@modelcontextprotocol/sdk": sdk },
      },
    },
  },
  {
    name: "1.x and 2.x in one package, one of them under another name",
    files: {
      "package.json": {
        dependencies: { "@modelcontextprotocol/server": "^2.0.0", "old-sdk": "npm:@modelcontextprotocol/sdk@^1.12.0" },
      },
    },
    expected: { "package.json": { dependencies: { "@modelcontextprotocol/server": server, "old-sdk": sdk } } },
  },
  {
    name: "a peer dependency stays a range; the devDependency for its tests does not",
    files: {
      "package.json": {
        peerDependencies: { "@modelcontextprotocol/server": "^2.0.0" },
        devDependencies: { "@modelcontextprotocol/server": "^2.0.0" },
      },
    },
    expected: {
      "package.json": {
        peerDependencies: { "@modelcontextprotocol/server": "^2.0.0" },
        devDependencies: { "@modelcontextprotocol/server": server },
      },
    },
  },
  {
    name: "a lonely peer dependency, a folder and a catalogue are left to a person",
    files: {
      "package.json": {
        dependencies: {
          "@modelcontextprotocol/server": "file:../sdk/server",
          "@modelcontextprotocol/node": "catalog:",
        },
        peerDependencies: { "@modelcontextprotocol/sdk": "^1.20.0" },
      },
    },
    expected: {},
    findings: ["migrate-range-kept", "migrate-range-kept", "migrate-peer-kept"],
  },
  ...(["npm", "npm 6"] as const).map((name) => ({
    name: `${name}: overrides for dependencies of other packages`,
    files: { ...locks[name], "package.json": { dependencies: { weather: "1.0.0" } } },
    expected: {
      "package.json": { dependencies: { weather: "1.0.0" }, overrides: { "@modelcontextprotocol/sdk": sdk } },
    },
  })),
  {
    name: "npm: an override of a direct dependency refers to it",
    files: { ...locks.npm, "package.json": { dependencies: { "@modelcontextprotocol/sdk": "^1.0.0" } } },
    expected: {
      "package.json": {
        dependencies: { "@modelcontextprotocol/sdk": sdk },
        overrides: { "@modelcontextprotocol/sdk": "$@modelcontextprotocol/sdk" },
      },
    },
  },
  {
    name: "npm: no override of a lonely peer dependency",
    files: { ...locks.npm, "package.json": { peerDependencies: { "@modelcontextprotocol/sdk": "^1.0.0" } } },
    expected: {},
    findings: ["migrate-peer-kept"],
  },
  {
    name: "npm: an override of a version is replaced, one that is an object is not",
    files: {
      "package-lock.json": {
        lockfileVersion: 3,
        packages: {
          "node_modules/weather": {
            dependencies: { "@modelcontextprotocol/sdk": "1", "@modelcontextprotocol/server": "2" },
          },
        },
      },
      "package.json": {
        overrides: { "@modelcontextprotocol/sdk": "1.29.0", "@modelcontextprotocol/server": { zod: "4.2.0" } },
      },
    },
    expected: {
      "package.json": {
        overrides: { "@modelcontextprotocol/sdk": sdk, "@modelcontextprotocol/server": { zod: "4.2.0" } },
      },
    },
    findings: ["migrate-override-kept"],
  },
  {
    name: "pnpm: overrides of package.json",
    manager: "pnpm",
    files: { ...locks.pnpm, "package.json": { dependencies: { weather: "1.0.0" } } },
    expected: {
      "package.json": { dependencies: { weather: "1.0.0" }, pnpm: { overrides: { "@modelcontextprotocol/sdk": sdk } } },
    },
  },
  {
    name: "pnpm: overrides of pnpm-workspace.yaml",
    manager: "pnpm",
    files: {
      ...locks.pnpm,
      "pnpm-workspace.yaml": "overrides:\n  zod: 4.2.0\n",
      "package.json": { dependencies: { weather: "1.0.0" } },
    },
    expected: {},
    findings: ["migrate-pnpm-overrides"],
  },
  {
    name: "pnpm 11 reads no settings of package.json",
    manager: "pnpm",
    files: { ...locks.pnpm, "package.json": { packageManager: "pnpm@11.0.0", dependencies: { weather: "1.0.0" } } },
    expected: {},
    findings: ["migrate-pnpm-overrides"],
  },
  ...(["Yarn 1", "Yarn 4"] as const).map((name) => ({
    name: `${name}: resolutions`,
    manager: "yarn",
    files: { ...locks[name], "package.json": { dependencies: { weather: "1.0.0" } } },
    expected: {
      "package.json": { dependencies: { weather: "1.0.0" }, resolutions: { "@modelcontextprotocol/sdk": sdk } },
    },
  })),
  {
    name: "Bun: overrides",
    manager: "bun",
    files: { ...locks.Bun, "package.json": { dependencies: { weather: "1.0.0" } } },
    expected: {
      "package.json": { dependencies: { weather: "1.0.0" }, overrides: { "@modelcontextprotocol/sdk": sdk } },
    },
  },
  {
    name: "workspaces of npm; packages that they do not name are left",
    files: {
      "package.json": { workspaces: ["./packages/*", "!packages/left", "apps/**"] },
      "packages/one/package.json": { dependencies: { "@modelcontextprotocol/server": "^2.0.0" } },
      "packages/left/package.json": { dependencies: { "@modelcontextprotocol/server": "^2.0.0" } },
      "apps/deep/two/package.json": { dependencies: { "@modelcontextprotocol/sdk": "^1.0.0" } },
      "apps/deep/node_modules/x/package.json": { dependencies: { "@modelcontextprotocol/sdk": "^1.0.0" } },
      "other/package.json": { dependencies: { "@modelcontextprotocol/server": "^2.0.0" } },
    },
    expected: {
      "packages/one/package.json": { dependencies: { "@modelcontextprotocol/server": server } },
      "apps/deep/two/package.json": { dependencies: { "@modelcontextprotocol/sdk": sdk } },
    },
  },
  {
    name: "workspaces of Yarn 1",
    files: {
      "package.json": { workspaces: { packages: ["one/"] } },
      "one/package.json": { dependencies: { "@modelcontextprotocol/server": "^2.0.0" } },
    },
    expected: { "one/package.json": { dependencies: { "@modelcontextprotocol/server": server } } },
  },
  {
    name: "workspaces of pnpm",
    files: {
      "package.json": { packageManager: "pnpm@10.1.0" },
      "pnpm-workspace.yaml": "packages:\n  # ours\n  - 'packages/*'\n",
      "packages/one/package.json": { dependencies: { "@modelcontextprotocol/server": "^2.0.0" } },
    },
    manager: "pnpm",
    expected: { "packages/one/package.json": { dependencies: { "@modelcontextprotocol/server": server } } },
  },
];

describe.each(table)("$name", ({ files, expected, findings = [], manager = "npm" }) => {
  const after = { ...treeFrom(files), ...treeFrom(expected) };

  test("changes exactly these files, and nothing in a second run", async () => {
    const folder = folderOf(files);
    const result = await migrate({ folder, force: true });
    expect(treeOf(folder)).toEqual(after);
    expect(result).toMatchObject({ changed: Object.keys(expected).sort(), manager, todos: [] });
    expect(result.findings.map(({ id }) => id)).toEqual(findings);
    expect(await migrate({ folder, force: true })).toMatchObject({ changed: [], diff: "" });
    expect(treeOf(folder)).toEqual(after);
  });

  test("a dry run writes nothing and has the same diff", async () => {
    const folder = folderOf(files);
    const dry = await migrate({ folder, mode: "dry-run" });
    expect(treeOf(folder)).toEqual(treeFrom(files));
    expect(dry).toEqual(await migrate({ folder, force: true }));
    for (const path of Object.keys(expected)) expect(dry.diff).toContain(`--- a/${path}\n+++ b/${path}\n`);
  });
});

const plain = { "package.json": { dependencies: { "@modelcontextprotocol/server": "^2.0.0" } } };

describe("bad input changes nothing", () => {
  test.each<readonly [name: string, files: Files, error: string]>([
    ["no package.json", {}, "migrate-no-package: OUT/package.json does not exist, or is not a file"],
    [
      "a folder of that name",
      { "package.json/x": "" },
      "migrate-no-package: OUT/package.json does not exist, or is not a file",
    ],
    [
      "no JSON",
      { "package.json": "{" },
      "migrate-package-invalid: not a valid package.json: Expected property name or '}' in JSON at position 1",
    ],
    ["no object", { "package.json": [] }, "migrate-package-invalid: not a valid package.json: it must be an object"],
    [
      "a list of dependencies",
      { "package.json": { dependencies: [] } },
      "migrate-package-invalid: not a valid package.json: dependencies must be an object",
    ],
    [
      "a member twice",
      { "package.json": '{"dependencies":{"a":"1","a":"2"}}' },
      "migrate-package-invalid: not a valid package.json: it contains dependencies.a twice",
    ],
    [
      "no YAML",
      { ...plain, "pnpm-workspace.yaml": "packages: [" },
      "migrate-workspace-invalid: cannot read OUT/pnpm-workspace.yaml: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 12",
    ],
    [
      "no SDK",
      { "package.json": { dependencies: { zod: "4.0.0" } } },
      "migrate-no-sdk: OUT does not use the official SDK: no package.json and no lockfile names one of its packages",
    ],
    [
      "a package of the workspace that is not JSON",
      { "package.json": { ...plain["package.json"], workspaces: ["a"] }, "a/package.json": "x" },
      "migrate-package-invalid: not a valid package.json: Unexpected token 'x', \"x\" is not valid JSON",
    ],
  ])("%s", async (_name, files, error) => {
    const folder = folderOf(files);
    const before = treeOf(folder);
    expect(await refusal(folder, migrate({ folder, force: true }))).toEqual([expect.stringContaining(error)]);
    expect(treeOf(folder)).toEqual(before);
  });

  test("a folder that does not exist", async () => {
    const folder = join(folderOf({}), "none");
    expect(await refusal(folder, migrate({ folder }))).toEqual([
      "migrate-no-package: OUT/package.json does not exist, or is not a file",
    ]);
  });

  test("a folder without git", async () => {
    const folder = folderOf(plain);
    const [error] = (await refusal(folder, migrate({ folder }))) ?? [];
    expect(error).toMatch(/^migrate-no-git: OUT is not in a git repository: not a git repository/);
    expect(treeOf(folder)).toEqual(treeFrom(plain));
  });

  test("changes that are not committed, unless they are forced", async () => {
    const folder = repositoryOf(plain);
    put(folder, { "a.txt": "1", "b/c.txt": "2" });
    expect(await refusal(folder, migrate({ folder }))).toEqual([
      "migrate-dirty: OUT has changes that are not committed: a.txt, b/c.txt",
    ]);
    expect((await migrate({ folder, force: true })).changed).toEqual(["package.json"]);
  });

  test("a clean repository; then there is nothing to do, so the state does not matter", async () => {
    const folder = repositoryOf(plain);
    expect((await migrate({ folder })).changed).toEqual(["package.json"]);
    expect((await migrate({ folder })).changed).toEqual([]);
    commitAll(folder);
  });

  test("changes outside of the folder do not matter", async () => {
    const folder = repositoryOf({ "app/package.json": plain["package.json"] });
    writeFileSync(join(folder, "other.txt"), "");
    expect((await migrate({ folder: join(folder, "app") })).changed).toEqual(["package.json"]);
  });

  test("a disk that fails at any call leaves all files or none changed", async () => {
    const files = {
      "package.json": { ...plain["package.json"], workspaces: ["a"] },
      "a/package.json": plain["package.json"],
    };
    for (let at = 1; at < 100; at++) {
      const folder = folderOf(files);
      const error = await refusal(folder, migrate({ folder, force: true, disk: diskFailingOnce(at) }));
      const tree = treeOf(folder);
      const isDone = tree["package.json"] !== treeFrom(files)["package.json"];
      expect(tree["a/package.json"] !== treeFrom(files)["a/package.json"]).toBe(isDone);
      if (error === undefined) {
        expect(at).toBeGreaterThan(6);
        return;
      }
      expect(isDone).toBe(false);
    }
    expect.unreachable();
  });
});

test("the lockfile of the monorepo above names the package manager", async () => {
  const folder = folderOf({ "yarn.lock": "", "apps/one/package.json": plain["package.json"] });
  expect(await migrate({ folder: join(folder, "apps/one"), force: true })).toMatchObject({ manager: "yarn" });
});

test("links are not followed", async () => {
  const folder = folderOf({ "package.json": { workspaces: ["packages/*"], ...plain["package.json"] } });
  const outside = folderOf(plain);
  put(folder, { "packages/x.txt": "" });
  symlinkSync(outside, join(folder, "packages/linked"));
  const { changed, findings } = await migrate({ folder, force: true });
  expect(changed).toEqual(["package.json"]);
  expect(findings.map(({ id, message }) => `${id}: ${message}`)).toEqual([
    "migrate-file-skipped: packages/linked/package.json was skipped: it is a link, or in a folder that is a link",
  ]);
  expect(treeOf(outside)).toEqual(treeFrom(plain));
});

test("keeps CRLF, tabs, a byte order mark, the order of members and the mode of the file", async () => {
  const text =
    '\uFEFF{\r\n\t"files": ["a", "b"],\r\n\t"dependencies": { "@modelcontextprotocol/sdk": "^1.0.0" },\r\n\t"name": "x"\r\n}\r\n';
  const folder = folderOf({ "package.json": text });
  chmodSync(join(folder, "package.json"), 0o750);
  await migrate({ folder, force: true });
  expect(readFileSync(join(folder, "package.json"), "utf8")).toBe(text.replace("^1.0.0", sdk));
  if (process.platform !== "win32") expect(statSync(join(folder, "package.json")).mode & 0o777).toBe(0o750);
});
