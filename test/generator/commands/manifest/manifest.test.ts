import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeServerJson } from "../../../../generator/commands/manifest/write-server-json.js";
import { manifest, type ManifestOptions } from "../../../../generator/commands/manifest/manifest.js";
import { fullDisk } from "../../shared/files/broken-disk.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";

const packageJson = {
  name: "@ada/weather",
  mcpName: "io.github.ada/weather",
  version: "1.2.3",
  description: "Weather for cities",
  homepage: "https://weather.example.com",
  repository: { url: "git+https://github.com/ada/tools.git", directory: "weather" },
};
const schema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

function project(manifestJson: object = packageJson, files: Readonly<Record<string, string>> = {}): string {
  const folder = sandbox();
  put(folder, { "package.json": JSON.stringify(manifestJson), ...files });
  return folder;
}

function read(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, "server.json"), "utf8"));
}

test("server.json has what package.json and the options state", async () => {
  const folder = project(packageJson, { "weather.mcpb": "bundle" });
  const url = "https://github.com/ada/tools/releases/download/v1.2.3/weather.mcpb";
  const result = await manifest({
    folder,
    title: "Weather",
    variables: [
      { name: "REGION", isSecret: false, value: "eu" },
      { name: "API_KEY", isSecret: true },
    ],
    mcpb: { url, file: join(folder, "weather.mcpb") },
    urls: ["https://weather.example.com/mcp"],
  });
  expect(result).toMatchObject({ path: join(folder, "server.json"), action: "add", isWritten: true, findings: [] });
  expect(read(folder)).toEqual({
    $schema: schema,
    name: "io.github.ada/weather",
    title: "Weather",
    description: "Weather for cities",
    repository: { url: "https://github.com/ada/tools", source: "github", subfolder: "weather" },
    version: "1.2.3",
    websiteUrl: "https://weather.example.com",
    packages: [
      {
        registryType: "npm",
        identifier: "@ada/weather",
        version: "1.2.3",
        transport: { type: "stdio" },
        environmentVariables: [
          { name: "REGION", isRequired: false, default: "eu" },
          { name: "API_KEY", isRequired: true, isSecret: true },
        ],
      },
      {
        registryType: "mcpb",
        identifier: url,
        version: "1.2.3",
        fileSha256: createHash("sha256").update("bundle").digest("hex"),
        transport: { type: "stdio" },
      },
    ],
    remotes: [{ type: "streamable-http", url: "https://weather.example.com/mcp" }],
  });
});

test("what a person wrote stays, with its order and indentation", async () => {
  const folder = project();
  const mine = {
    version: "0.9.0",
    title: "My weather",
    name: "io.github.ada/weather",
    icons: [{ src: "https://weather.example.com/icon.png" }],
    description: "old",
    packages: [
      { registryType: "oci", identifier: "docker.io/ada/weather:1", transport: { type: "stdio" } },
      {
        registryType: "npm",
        identifier: "@ada/weather",
        version: "0.9.0",
        runtimeHint: "npx",
        transport: { type: "stdio" },
        environmentVariables: [
          { name: "KEY", description: "Of your account" },
          { name: "ZONE", isRequired: false },
        ],
      },
    ],
  };
  writeFileSync(join(folder, "server.json"), JSON.stringify(mine, undefined, 4));
  const options = { folder, variables: [{ name: "KEY", isSecret: true }] };
  const { action, difference } = await manifest(options);
  expect(action).toBe("change");
  expect(difference).toContain('-    "version": "0.9.0",\n');
  expect(difference).toContain('+    "version": "1.2.3",\n');
  const text = readFileSync(join(folder, "server.json"), "utf8");
  expect(text.startsWith('{\n    "version": "1.2.3",\n    "title": "My weather",\n')).toBe(true);
  expect(read(folder)).toMatchObject({
    title: "My weather",
    icons: mine.icons,
    packages: [
      mine.packages[0],
      {
        identifier: "@ada/weather",
        version: "1.2.3",
        runtimeHint: "npx",
        environmentVariables: [
          { name: "KEY", description: "Of your account", isRequired: true, isSecret: true },
          { name: "ZONE", isRequired: false },
        ],
      },
    ],
  });
  expect(await manifest(options)).toMatchObject({ action: "keep", isWritten: false, difference: "" });
});

test("options need not be repeated: the file keeps their values, and --check compares them", async () => {
  const folder = project();
  await manifest({
    folder,
    title: "Weather",
    http: "http://localhost:3000/mcp",
    variables: [{ name: "KEY", isSecret: true }],
    urls: ["https://weather.example.com/mcp"],
  });
  expect(await manifest({ folder, isCheck: true })).toMatchObject({ action: "keep", difference: "" });
  await manifest({ folder, http: "http://localhost:4000/mcp" });
  expect(read(folder)).toMatchObject({
    packages: [{ transport: { type: "streamable-http", url: "http://localhost:4000/mcp" } }],
  });
});

