import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aliases, aliasName, officialName } from "../compat/aliases.js";
import { type Package, root } from "./manifest.js";
import type { Packed } from "./publish.js";
import { outputOf, type Run, runIn } from "./run.js";

/** Packages that users pass to ours, in the versions that we test with. */
const besides = [
  "@cfworker/json-schema",
  "@opentelemetry/api",
  "ajv",
  "express",
  "fastify",
  "hono",
  "oidc-provider",
  "zod",
];

const programs = join(import.meta.dirname, "smoke-test");

export interface SmokeTestResult {
  /** The number of the contract in the installed packages. */
  readonly contract: Readonly<Record<string, unknown>>;
  /** The folder in which npm installed the packages. */
  readonly modules: string;
}

/**
 * Installs the tarballs in an empty folder and uses them there as the documents describe.
 * @param say called with a line for each step that succeeds
 * @throws Error that names the step that failed
 */
export function smokeTest(
  folder: string,
  packages: readonly Packed[],
  rootPackage: Package,
  say: (line: string) => void,
): SmokeTestResult {
  mkdirSync(folder, { recursive: true });
  const run = runIn(folder);
  const step = (what: string, program: string, ...args: readonly string[]): string =>
    outputOf(run(program, args), what);

  install(folder, packages, rootPackage, run);
  const modules = join(folder, "node_modules");
  say(`npm install: ${readdirSync(modules).length} entries in node_modules`);

  const specifiers = packages.flatMap((one) =>
    Object.keys(one.manifest.exports ?? {}).map((entry) => `${installedName(one)}${entry.slice(1)}`),
  );
  step("importing every entry", process.execPath, "--input-type=module", "-e", importing(specifiers));
  step("requiring every entry", process.execPath, "--input-type=commonjs", "-e", requiring(specifiers));
  say(`${specifiers.length} entries of the exports maps can be imported and required`);

  useCommandLine(folder, packages, step, say);

  cpSync(programs, folder, { recursive: true });
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(compilerOptions));
  step("compiling against the packages", process.execPath, join(root, "node_modules/typescript/bin/tsc"));
  say("a server, a client and newly generated code compile, with the declarations of all packages checked");

  const { CONTRACT, sides } = JSON.parse(step("the core entries", process.execPath, "core-server.js")) as {
    readonly CONTRACT: unknown;
    readonly sides: readonly (readonly [revision: string, contract: unknown])[];
  };
  const rounds = step("a client and a server", process.execPath, "client.js").trim().split("\n");
  if (rounds.length !== sides.length * 2)
    throw new Error(`a client and a server: ${rounds.length} rounds for ${sides.length} revisions`);
  say(`a client calls a server: ${rounds.join(", ")}`);
  const runs = step("a log-in", process.execPath, "log-in.js").trim().split("\n");
  if (!runs.every((run) => run.endsWith(": 1 log-in"))) throw new Error(`a log-in: ${runs.join(", ")}`);
  say(`a client logs in to a server, and keeps its token in a file: ${runs.join(", ")}`);
  const statuses = step("a protected server", process.execPath, "protected.js").trim().split("\n").join(", ");
  if (statuses !== "metadata: 200, no token: 401, a wrong token: 401, a missing scope: 403, the proxy: 200")
    throw new Error(`a protected server: ${statuses}`);
  say(`a server accepts access tokens, and an OAuth proxy starts: ${statuses}`);
  return { contract: { "@mcpwright/protocol/contract": CONTRACT, ...Object.fromEntries(sides) }, modules };
}

function install(folder: string, packages: readonly Packed[], { manifest }: Package, run: Run): void {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const versions = besides.map((name) => {
    const version = manifest.devDependencies?.[name] ?? manifest.dependencies?.[name];
    if (version === undefined) throw new Error(`${name} is missing in package.json`);
    return `${name}@${version}`;
  });
  const options = ["--no-audit", "--no-fund", "--silent", "--prefer-offline"];
  const ours = packages.map((one) => `${installedName(one)}@file:${one.tarball}`);
  outputOf(run("npm", ["install", ...options, ...ours, ...versions]), "npm install");
}

