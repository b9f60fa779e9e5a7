import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { migrate } from "../../generator/commands/migrate/migrate.js";
import type { Todo } from "../../generator/commands/migrate/migration-plan.js";
import { pack } from "../packages.js";
import { installPinned } from "../pinned.js";
import { aliases, aliasFolder, officialName } from "./aliases.js";

const root = resolve(import.meta.dirname, "../..");
const peers = join(root, "test/compat/peers");

/**
 * The packages that programs get when they import those of the official SDK. `native` are also ours, and `mcpwright migrate --native`
 * rewrites the programs to the runtime.
 */
export type Packages = "ours" | "official" | "native";

/** A folder with programs of the official SDK, and `node_modules`. */
export interface Stage {
  readonly folder: string;
  /** The comments that `mcpwright migrate --native` left, with paths from the folder. */
  readonly todos: readonly Todo[];
  readonly remove: () => void;
}

/**
 * Copies programs to a temporary folder, in which they find our packages, as npm would unpack them, or the official ones. They find all other packages
 * in the versions of this repository and of `test/compat/peers`.
 * @param programs a folder; its copy has the same name
 */
export async function makeStage(programs: string, packages: Packages): Promise<Stage> {
  installPinned(peers);
  const folder = mkdtempSync(join(tmpdir(), "mcpwright-compat-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ private: true, type: "module", workspaces: ["examples", "examples/*"] }),
    );
    const links = new Map([...packagesIn(join(root, "node_modules")), ...packagesIn(join(peers, "node_modules"))]);
    const modules = join(folder, "node_modules");
    if (packages !== "official") {
      for (const name of links.keys()) if (/^@(mcpwright|modelcontextprotocol)\//.test(name)) links.delete(name);
      unpackOurs(folder, modules);
    }
    for (const [name, target] of links) link(target, join(modules, name));
    link(join(root, "node_modules/.bin/tsx"), join(modules, ".bin/tsx"));
    writeDatabase(join(modules, "better-sqlite3"));
    cpSync(programs, join(folder, "examples"), { recursive: true, filter: (path) => !path.endsWith("node_modules") });
    const shared = join(folder, "examples/shared");
    if (existsSync(shared)) link(shared, join(modules, "@mcp-examples/shared"));
    const todos = packages === "native" ? (await migrate({ folder, level: "native", force: true })).todos : [];
    return { folder, todos, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Unpacks the tarballs of our packages, each alias under the name of the official package. */
function unpackOurs(folder: string, modules: string): void {
  const sources = {
    "@mcpwright/protocol": "generated",
    "@mcpwright/runtime": "runtime",
    "@mcpwright/compat": "compat",
  };
  const names = [...Object.keys(sources), ...aliases.map(officialName)];
  const tarballs = pack(folder, [...Object.values(sources), ...aliases.map(aliasFolder)]);
  names.forEach((name, index) => {
    const target = join(modules, name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", tarballs[index] ?? "", "-C", target, "--strip-components=1"]);
  });
}

/**
 * The examples store users in better-sqlite3, which npm compiles. libsql, which needs no compiler, has the same methods; better-auth recognizes the
 * database by `aggregate`, and mistakes the member `db` of libsql's.
 */
function writeDatabase(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "exports": "./index.js" }');
  const text = `import Libsql from "libsql";
export default class Database {
  #database;
  constructor(path) {
    this.#database = new Libsql(path);
  }
  exec(statements) {
    this.#database.exec(statements);
    return this;
  }
  prepare(statement) {
    return this.#database.prepare(statement);
  }
  close() {
    this.#database.close();
  }
  aggregate() {
    throw new Error("libsql has no aggregates");
  }
}
`;
  writeFileSync(join(folder, "index.js"), text);
}

/** The packages of a `node_modules` folder, with their paths. */
function packagesIn(modules: string, scope = ""): readonly (readonly [name: string, path: string])[] {
  return readdirSync(join(modules, scope)).flatMap((entry) => {
    if (entry.startsWith(".")) return [];
    if (entry.startsWith("@")) return packagesIn(modules, entry);
    const name = join(scope, entry);
    return [[name, join(modules, name)] as const];
  });
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
