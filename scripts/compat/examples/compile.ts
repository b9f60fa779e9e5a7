import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** The options with which the official repository compiles its examples, except that declarations are checked. */
const compilerOptions = {
  target: "esnext",
  lib: ["esnext"],
  module: "esnext",
  moduleResolution: "bundler",
  types: ["node"],
  strict: true,
  noFallthroughCasesInSwitch: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  esModuleInterop: true,
  forceConsistentCasingInFileNames: true,
  resolveJsonModule: true,
  isolatedModules: true,
  skipLibCheck: false,
  noEmit: true,
};

/** The errors of the compiler by file, relative to the folder of the examples. Declarations of packages begin with `../node_modules`. */
export type Errors = ReadonlyMap<string, readonly string[]>;

/** Compiles programs of a stage. @param parts their folders and files, relative to the folder of the examples */
export function compile(stage: string, parts: readonly string[]): Errors {
  const examples = join(stage, "examples");
  const include = parts.map((part) => (part.endsWith(".ts") ? part : `${part}/**/*.ts`));
  writeFileSync(join(examples, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", examples, "--pretty", "false"],
    { cwd: examples, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  const errors = new Map<string, string[]>();
  for (const line of stdout.split("\n")) {
    const [, file, at, what] = /^(\S.*?)\((\d+),\d+\): error (.*)$/.exec(line) ?? [];
    if (file === undefined || !isOurs(file)) continue;
    errors.set(file, [...(errors.get(file) ?? []), `${file}:${at ?? ""}: ${what ?? ""}`]);
  }
  if (status !== 0 && !stdout.includes(": error ")) throw new Error(`tsc failed:\n${stdout}${stderr}`);
  return errors;
}

/** Whether a file is a program, or a declaration of a package that the stage tests, and not of any other package. */
function isOurs(file: string): boolean {
  const [, name] = /(?:^|\/)node_modules\/(@[^/]+|[^/]+)/.exec(file) ?? [];
  return name === undefined ? !file.startsWith("..") : name === "@mcpwright";
}