/** The name under which users install a package: that of the official one for its alias. */
function installedName({ manifest: { name } }: Packed): string {
  const alias = aliases.find((one) => name === aliasName(one));
  return alias ? officialName(alias) : name;
}

function importing(specifiers: readonly string[]): string {
  return `for (const specifier of ${JSON.stringify(specifiers)}) await import(specifier, specifier.endsWith(".json") ? { with: { type: "json" } } : {});`;
}

/** Fails for modules with a top-level `await`, which cannot be required. */
function requiring(specifiers: readonly string[]): string {
  return `for (const specifier of ${JSON.stringify(specifiers)}) require(specifier);`;
}

type Step = (what: string, program: string, ...args: readonly string[]) => string;

function useCommandLine(folder: string, packages: readonly Packed[], step: Step, say: (line: string) => void): void {
  const program = join(folder, "node_modules/.bin/mcpwright");
  const version = step("mcpwright --version", program, "--version").trim();
  const expected = packages.find(({ manifest }) => manifest.name === "mcpwright")?.manifest.version;
  if (version !== expected) throw new Error(`mcpwright --version printed ${version}, expected ${String(expected)}`);
  const schemas = join(folder, "node_modules/mcpwright/schema");
  const newest =
    readdirSync(schemas)
      .filter((name) => /^\d{4}-/.test(name))
      .sort()
      .at(-1) ?? "";
  // A schema in the user's own folder, outside of the package.
  cpSync(join(schemas, newest), join(folder, "own"), { recursive: true });
  step(
    "mcpwright generate --schema",
    program,
    "generate",
    "--schema",
    "own/schema.ts",
    "--revision",
    newest,
    "--out",
    "made",
  );
  const made = readdirSync(join(folder, "made"), { recursive: true }).length;
  say(`mcpwright --version, and generate --schema: ${made} files and folders`);
  useExtensions(folder, step, say);
}

/** Generates, explains and compares the extensions of the package, and reads their data. */
function useExtensions(folder: string, step: Step, say: (line: string) => void): void {
  const program = join(folder, "node_modules/.bin/mcpwright");
  const { extensions } = JSON.parse(step("mcpwright revisions", program, "revisions", "--json")) as {
    readonly extensions: readonly { readonly extension: string }[];
  };
  if (extensions.length === 0) throw new Error("mcpwright revisions lists no extension");
  for (const { extension } of extensions) {
    step(
      `mcpwright generate of ${extension}`,
      program,
      "generate",
      "--extension",
      extension,
      "--out",
      "made-extensions",
    );
    const same = step(`mcpwright diff of ${extension}`, program, "diff", extension, extension).trim();
    if (!same.endsWith(": no differences")) throw new Error(`mcpwright diff of ${extension} printed ${same}`);
  }
  const data = join(folder, "node_modules/mcpwright/generated/extensions");
  for (const name of readdirSync(join(folder, "made-extensions/extensions"))) {
    const { definitions } = JSON.parse(readFileSync(join(data, name, "model.json"), "utf8")) as {
      readonly definitions: readonly { readonly name: string }[];
    };
    const { types } = JSON.parse(readFileSync(join(data, name, "corpus.json"), "utf8")) as { readonly types: object };
    const { $defs } = JSON.parse(readFileSync(join(data, name, "schema.json"), "utf8")) as { readonly $defs: object };
    for (const type of definitions.map((definition) => definition.name)) {
      if (!(type in types) || !(type in $defs)) throw new Error(`the data of ${name} lacks ${type}`);
    }
    const [type] = definitions;
    const explained = step(`mcpwright explain of ${name}`, program, "explain", type?.name ?? "");
    if (!explained.startsWith(`${String(type?.name)}  (`)) throw new Error(`mcpwright explain printed ${explained}`);
  }
  say(
    `mcpwright generate, diff and explain, and the data, of ${extensions.map(({ extension }) => extension).join(" and ")}`,
  );
}

/** The strictest options, which also check the declarations of the packages. */
const compilerOptions = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  },
  include: ["*.ts", "made/**/*.ts", "made-extensions/**/*.ts"],
};
