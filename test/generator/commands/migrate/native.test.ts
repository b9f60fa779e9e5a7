import { chmodSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { migrate } from "../../../../generator/commands/migrate/migrate.js";
import { packageRoot } from "../../../../generator/shared/package-root.js";
import { diskFailingOnce } from "../../shared/files/broken-disk.js";
import { put, refusal, treeOf } from "../../shared/files/sandbox.js";
import { type Files, folderOf, repositoryOf, treeFrom } from "./project.js";

const runtime = `^${packageRoot().version}`;
const program =
  'import { McpServer } from "@modelcontextprotocol/server";\n\nexport const server = new McpServer({ name: "a", version: "1.0.0" });\n';
const rewritten = program.replace("@modelcontextprotocol/server", "@mcpwright/runtime/server");
const plain = {
  "package.json": { dependencies: { "@modelcontextprotocol/server": "^2.0.0" } },
  "src/index.ts": program,
};
const moved = { "package.json": { dependencies: { "@mcpwright/runtime": runtime } }, "src/index.ts": rewritten };

function native(folder: string) {
  return migrate({ folder, level: "native", force: true });
}

interface Case {
  readonly name: string;
  readonly files: Files;
  readonly expected: Files;
  readonly findings?: readonly string[];
  readonly todos?: readonly string[];
}

const table: readonly Case[] = [
  { name: "a package and its source", files: plain, expected: moved },
  {
    name: "every kind of TypeScript and JavaScript, and no other file",
    files: {
      ...plain,
      ...Object.fromEntries(["mts", "cts", "tsx", "js", "mjs", "jsx"].map((end) => [`src/file.${end}`, program])),
      "src/types.d.ts": program,
      "README.md": program,
      "dist/index.js": program,
    },
    expected: {
      ...moved,
      ...Object.fromEntries(["mts", "cts", "tsx", "js", "mjs", "jsx"].map((end) => [`src/file.${end}`, rewritten])),
    },
  },
  {
    name: "1.x and 2.x in one package",
    files: {
      "package.json": {
        dependencies: { "@modelcontextprotocol/server": "^2.0.0" },
        devDependencies: { "@modelcontextprotocol/sdk": "^1.0.0" },
      },
      "src/index.ts": program,
      "test/old.ts": 'import { Client } from "@modelcontextprotocol/sdk/client/index.js";\nexport { Client };\n',
    },
    expected: {
      "package.json": {
        dependencies: { "@mcpwright/runtime": runtime },
        devDependencies: { "@mcpwright/runtime": runtime },
      },
      "src/index.ts": rewritten,
      "test/old.ts": 'import { Client } from "@mcpwright/runtime/client";\nexport { Client };\n',
    },
  },
  {
    name: "a name without a counterpart keeps its package, as compat",
    files: {
      ...plain,
      "src/index.ts":
        program.replace("{ McpServer }", "{ McpServer, mergeCapabilities }") + "mergeCapabilities({}, {});\n",
    },
    expected: {
      "package.json": {
        dependencies: {
          "@mcpwright/runtime": runtime,
          "@modelcontextprotocol/server": "npm:@mcpwright/compat-server@^2.4.0",
        },
      },
      "src/index.ts": `// TODO mcpwright: mergeCapabilities has no counterpart (docs/reference/official-names.md#names-servers-and-both-sides)
import { mergeCapabilities } from "@modelcontextprotocol/server";
import { McpServer } from "@mcpwright/runtime/server";
${program.slice(program.indexOf("\n") + 1)}mergeCapabilities({}, {});
`,
    },
    todos: ["src/index.ts:1: mergeCapabilities has no counterpart #names-servers-and-both-sides"],
  },
  {
    name: "zod 3 becomes zod 4, and zod is added where the source needs it",
    files: {
      "package.json": { dependencies: { "@modelcontextprotocol/sdk": "^1.0.0", zod: "^3.25.0" } },
      "index.js":
        'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nimport { z } from "zod";\nexport default [McpServer, z];\n',
    },
    expected: {
      "package.json": { dependencies: { "@mcpwright/runtime": runtime, zod: zodRange() } },
      "index.js":
        'import { McpServer } from "@mcpwright/runtime/server";\nimport { z } from "zod";\nexport default [McpServer, z];\n',
    },
  },
  {
    name: "a monorepo with a tsconfig for each package; folders of other packages are left",
    files: {
      "package.json": { workspaces: ["packages/*"] },
      "tsconfig.json": { files: [], references: [{ path: "packages/a" }, { path: "packages/b" }] },
      "packages/a/package.json": { name: "a", ...plain["package.json"] },
      "packages/a/tsconfig.json": { compilerOptions: { composite: true } },
      "packages/a/index.ts": program,
      "packages/b/package.json": { name: "b", dependencies: { a: "*", "@modelcontextprotocol/sdk": "^1.0.0" } },
      "packages/b/tsconfig.json": { compilerOptions: { composite: true, strict: false } },
      "packages/b/index.ts":
        'import type { Tool } from "@modelcontextprotocol/sdk/types.js";\nexport const tools: Tool[] = [];\n',
      "examples/c/package.json": { name: "c", ...plain["package.json"] },
      "examples/c/index.ts": program,
    },
    expected: {
      "packages/a/package.json": { name: "a", ...moved["package.json"] },
      "packages/a/index.ts": rewritten,
      "packages/b/package.json": { name: "b", dependencies: { a: "*", "@mcpwright/runtime": runtime } },
      "packages/b/index.ts":
        'import type { Tool } from "@mcpwright/runtime/server";\nexport const tools: Tool[] = [];\n',
    },
  },
  {
    name: "a value of another file",
    files: {
      ...plain,
      "src/tools.ts":
        'import { server } from "./index.js";\nserver.server.onerror = (error: Error) => console.error(error);\n',
    },
    expected: {
      ...moved,
      "src/tools.ts":
        'import { server } from "./index.js";\n// TODO mcpwright: pass onerror as an option of the constructor (docs/guide/migrating.md#servers-and-clients)\nserver.server.onerror = (error: Error) => console.error(error);\n',
    },
    todos: ["src/tools.ts:2: pass onerror as an option of the constructor #servers-and-clients"],
  },
  {
    name: "a configuration of another file",
    files: {
      ...plain,
      "src/config.ts": "export const config = { inputSchema: { city: {} } };\n",
      "src/tools.ts":
        'import { config } from "./config.js";\nimport { server } from "./index.js";\nserver.registerTool("a", config, () => ({ content: [] }));\n',
    },
    expected: {
      ...moved,
      "src/tools.ts":
        'import { config } from "./config.js";\nimport { server } from "./index.js";\n// TODO mcpwright: wrap the schemas of this configuration, in its file: z.object({ … }) (docs/guide/migrating.md#tools-resources-and-prompts)\nserver.registerTool("a", config, () => ({ content: [] }));\n',
    },
    todos: [
      "src/tools.ts:3: wrap the schemas of this configuration, in its file: z.object({ … }) #tools-resources-and-prompts",
    ],
  },
  {
    name: "log messages of a server that does not declare logging",
    files: {
      ...plain,
      "src/tools.ts":
        'import { server } from "./index.js";\nserver.registerTool("a", {}, async (ctx) => {\n  await ctx.mcpReq.log("info", "a");\n  return { content: [] };\n});\n',
    },
    expected: {
      ...moved,
      "src/tools.ts":
        'import { server } from "./index.js";\nserver.registerTool("a", {}, async (ctx) => {\n  // TODO mcpwright: log throws without the capability: pass { capabilities: { logging: {} } } to McpServer (docs/guide/migrating.md#servers-and-clients)\n  await ctx.log("info", "a");\n  return { content: [] };\n});\n',
    },
    todos: [
      "src/tools.ts:3: log throws without the capability: pass { capabilities: { logging: {} } } to McpServer #servers-and-clients",
    ],
  },
  {
    name: "CRLF and a byte order mark",
    files: { ...plain, "src/index.ts": `\uFEFF${program.replaceAll("\n", "\r\n")}` },
    expected: { ...moved, "src/index.ts": `\uFEFF${rewritten.replaceAll("\n", "\r\n")}` },
  },
  {
    name: "CommonJS with types in comments",
    files: {
      "package.json": { dependencies: { "@modelcontextprotocol/sdk": "^1.0.0", zod: zodRange() } },
      "index.cjs": `const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const { z } = require("zod");

/** @type {import("@modelcontextprotocol/sdk/types.js").CallToolResult} */
const nothing = { content: [] };

/** @param {McpServer} server */
function register(server) {
  server.tool("echo", { text: z.string() }, async ({ text }) => (text ? { content: [{ type: "text", text }] } : nothing));
}

module.exports = { register };
`,
    },
    expected: {
      "package.json": { dependencies: { "@mcpwright/runtime": runtime, zod: zodRange() } },
      "index.cjs": `const { McpServer } = require("@mcpwright/runtime/server");
const { z } = require("zod");

/** @type {import("@mcpwright/runtime/server").ToolResult} */
const nothing = { content: [] };

/** @param {McpServer} server */
function register(server) {
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => (text ? { content: [{ type: "text", text }] } : nothing));
}

module.exports = { register };
`,
    },
  },
  {
    name: "1.x and 2.x in one file",
    files: {
      "package.json": {
        dependencies: { "@modelcontextprotocol/client": "^2.0.0", "@modelcontextprotocol/sdk": "^1.0.0" },
      },
      "index.ts": `import { Client } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

export const both = [new Client({ name: "a", version: "1" }), new McpServer({ name: "b", version: "1" })];
`,
    },
    expected: {
      "package.json": { dependencies: { "@mcpwright/runtime": runtime } },
      "index.ts": `import { Client } from "@mcpwright/runtime/client";
import { McpServer } from "@mcpwright/runtime/server";

export const both = [new Client({ name: "a", version: "1" }), new McpServer({ name: "b", version: "1" })];
`,
    },
  },
  {
    name: "a name that the official SDK does not have, as far as we know",
    files: {
      ...plain,
      "src/index.ts": 'import { inventTools } from "@modelcontextprotocol/server";\ninventTools();\n',
    },
    expected: {
      "package.json": {
        dependencies: { "@modelcontextprotocol/server": "npm:@mcpwright/compat-server@^2.4.0" },
      },
      "src/index.ts":
        '// TODO mcpwright: inventTools has no counterpart (docs/reference/official-names.md#names-servers-and-both-sides)\nimport { inventTools } from "@modelcontextprotocol/server";\ninventTools();\n',
    },
    todos: ["src/index.ts:1: inventTools has no counterpart #names-servers-and-both-sides"],
  },
  {
    name: "huge files are skipped",
    files: { ...plain, "src/data.ts": `export const data = "${"x".repeat(2 ** 21)}";\n` },
    expected: moved,
    findings: ["migrate-file-skipped: src/data.ts was skipped: it has more than 2 MiB"],
  },
];

describe.each(table)("$name", ({ files, expected, findings = [], todos = [] }) => {
  const after = { ...treeFrom(files), ...treeFrom(expected) };

  test("changes exactly these files, and nothing in a second run", async () => {
    const folder = folderOf(files);
    const dry = await migrate({ folder, level: "native", mode: "dry-run" });
    expect(treeOf(folder)).toEqual(treeFrom(files));
    const result = await native(folder);
    expect(result).toEqual(dry);
    expect(treeOf(folder)).toEqual(after);
    expect(result.changed).toEqual(Object.keys(expected).sort());
    expect(result.findings.map(({ id, message }) => `${id}: ${message}`)).toEqual(findings);
    const places = result.todos.map(({ path, line, text, section }) => `${path}:${line}: ${text} #${section}`);
    expect(places).toEqual(todos);
    // The places stay counted until a person has removed the comments.
    expect(await native(folder)).toMatchObject({ changed: [], diff: "", todos: result.todos });
    expect(treeOf(folder)).toEqual(after);
  });
});

function zodRange(): string {
  const path = join(packageRoot().folder, "package.json");
  const { devDependencies } = JSON.parse(readFileSync(path, "utf8")) as { devDependencies: { zod: string } };
  return `^${devDependencies.zod}`;
}

describe("bad input changes nothing", () => {
  test("files that do not parse: all of them are named", async () => {
    const files = {
      ...plain,
      "src/one.ts": `${program}const = 1;\n`,
      "src/two.js": `${program}\nfunction {`,
      "src/other.ts": "const = 2;\n",
    };
    const folder = folderOf(files);
    await expect(native(folder)).rejects.toThrow(
      /^src\/one\.ts:4:7: error\[migrate-unparsable\]: .*\n.*\nsrc\/two\.js:5:10: error\[migrate-unparsable\]: .*\n.*$/,
    );
    expect(treeOf(folder)).toEqual(treeFrom(files));
  });

  test("a dirty tree", async () => {
    const folder = repositoryOf(plain);
    put(folder, { "src/new.ts": "" });
    expect(await refusal(folder, migrate({ folder, level: "native" }))).toEqual([
      "migrate-dirty: OUT has changes that are not committed: src/new.ts",
    ]);
    expect(treeOf(join(folder, "src"))).toEqual({ "index.ts": program, "new.ts": "" });
  });

  test("files that git ignores are left", async () => {
    const files = { ...plain, ".gitignore": "generated/\n", "generated/index.ts": program };
    const folder = repositoryOf(files);
    expect((await migrate({ folder, level: "native" })).changed).toEqual(["package.json", "src/index.ts"]);
  });

  test("links are not followed", async () => {
    const folder = folderOf(plain);
    const outside = folderOf({ "linked.ts": program });
    symlinkSync(join(outside, "linked.ts"), join(folder, "src/linked.ts"));
    const { changed, findings } = await native(folder);
    expect(changed).toEqual(["package.json", "src/index.ts"]);
    expect(findings.map(({ message }) => message)).toEqual([
      "src/linked.ts was skipped: it is a link, or in a folder that is a link",
    ]);
    expect(treeOf(outside)).toEqual({ "linked.ts": program });
  });

  test("sources in a folder that is a link are left", async () => {
    const folder = folderOf(plain);
    const outside = folderOf({ "inner/linked.ts": program });
    symlinkSync(outside, join(folder, "src/outside"), "junction");
    expect((await native(folder)).changed).toEqual(["package.json", "src/index.ts"]);
    expect(treeOf(outside)).toEqual({ "inner/linked.ts": program });
  });

  test("a file that is read-only is changed, and stays read-only", async () => {
    const folder = folderOf(plain);
    chmodSync(join(folder, "src/index.ts"), 0o444);
    await native(folder);
    expect(readFileSync(join(folder, "src/index.ts"), "utf8")).toBe(rewritten);
    expect(statSync(join(folder, "src/index.ts")).mode & 0o222).toBe(0);
  });

  test("an interrupted run leaves all files or none changed", async () => {
    for (let at = 1; at < 100; at++) {
      const folder = folderOf(plain);
      const run = migrate({ folder, level: "native", force: true, disk: diskFailingOnce(at) });
      const error = await refusal(folder, run);
      const tree = Object.entries(treeOf(folder)).filter(([path]) => !path.startsWith(".mcpwright-"));
      expect(Object.fromEntries(tree)).toEqual(treeFrom(error === undefined ? moved : plain));
      if (error === undefined) {
        expect(at).toBeGreaterThan(6);
        return;
      }
    }
    expect.unreachable();
  });
});
