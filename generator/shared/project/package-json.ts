import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../package-root.js";
import type { ServerProject, ProjectOptions } from "./project-options.js";
import { unscoped } from "./package-name.js";

/** The `package.json` of a project. It depends on the runtime of this version, and on tools in the versions that mcpwright uses. */
export function packageJson(options: ProjectOptions): string {
  const { version } = packageRoot();
  const tools = ["@eslint/js", "@types/node", "eslint", "typescript", "typescript-eslint", "vitest"];
  const manifest = {
    name: options.name,
    version: "0.1.0",
    description:
      options.kind === "server" ? "A Model Context Protocol server" : "A chat host for Model Context Protocol servers",
    type: "module",
    engines: { node: ">=20.19" },
    bin: { [unscoped(options.name)]: "./build/main.js" },
    files: ["build"],
    scripts: {
      build: "tsc -p tsconfig.build.json",
      dev: "tsc -p tsconfig.build.json --watch --preserveWatchOutput",
      start: "node build/main.js",
      ...(options.kind === "server" && { inspect: inspect(options) }),
      typecheck: "tsc",
      lint: "eslint .",
      test: "npm run build && vitest run",
      prepare: "npm run build",
    },
    dependencies: { "@mcpwright/runtime": `^${version}`, zod: rangeOf("zod") },
    devDependencies: {
      ...Object.fromEntries(tools.map((name) => [name, rangeOf(name)])),
      // The tests of a client use servers of one revision each.
      ...(options.kind === "client" && { "@mcpwright/protocol": `^${version}` }),
    },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function inspect({ transport }: ServerProject): string {
  const inspector = "npx -y @modelcontextprotocol/inspector";
  return transport === "http"
    ? `${inspector} --transport http --server-url http://127.0.0.1:3000/mcp`
    : `${inspector} node build/main.js`;
}

function rangeOf(name: string): string {
  const path = join(packageRoot().folder, "package.json");
  const { devDependencies } = JSON.parse(readFileSync(path, "utf8")) as { devDependencies: Record<string, string> };
  const version = devDependencies[name];
  if (version === undefined) throw new Error(`package.json does not name ${name}`);
  return `^${version}`;
}
