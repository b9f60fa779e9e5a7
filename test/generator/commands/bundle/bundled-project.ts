import { createHash } from "node:crypto";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { unzipSync } from "fflate";
import { put, sandbox } from "../../shared/files/sandbox.js";

const root = resolve(import.meta.dirname, "../../../..");

export const packageJson = {
  name: "@acme/greeter",
  version: "1.2.3",
  description: "Greets people",
  author: "Ada Lovelace <ada@example.com>",
  license: "MIT",
  type: "module",
  engines: { node: ">=20.19" },
  scripts: { start: "node build/main.js" },
};

/** A server with a tool, a prompt, a CommonJS dependency and files that it reads. */
const main = `#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";
import { z } from "zod";
import old from "../lib/old.cjs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8").trim();
const words = read("../words.txt");
const { version } = JSON.parse(read("../package.json"));
const server = new McpServer({ name: "greeter", title: "Greeter", version });
server.registerTool(
  "greet",
  { description: "Greets a person", inputSchema: z.object({ name: z.string() }) },
  ({ name }) => ({ content: [{ type: "text", text: [words, name, old.folder(), process.env.REGION].join(" ") }] }),
);
server.registerPrompt(
  "review",
  { description: "Reviews code", argsSchema: z.object({ code: z.string() }) },
  ({ code }) => ({ messages: [{ role: "user", content: { type: "text", text: "As " + process.env.USER + ": " + code } }] }),
);
serveStdio(server);
`;

/** CommonJS, with what ES modules lack. */
const old = `const { basename } = require("node:path");
exports.folder = () => basename(__dirname);
`;

/** A project that has the packages of the repository. @param files replace those of the example */
export function greeter(files: Readonly<Record<string, string>> = {}, manifest: object = packageJson): string {
  const folder = sandbox();
  put(folder, {
    "package.json": JSON.stringify(manifest),
    "build/main.js": main,
    "lib/old.cjs": old,
    "words.txt": "Good day,\n",
    ...files,
  });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  return folder;
}

export interface Unpacked {
  readonly folder: string;
  readonly files: readonly string[];
  readonly manifest: Manifest;
}

export interface Manifest {
  readonly server: {
    readonly mcp_config: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };
  };
  readonly [member: string]: unknown;
}

/** Unpacks a bundle into an empty folder. */
export async function unpack(path: string): Promise<Unpacked> {
  const folder = sandbox();
  const files = unzipSync(readFileSync(path));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
  return { folder, files: Object.keys(files), manifest };
}

export function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