test("--check and a dry run write nothing", async () => {
  const folder = project();
  const before = treeOf(folder);
  expect(await manifest({ folder, isCheck: true })).toMatchObject({ action: "add", isWritten: false });
  expect(await manifest({ folder, isDryRun: true })).toMatchObject({ action: "add", isWritten: false });
  expect(treeOf(folder)).toEqual(before);
  await manifest({ folder });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...packageJson, version: "1.3.0" }));
  const { action, difference } = await manifest({ folder, isCheck: true });
  expect(action).toBe("change");
  expect(difference).toContain('+  "version": "1.3.0"');
});

test("a description that was shortened by hand stays while that of package.json is too long", async () => {
  const folder = project({ ...packageJson, description: "x".repeat(101) });
  expect(await refusal(folder, manifest({ folder }))).toEqual([
    "manifest-description-long: the description in OUT/package.json has 101 characters; the registry allows 100",
  ]);
  await manifest({ folder, description: "short" });
  expect(await manifest({ folder })).toMatchObject({ action: "keep" });
});

test("findings: a private package, and one that does not prove its name", async () => {
  const { mcpName: _mcpName, ...unnamed } = packageJson;
  const found = async (json: object, options: ManifestOptions) =>
    (await manifest({ folder: project(json), isDryRun: true, ...options })).findings.map(({ id }) => id);
  expect(await found(unnamed, { name: "io.github.ada/weather" })).toEqual(["manifest-name-unproved"]);
  expect(await found({ ...packageJson, private: true }, { urls: ["https://a.example.com/mcp"] })).toEqual([
    "manifest-private",
  ]);
});

const { mcpName: _name, ...withoutName } = packageJson;
test.each<[string, object, ManifestOptions, string]>([
  ["no name", withoutName, {}, "manifest-no-name: the server has no name in the registry"],
  ["no version", { ...packageJson, version: 1 }, {}, 'manifest-fact-missing: OUT/package.json has no usable "version", which the registry requires'], // prettier-ignore
  ["no description", { ...packageJson, description: "" }, {}, 'manifest-fact-missing: OUT/package.json has no usable "description", which the registry requires'], // prettier-ignore
  ["an invalid name", packageJson, { name: "weather" }, 'manifest-invalid: OUT/server.json would be invalid by the schema of 2025-12-11: name must match pattern "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"'], // prettier-ignore
  ["nothing to publish", { ...packageJson, private: true }, {}, "manifest-nothing: there is nothing to install or connect to: OUT/package.json is private"], // prettier-ignore
  ["a private URL", packageJson, { urls: ["https://localhost/mcp"] }, "manifest-remote-private: https://localhost/mcp is not the URL of a public server"], // prettier-ignore
  ["a URL without TLS", packageJson, { urls: ["http://a.example.com/"] }, "manifest-remote-private: http://a.example.com/ is not the URL of a public server"], // prettier-ignore
  ["an address", packageJson, { urls: ["https://[::1]/mcp"] }, "manifest-remote-private: https://[::1]/mcp is not the URL of a public server"], // prettier-ignore
])("%s is an error, and nothing is written", async (_case, json, options, message) => {
  const folder = project(json);
  const before = treeOf(folder);
  expect(await refusal(folder, manifest({ folder, ...options }))).toEqual([message]);
  expect(treeOf(folder)).toEqual(before);
});

test.each<[string, string, unknown]>([
  ["package.json", "{", expect.stringMatching(/^manifest-no-project: OUT\/package.json is not valid JSON: /)],
  ["server.json", "{", expect.stringMatching(/^manifest-unreadable: OUT\/server.json is not valid JSON: /)],
  ["server.json", "[]", "manifest-unreadable: OUT/server.json is not an object"],
  ["server.json", '{"packages":[1]}', 'manifest-unreadable: OUT/server.json has "packages" that are not a list of objects'], // prettier-ignore
  [
    "server.json",
    '{"packages":[{"registryType":"npm","identifier":"@ada/weather","environmentVariables":[null]}]}',
    "manifest-invalid: OUT/server.json would be invalid by the schema of 2025-12-11: packages.0.environmentVariables.0 must be object",
  ],
])("%s with %s stays as it is", async (name, text, message) => {
  const folder = project(packageJson, { [name]: text });
  expect(await refusal(folder, manifest({ folder, variables: [{ name: "KEY", isSecret: true }] }))).toEqual([message]);
  expect(readFileSync(join(folder, name), "utf8")).toBe(text);
});

test("a full disk leaves the earlier file", async () => {
  const folder = project();
  await manifest({ folder });
  const before = treeOf(folder);
  expect(await refusal(folder, writeServerJson({ folder, title: "New" }, fullDisk(1)))).toEqual([
    "output-not-writable: cannot write OUT/server.json: ENOSPC: no space left on device",
  ]);
  expect(treeOf(folder)).toEqual(before);
});
