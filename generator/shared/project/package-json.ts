import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../package-root.js";
import {
  isNotesProject,
  isOpenapiProject,
  type NotesProject,
  notesFeatures,
  type ProjectOptions,
} from "./project-options.js";
import { unscoped } from "./package-name.js";

/** The `package.json` of a project. It depends on the runtime of this version, and on tools in the versions that mcpwright uses. */
export function packageJson(options: ProjectOptions): string {
  const identity = { name: options.name, version: "0.1.0" };
  return `${JSON.stringify({ ...identity, ...manifestOf(options) }, undefined, 2)}\n`;
}

function manifestOf(options: ProjectOptions): object {
  if (isNotesProject(options)) return notesManifest(options);
  if (isOpenapiProject(options)) return openapiManifest(options.name);
  switch (options.start) {
    case "minimal":
      return minimalManifest();
    case "tasks":
      return smallManifest(["zod"]);
    case "skills":
      return smallManifest(["yaml"]);
    case "cluster":
      return smallManifest(["redis", "zod"], { start: "node build/main.js", key: printKey });
    case "gateway":
      return smallManifest(["zod"]);
    case "extension":
      return extensionManifest();
    case "client":
      return clientManifest(options.name);
  }
}

const tools = ["@eslint/js", "@types/node", "eslint", "typescript", "typescript-eslint", "vitest"];

/** The authorization server of the tests and of development. */
const issuerTools = ["@types/oidc-provider", "oidc-provider", "tsx"];

/** Restarts a server of stdio on each change, at a URL: a terminal sends no messages. */
const devScript = "npx mcpwright dev src/main.ts --http";

const serverDescription = "A Model Context Protocol server";

/** Few lines, because they are read first. */
function minimalManifest(): object {
  return {
    description: serverDescription,
    private: true,
    type: "module",
    scripts: { dev: devScript, build: "tsc", prepare: "tsc" },
    dependencies: { ...own("runtime"), ...rangesOf(["zod"]) },
    devDependencies: rangesOf(["@types/node", "tsx", "typescript"]),
  };
}

/** Prints 32 random bytes. Works in every shell. */
const printKey = `node -p "require('node:crypto').randomBytes(32).toString('base64')"`;

function smallManifest(packages: readonly string[], scripts: Readonly<Record<string, string>> = {}): object {
  const { typecheck, test, prepare } = checks;
  return {
    description: serverDescription,
    private: true,
    type: "module",
    engines,
    scripts: { build: "tsc -p tsconfig.build.json", ...scripts, typecheck, test, prepare },
    dependencies: { ...own("runtime"), ...rangesOf(packages) },
    devDependencies: rangesOf(["@types/node", "typescript", "vitest"]),
  };
}

/** The code that is generated from the schema is built with the rest. */
function extensionManifest(): object {
  const { typecheck, test, prepare } = checks;
  return {
    description: "An extension of the Model Context Protocol",
    private: true,
    type: "module",
    engines,
    scripts: {
      generate: "mcpwright generate --extension rank/schema.ts --over 2026-07-28 --out src/generated",
      build: "npm run generate && tsc -p tsconfig.build.json",
      client: "node build/client.js",
      typecheck,
      test,
      prepare,
    },
    dependencies: { ...own("protocol"), ...own("runtime") },
    devDependencies: {
      ...rangesOf(["@types/node"]),
      mcpwright: `^${packageRoot().version}`,
      ...rangesOf(["typescript", "vitest"]),
    },
  };
}

function notesManifest(project: NotesProject): object {
  const { auth, http, skills, stdio } = notesFeatures(project);
  const inspector = "npx -y @modelcontextprotocol/inspector";
  return {
    ...program(project.name, serverDescription, skills ? ["skills"] : []),
    scripts: {
      build: "tsc -p tsconfig.build.json",
      dev: http ? "tsc -p tsconfig.build.json --watch --preserveWatchOutput" : devScript,
      start: "node build/main.js",
      inspect: stdio
        ? `${inspector} node build/main.js`
        : `${inspector} --transport http --server-url http://127.0.0.1:3000/mcp`,
      ...(auth && { issuer: "tsx test/issuer/main.ts" }),
      ...checks,
    },
    dependencies: {
      ...own("runtime"),
      // The runtime verifies tokens with these packages.
      ...(auth && rangesOf(["jose", "oauth4webapi"])),
      ...rangesOf(skills ? ["yaml", "zod"] : ["zod"]),
    },
    devDependencies: rangesOf([...tools, ...(auth ? issuerTools : http ? [] : ["tsx"])].sort()),
  };
}

/** The tests of a server for an API validate what it sends. */
function openapiManifest(name: string): object {
  return {
    ...notesManifest({ start: "server", name }),
    description: "A Model Context Protocol server for an HTTP API",
    devDependencies: rangesOf([...tools, "ajv", "tsx"].sort()),
  };
}

function clientManifest(name: string): object {
  return {
    ...program(name, "A chat host for Model Context Protocol servers"),
    scripts: {
      build: "tsc -p tsconfig.build.json",
      dev: "tsc -p tsconfig.build.json --watch --preserveWatchOutput",
      start: "node build/main.js",
      ...checks,
    },
    dependencies: { ...own("runtime"), ...rangesOf(["zod"]) },
    // The tests use servers of one revision each.
    devDependencies: { ...rangesOf(tools), ...own("protocol") },
  };
}

const engines = { node: ">=20.19" };

const checks = {
  typecheck: "tsc",
  lint: "eslint .",
  test: "npm run build && vitest run",
  prepare: "npm run build",
};

/** A package that npm can publish as a command. */
function program(name: string, description: string, files: readonly string[] = []): object {
  return {
    description,
    type: "module",
    engines,
    bin: { [unscoped(name)]: "./build/main.js" },
    files: ["build", ...files],
  };
}

/** Our own package of this version. */
function own(name: "protocol" | "runtime"): Record<string, string> {
  return { [`@mcpwright/${name}`]: `^${packageRoot().version}` };
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
