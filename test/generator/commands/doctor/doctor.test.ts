import { chmodSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { doctor } from "../../../../generator/commands/doctor/doctor.js";
import type { DoctorCheck } from "../../../../generator/commands/doctor/finding.js";
import { packageRoot } from "../../../../generator/shared/package-root.js";
import { generated, put, sandbox, treeOf } from "../../shared/files/sandbox.js";
import type { Tree } from "../../shared/files/tree.js";

const version = "1.2.3";
const json = (value: unknown): string => JSON.stringify(value);

function installed(name: string, more: object = {}, at = "node_modules"): Tree {
  return { [`${at}/${name}/package.json`]: json({ name, version, ...more }) };
}

const manifest = {
  name: "notes",
  type: "module",
  bin: "build/main.js",
  engines: { node: ">=20" },
  dependencies: { "@mcpwright/runtime": "^1.2.0" },
};
const sound: Tree = {
  "package.json": json(manifest),
  "tsconfig.json": '{ "compilerOptions": { "module": "nodenext", "rootDir": "src", "outDir": "build", }, }',
  "src/main.ts": 'import { McpServer } from "@mcpwright/runtime/server";\n',
  "build/main.js": "#!/usr/bin/env node\n",
  ...installed("@mcpwright/runtime", { exports: { "./server": { default: "./dist/server.js" } } }),
  ...installed("@mcpwright/protocol"),
};

interface Examined {
  readonly folder: string;
  /** `level: message -> remedy` of each finding of a check. */
  readonly of: (check: DoctorCheck) => readonly string[];
}

/** Examines a project with these files; undefined takes a file away. */
async function examine(changes: Readonly<Record<string, string | undefined>> = {}, node = "22.0.0"): Promise<Examined> {
  const folder = sandbox();
  const files = Object.entries({ ...sound, ...changes }).filter(
    (file): file is [string, string] => file[1] !== undefined,
  );
  put(folder, Object.fromEntries(files));
  const before = treeOf(folder);
  const report = await doctor({
    folder,
    node,
    machine: { platform: "linux", env: {}, home: join(folder, "home") },
    port: 0,
  });
  expect(treeOf(folder)).toEqual(before);
  return {
    folder,
    of: (wanted) =>
      report.findings
        .filter(({ check }) => check === wanted)
        .map(({ level, message, remedy }) => `${level}: ${message}${remedy === undefined ? "" : ` -> ${remedy}`}`),
  };
}

test("a sound project has one ok for each check that applies", async () => {
  const folder = sandbox();
  put(folder, sound);
  const { findings } = await doctor({
    folder,
    port: 0,
    machine: { platform: "linux", env: {}, home: join(folder, "home") },
  });
  expect(findings.map(({ check, level }) => `${check} ${level}`)).toEqual([
    "node ok",
    "packages ok",
    "tsconfig ok",
    "module-type ok",
    "entry ok",
    "peers ok",
    "port ok",
  ]);
});

test("a folder without a project has only the checks of the machine", async () => {
  const folder = sandbox();
  const { findings } = await doctor({ folder, port: 0, machine: { platform: "linux", env: {}, home: folder } });
  expect(findings.map(({ check, level }) => `${check} ${level}`)).toEqual(["node ok", "port ok"]);
});

describe("node", () => {
  test("older than the project and a package require", async () => {
    const zod = installed("zod", { engines: { node: "^22.12 || >=24" } });
    const { of } = await examine(
      { ...zod, "package.json": json({ ...manifest, dependencies: { zod: "^1" } }) },
      "18.20.1",
    );
    expect(of("node")).toEqual([
      expect.stringMatching(/^error: this project requires Node >=20; this is 18\.20\.1 -> install /),
      expect.stringMatching(/^error: zod requires Node \^22\.12 \|\| >=24; this is 18\.20\.1 -> /),
    ]);
  });

  test("a range that is not understood is not a finding", async () => {
    const { of } = await examine({ "package.json": json({ ...manifest, engines: { node: "lts/*" } }) });
    expect(of("node")).toEqual(["ok: Node 22.0.0"]);
  });
});

describe("packages", () => {
  test("not installed", async () => {
    const { of } = await examine({ "node_modules/@mcpwright/runtime/package.json": undefined });
    expect(of("packages")).toEqual(["error: @mcpwright/runtime is not installed -> run: npm install"]);
  });

  test("of another version than package.json requires", async () => {
    const dependencies = { "@mcpwright/runtime": "^2.0.0" };
    const { of } = await examine({ "package.json": json({ ...manifest, dependencies }) });
    expect(of("packages")[0]).toMatch(
      /^error: @mcpwright\/runtime 1\.2\.3 is installed, but package\.json requires \^2\.0\.0/,
    );
  });

  test("of different versions", async () => {
    const { of } = await examine(installed("@mcpwright/protocol", { version: "1.1.0" }));
    expect(of("packages")).toEqual([
      "error: packages of mcpwright have different versions: @mcpwright/protocol 1.1.0, @mcpwright/runtime 1.2.3" +
        " -> run: npm install @mcpwright/protocol@latest @mcpwright/runtime@latest",
    ]);
  });

  test("installed twice", async () => {
    const { of, folder } = await examine({
      "package.json": json({ ...manifest, devDependencies: { other: "*" } }),
      ...installed("other", { dependencies: { "@mcpwright/runtime": "*" } }),
      ...installed("@mcpwright/runtime", {}, "node_modules/other/node_modules"),
    });
    expect(of("packages")).toEqual([
      expect.stringContaining(
        `installed 2 times: 1.2.3 in ${join(folder, "node_modules/@mcpwright/runtime")}, 1.2.3 in `,
      ),
    ]);
  });

  test("links to one folder are one package", async () => {
    const folder = sandbox();
    put(folder, {
      ...sound,
      "package.json": json({ ...manifest, devDependencies: { other: "*" } }),
      ...installed("other", { dependencies: { "@mcpwright/runtime": "*" } }),
    });
    mkdirSync(join(folder, "node_modules/other/node_modules/@mcpwright"), { recursive: true });
    symlinkSync(
      join(folder, "node_modules/@mcpwright/runtime"),
      join(folder, "node_modules/other/node_modules/@mcpwright/runtime"),
    );
    const { findings } = await doctor({ folder, port: 0, machine: { env: {}, home: join(folder, "home") } });
    expect(findings.find(({ check }) => check === "packages")?.level).toBe("ok");
  });

  test("twice in the store of pnpm", async () => {
    const folder = sandbox();
    const store = "node_modules/.pnpm";
    put(folder, {
      "package.json": json({ ...manifest, devDependencies: { other: "*" } }),
      ...installed("@mcpwright/runtime", {}, `${store}/@mcpwright+runtime@1.2.3/node_modules`),
      ...installed("@mcpwright/runtime", { version: "1.2.2" }, `${store}/@mcpwright+runtime@1.2.2/node_modules`),
      ...installed("other", { dependencies: { "@mcpwright/runtime": "*" } }, `${store}/other@1.2.3/node_modules`),
    });
    const link = (target: string, path: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      symlinkSync(join(folder, store, target), join(folder, path));
    };
    link("@mcpwright+runtime@1.2.3/node_modules/@mcpwright/runtime", "node_modules/@mcpwright/runtime");
    link(
      "@mcpwright+runtime@1.2.2/node_modules/@mcpwright/runtime",
      `${store}/other@1.2.3/node_modules/@mcpwright/runtime`,
    );
    link("other@1.2.3/node_modules/other", "node_modules/other");
    const { findings } = await doctor({ folder, port: 0, machine: { env: {}, home: join(folder, "home") } });
    expect(findings.filter(({ check }) => check === "packages").map(({ message }) => message)).toEqual([
      expect.stringMatching(/^@mcpwright\/runtime is installed 2 times: 1\.2\.3 in .*, 1\.2\.2 in /),
      expect.stringMatching(/^packages of mcpwright have different versions: /),
    ]);
  });
});

describe("generated code", () => {
  const inside = (tree: Tree): Tree =>
    Object.fromEntries(Object.entries(tree).map(([path, text]) => [`gen/${path}`, text]));
  const code = generated({ "a.ts": "a\n" });
  const of = async (
    change: (manifest: Record<string, unknown>) => unknown,
    more: Tree = {},
  ): Promise<readonly string[]> => {
    const own = packageRoot().version;
    const text = json(change({ ...(JSON.parse(code["manifest.json"] ?? "") as object), contract: 4, generator: own }));
    return (await examine({ ...inside({ ...code, "manifest.json": text }), ...more })).of("generated-code");
  };

  test("of this version", async () => {
    expect(await of((one) => one)).toEqual([`ok: generated by mcpwright ${packageRoot().version}`]);
  });

  test.each([
    ["an older version", { generator: "0.0.1" }, /^warning: the code was generated by mcpwright 0\.0\.1; /],
    [
      "another contract",
      { contract: 1 },
      /^error: the code was generated for contract 1; this version has \d+ -> run /,
    ],
    ["a later format", { format: 99 }, /^error: .* -> update mcpwright/],
  ])("of %s", async (_what, change, expected) => {
    expect(await of((one) => ({ ...one, ...change }))).toEqual([expect.stringMatching(expected)]);
  });

  test("edited", async () => {
    expect(await of((one) => one, { "gen/a.ts": "b" })).toEqual([
      expect.stringMatching(/^warning: a\.ts was edited or deleted after generation/),
    ]);
  });

  test("a manifest of another program is left alone", async () => {
    expect((await examine({ "public/manifest.json": '{ "name": "app" }' })).of("generated-code")).toEqual([]);
  });

  test("a project with older templates", async () => {
    const found = await examine({ ".mcpwright/project.json": json({ version: "0.0.1" }) });
    expect(found.of("generated-code")).toEqual([
      expect.stringMatching(/^warning: .* 0\.0\.1; .* -> run: npx mcpwright update$/),
    ]);
    const broken = await examine({ ".mcpwright/project.json": "{" });
    expect(broken.of("generated-code")).toEqual([
      expect.stringMatching(/^warning: the record of the templates is invalid: /),
    ]);
  });
});

describe("tsconfig", () => {
  const typescript = (number: string): Tree => installed("typescript", { version: number });
  test.each([
    [
      { moduleResolution: "node" },
      "5.9.0",
      /^error: with "moduleResolution": "node", imports .* -> set "module": "nodenext"/,
    ],
    [{ module: "commonjs" }, "5.9.0", /^error: with "module": "commonjs" alone, TypeScript 5 does not find/],
    [{}, "5.9.0", /^error: without module, TypeScript 5 does not find/],
    [{}, "6.0.0", /^ok: /],
    [{ module: "esnext", moduleResolution: "bundler" }, "5.9.0", /^ok: /],
    [{ module: "node20" }, "5.9.0", /^ok: /],
    [{ module: "nodenext", paths: { "~/*": ["./src/*"] } }, "5.9.0", /^warning: Node does not know "paths"/],
    [{ module: "nodenext", paths: {}, noEmit: true }, "5.9.0", /^ok: /],
  ])("%j, TypeScript %s", async (compilerOptions, number, expected) => {
    const { of } = await examine({ "tsconfig.json": json({ compilerOptions }), ...typescript(number) });
    expect(of("tsconfig")).toEqual([expect.stringMatching(expected)]);
  });

  test("options that it extends count", async () => {
    const base = json({ compilerOptions: { moduleResolution: "node10" } });
    const { of } = await examine({ "tsconfig.json": '{ "extends": "./base.json" } // mine', "base.json": base });
    expect(of("tsconfig")).toEqual([expect.stringContaining('"moduleResolution": "node10"')]);
  });

  test("of a project that does not use our packages, also under other names", async () => {
    const files = {
      "tsconfig.json": json({ compilerOptions: { moduleResolution: "node" } }),
      "package.json": json({ ...manifest, dependencies: { zod: "^4" } }),
    };
    expect((await examine(files)).of("tsconfig")).toEqual([]);
    const dependencies = { "@modelcontextprotocol/sdk": "npm:@mcpwright/compat-sdk@^1.32.0" };
    const found = await examine({ ...files, "package.json": json({ ...manifest, dependencies }) });
    expect(found.of("tsconfig")).toEqual([expect.stringMatching(/^error: with "moduleResolution": "node"/)]);
  });

  test("a broken file", async () => {
    const { of } = await examine({ "tsconfig.json": '{ "compilerOptions" }' });
    expect(of("tsconfig")).toEqual([
      expect.stringMatching(/^error: tsconfig\.json is not valid: ColonExpected at character /),
    ]);
  });
});

describe("package.json", () => {
  test("without a type", async () => {
    const { of } = await examine({ "package.json": json({ ...manifest, type: undefined }) });
    expect(of("module-type")).toEqual([
      expect.stringMatching(/^warning: .* -> add "type": "module" to package\.json$/),
    ]);
  });

  test("broken", async () => {
    const { of } = await examine({ "package.json": "{" });
    expect(of("module-type")).toEqual([
      expect.stringMatching(/^error: package\.json is not valid JSON: .* -> correct the file$/),
    ]);
  });
});

describe("the entry", () => {
  test("not built", async () => {
    const { of } = await examine({ "build/main.js": undefined });
    expect(of("entry")).toEqual([expect.stringMatching(/^error: .*main\.js.* -> run: npm run build$/)]);
  });

  test("not built, and not named", async () => {
    const unnamed = json({ ...manifest, bin: undefined });
    const { of } = await examine({ "package.json": unnamed, "build/main.js": undefined });
    expect(of("entry")).toEqual([
      "error: the server is not built, or package.json does not say which file starts it -> run: npm run build",
    ]);
  });

  test("older than its sources", async () => {
    const folder = sandbox();
    put(folder, sound);
    utimesSync(join(folder, "build/main.js"), 1000, 1000);
    const { findings } = await doctor({ folder, port: 0, machine: { env: {}, home: join(folder, "home") } });
    expect(findings.find(({ check }) => check === "entry")).toMatchObject({
      level: "warning",
      message: `${join(folder, "src/main.ts")} is newer than the built files`,
    });
  });

  test("a command without a first line for its program", async () => {
    const { of } = await examine({ "build/main.js": "import 'x';\n" });
    expect(of("entry")).toEqual([expect.stringMatching(/^error: package\.json names .* -> begin its source with: #!/)]);
  });

  test("a library has none", async () => {
    const library = json({ ...manifest, bin: undefined });
    const { of } = await examine({ "package.json": library, "build/main.js": undefined, "src/main.ts": undefined });
    expect(of("entry")).toEqual([]);
  });
});

test("optional peers that an imported entry needs are found in its published files", async () => {
  const runtime = {
    exports: { "./auth": { default: "./dist/auth.js" }, "./server": "./dist/server.js" },
    peerDependencies: { jose: "^6", oauth4webapi: "^3", ajv: "^8" },
  };
  const files = {
    ...installed("@mcpwright/runtime", runtime),
    "node_modules/@mcpwright/runtime/dist/auth.js": 'import{a}from"./shared.js";import*as o from"oauth4webapi";',
    "node_modules/@mcpwright/runtime/dist/shared.js": 'export{b}from"jose/jwt";import"./auth.js";',
    "node_modules/@mcpwright/runtime/dist/server.js": 'import("ajv")',
    "src/main.ts": 'import {\n  x,\n} from "@mcpwright/runtime/auth";\nimport "@mcpwright/runtime/server";\n',
  };
  const { of } = await examine({ ...files, ...installed("oauth4webapi") });
  expect(of("peers")).toEqual([
    "error: @mcpwright/runtime/auth needs jose, which is not installed -> run: npm install jose",
  ]);
  const both = await examine({ ...files, ...installed("oauth4webapi"), ...installed("jose") });
  expect(both.of("peers")).toEqual([expect.stringMatching(/^ok: /)]);
});

test("a port that is in use", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { findings } = await doctor({ folder: sandbox(), port, machine: { env: {}, home: sandbox() } });
  server.close();
  expect(findings.find(({ check }) => check === "port")).toMatchObject({
    level: "warning",
    message: `port ${port} is in use`,
  });
});

describe.skipIf(process.platform === "win32")("the credentials", () => {
  test.each([
    [0o600, 0o700, "ok", "only you can read the credentials"],
    [0o644, 0o700, "error", "other users may read or write the credentials"],
    [0o600, 0o777, "warning", "other users may replace the file with the credentials"],
  ])("with mode %o in a folder with %o", async (mode, folderMode, level, message) => {
    const home = sandbox();
    put(home, { ".config/mcpwright/credentials.json": '{"secret":"s3cret"}' });
    chmodSync(join(home, ".config/mcpwright/credentials.json"), mode);
    chmodSync(join(home, ".config/mcpwright"), folderMode);
    const { findings } = await doctor({ folder: sandbox(), port: 0, machine: { platform: "linux", env: {}, home } });
    expect(findings.find(({ check }) => check === "credentials")).toMatchObject({ level, message });
    expect(json(findings)).not.toContain("s3cret");
    expect(readFileSync(join(home, ".config/mcpwright/credentials.json"), "utf8")).toBe('{"secret":"s3cret"}');
  });
});
