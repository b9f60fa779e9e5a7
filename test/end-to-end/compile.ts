import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitCode, root } from "../cli/command-line.js";

/** The two ways in which users resolve modules, each with a different set of global types. */
export const resolutions = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext", target: "es2023" },
  bundler: { module: "esnext", moduleResolution: "bundler", target: "es2023", lib: ["es2023", "webworker"] },
} as const;

/**
 * Compiles a folder with TypeScript as a user would: with strict options, and without other packages than
 * typescript.
 * @param types packages of global declarations
 * @param more further options of the compiler
 * @returns the output of the compiler; empty when it finds no error
 */
export async function compile(
  folder: string,
  resolution: keyof typeof resolutions = "nodenext",
  types: readonly string[] = [],
  more: Readonly<Record<string, boolean>> = {},
): Promise<string> {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  const typescript = join(folder, "node_modules/typescript");
  try {
    symlinkSync(join(root, "node_modules/typescript"), typescript);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const config = {
    compilerOptions: {
      ...resolutions[resolution],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      forceConsistentCasingInFileNames: true,
      // The compiler's own declarations are not tested.
      skipDefaultLibCheck: true,
      noEmit: true,
      ...more,
      types,
    },
    include: ["**/*.ts"],
    exclude: ["node_modules"],
  };
  const name = `tsconfig.${resolution}.json`;
  writeFileSync(join(folder, name), JSON.stringify(config));
  const child = spawn(process.execPath, [join(typescript, "bin/tsc"), "-p", name], { cwd: folder });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const code = await exitCode(child);
  return code === 0 ? printed : `${printed}\ntsc ended with ${code}`;
}
