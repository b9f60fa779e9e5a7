import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../package-root.js";
import type { ServerProject, ProjectOptions } from "./project-options.js";
import { unscoped } from "./package-name.js";

/** The authorization server of the tests and of development. */
const issuerTools = ["@types/oidc-provider", "oidc-provider", "tsx"];

/** The `package.json` of a project. It depends on the runtime of this version, and on tools in the versions that mcpwright uses. */
export function packageJson(options: ProjectOptions): string {
  const { version } = packageRoot();
  const tools = ["@eslint/js", "@types/node", "eslint", "typescript", "typescript-eslint", "vitest"];
  const hasSkills = options.kind === "server" && options.skills === true;
  const isProtected = options.kind === "server" && options.auth === true;
  const manifest = {
    name: options.name,
    version: "0.1.0",
    description:
      options.kind === "server" ? "A Model Context Protocol server" : "A chat host for Model Context Protocol servers",
    type: "module",
    engines: { node: ">=20.19" },
    bin: { [unscoped(options.name)]: "./build/main.js" },
    files: ["build", ...(hasSkills ? ["skills"] : [])],
    scripts: {
      build: "tsc -p tsconfig.build.json",
      dev: "tsc -p tsconfig.build.json --watch --preserveWatchOutput",
      start: "node build/main.js",
      ...(options.kind === "server" && { inspect: inspect(options) }),
      ...(isProtected && { issuer: "tsx test/issuer/main.ts" }),
      typecheck: "tsc",
      lint: "eslint .",
      test: "npm run build && vitest run",
      prepare: "npm run build",
    },
    dependencies: {
      "@mcpwright/runtime": `^${version}`,
      // The runtime verifies tokens with these packages.
      ...(isProtected && rangesOf(["jose", "oauth4webapi"])),
      ...rangesOf(hasSkills ? ["yaml", "zod"] : ["zod"]),
    },
    devDependencies: {
      ...rangesOf(isProtected ? [...tools, ...issuerTools].sort() : tools),
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

/** Ranges of packages, from the versions that mcpwright is tested with. */
export function rangesOf(names: readonly string[]): Record<string, string> {
  const path = join(packageRoot().folder, "package.json");
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  const versions = { ...dependencies, ...devDependencies };
  return Object.fromEntries(
    names.map((name) => {
      const version = versions[name];
      if (version === undefined) throw new Error(`package.json does not name ${name}`);
      return [name, `^${version}`];
    }),
  );
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
