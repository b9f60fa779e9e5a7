/** Bundles run with Node alone, and say what they contain. */
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { bundle } from "../../../../generator/commands/bundle/bundle.js";
import { Client } from "../../../../runtime/src/client.js";
import { StdioClientTransport } from "../../../../runtime/src/stdio.js";
import { greeter, packageJson, sha256, unpack } from "./bundled-project.js";

afterEach(() => void vi.unstubAllEnvs());

const variables = [
  { name: "REGION", isSecret: false, value: "eu" },
  { name: "API_KEY", isSecret: true },
] as const;

test("a bundle runs in an empty folder, as its manifest says", { timeout: 120_000 }, async () => {
  const folder = greeter();
  const result = await bundle({ folder, include: ["words.txt"], variables });
  expect(result).toMatchObject({ path: join(folder, "greeter-1.2.3.mcpb"), isWritten: true });
  expect(result.sha256).toBe(sha256(result.path));
  expect(result.findings.map(({ id, message }) => `${id}: ${message}`)).toEqual([
    "bundle-own-place: lib/old.cjs uses the place of its own file, which is another one in the bundle (lib/old.cjs)",
  ]);

  const { folder: place, files, manifest } = await unpack(result.path);
  expect(files).toEqual(["build/main.mjs", "manifest.json", "package.json", "words.txt"]);
  expect(result.files.map(({ path }) => path)).toEqual(files);
  expect(manifest).toEqual(result.manifest);
  const { command, args, env } = manifest.server.mcp_config;
  expect({ command, args }).toEqual({ command: "node", args: ["${__dirname}/build/main.mjs"] });
  expect(env).toEqual({ REGION: "${user_config.REGION}", API_KEY: "${user_config.API_KEY}" });
  const client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: args.map((text) => text.replace("${__dirname}", place)),
      env: { REGION: "us" },
      cwd: place,
    }),
  );
  const called = await client.callTool({ name: "greet", arguments: { name: "Bo" } });
  await client.close();
  expect(called).toMatchObject({ content: [{ type: "text", text: "Good day, Bo build us" }] });
});

test("the manifest has what package.json and the server say", { timeout: 120_000 }, async () => {
  const manifest = {
    ...packageJson,
    repository: "github:acme/greeter",
    homepage: "https://acme.example/greeter",
    bugs: { url: "https://acme.example/bugs" },
    keywords: ["greetings"],
    os: ["!win32"],
  };
  const result = await bundle({
    folder: greeter({ "icon.png": "png" }, manifest),
    include: ["words.txt"],
    icon: "icon.png",
    variables,
    isDryRun: true,
  });
  expect(result.isWritten).toBe(false);
  expect(result.manifest).toEqual({
    manifest_version: "0.3",
    name: "greeter",
    display_name: "Greeter",
    version: "1.2.3",
    description: "Greets people",
    author: { name: "Ada Lovelace", email: "ada@example.com" },
    repository: { type: "git", url: "https://github.com/acme/greeter" },
    homepage: "https://acme.example/greeter",
    support: "https://acme.example/bugs",
    icon: "icon.png",
    server: {
      type: "node",
      entry_point: "build/main.mjs",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/build/main.mjs"],
        env: { REGION: "${user_config.REGION}", API_KEY: "${user_config.API_KEY}" },
      },
    },
    tools: [{ name: "greet", description: "Greets a person" }],
    prompts_generated: true,
    keywords: ["greetings"],
    license: "MIT",
    compatibility: { platforms: ["darwin", "linux"], runtimes: { node: ">=20.19" } },
    user_config: {
      REGION: {
        type: "string",
        title: "Region",
        description: "The environment variable REGION of the server",
        required: false,
        default: "eu",
      },
      API_KEY: {
        type: "string",
        title: "Api key",
        description: "The environment variable API_KEY of the server",
        sensitive: true,
        required: true,
      },
    },
  });
});

test("the same project gives the same bytes, at any time and in any time zone", { timeout: 120_000 }, async () => {
  const folder = greeter();
  const options = { folder, include: ["words.txt"], isStarted: false };
  const digests = [];
  for (const [zone, year] of [
    ["Asia/Tokyo", 2020],
    ["America/Los_Angeles", 2024],
  ] as const) {
    vi.stubEnv("TZ", zone);
    utimesSync(join(folder, "words.txt"), new Date(year, 1), new Date(year, 1));
    digests.push((await bundle({ ...options, out: join(folder, `${year}.mcpb`) })).sha256);
  }
  expect(digests[0]).toBe(digests[1]);
  expect(digests.length).toBe(2);
});

test("a TypeScript source needs no build, and without a start hosts ask for the lists", async () => {
  const source = 'import { answer } from "./answer.js";\nconst value: number = answer;\nconsole.error(value);\n';
  const folder = greeter({ "src/main.ts": source, "src/answer.ts": "export const answer: number = 42;\n" });
  const { manifest, files } = await bundle({ folder, entry: "src/main.ts", isStarted: false });
  expect(files.map(({ path }) => path)).toEqual(["manifest.json", "package.json", "src/main.mjs"]);
  expect(manifest).toMatchObject({ tools_generated: true, prompts_generated: true });
  expect(manifest).not.toHaveProperty("tools");
});

test("a project without an author has a bundle that says so", async () => {
  const { author: _author, ...manifest } = packageJson;
  const folder = greeter({}, manifest);
  const result = await bundle({ folder, isStarted: false, isDryRun: true });
  expect(result.manifest["author"]).toEqual({ name: "Unknown author" });
  expect(result.findings.map(({ severity, message }) => `${severity}: ${message}`)).toContain(
    `finding: ${join(folder, "package.json")} has no usable "author", so hosts show "Unknown author"`,
  );
});

test("a dry run writes nothing", async () => {
  const folder = greeter();
  const before = readdirSync(folder);
  const result = await bundle({ folder, isStarted: false, isDryRun: true });
  expect(result.bytes).toBeGreaterThan(1_000);
  expect(readdirSync(folder)).toEqual(before);
});

test("folders are included without what is of this machine or secret, with permissions", async () => {
  const folder = greeter({
    "data/a.txt": "a",
    "data/deep/b.txt": "b",
    "data/.env": "SECRET=1",
    "data/.git/config": "",
    "data/old.mcpb": "",
  });
  const { files } = await bundle({ folder, include: ["data/", "words.txt"], isStarted: false });
  expect(files.map(({ path }) => path)).toEqual([
    "build/main.mjs",
    "data/a.txt",
    "data/deep/b.txt",
    "manifest.json",
    "package.json",
    "words.txt",
  ]);
});
