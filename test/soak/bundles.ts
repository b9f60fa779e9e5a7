import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

/** The prefix of the name of the folder that contains the programs. */
export const folderPrefix = "mcpwright-soak-";

/** Packages that are not modules call `require`. */
const banner = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/**
 * Bundles programs of child processes from the current sources, each into one file.
 * @param folder the folder of their sources
 * @param sources the sources by the name of the program
 * @returns the paths of the bundles, and a function that removes them
 */
export async function bundlePrograms<Name extends string>(
  folder: string,
  sources: Readonly<Record<Name, string>>,
): Promise<{ readonly programs: Readonly<Record<Name, string>>; readonly remove: () => void }> {
  const output = mkdtempSync(join(tmpdir(), folderPrefix));
  const made = await Promise.all(
    Object.entries<string>(sources).map(async ([name, source]) => {
      const outfile = join(output, `${name}.mjs`);
      await build({
        entryPoints: [join(folder, source)],
        outfile,
        bundle: true,
        platform: "node",
        format: "esm",
        target: "node20",
        banner: { js: banner },
      });
      return [name, outfile] as const;
    }),
  );
  return {
    programs: Object.fromEntries(made) as Record<Name, string>,
    remove: () => rmSync(output, { recursive: true, force: true }),
  };
}
