import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const programs = {
  httpServer: "http-server.ts",
  stdioServer: "stdio-server.ts",
  worker: "worker.ts",
  hostileStdio: "../hostile/serve.ts",
  attacked: "attacks/target.ts",
} as const;

/** The prefix of the name of the folder that contains the programs. */
export const folderPrefix = "mcpwright-soak-";

export type Programs = Readonly<Record<keyof typeof programs, string>>;

/** The programs of the child processes, each bundled from the current sources into one file. */
export async function bundlePrograms(): Promise<{ readonly programs: Programs; readonly remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), folderPrefix));
  const made = await Promise.all(
    Object.entries(programs).map(async ([name, source]) => {
      const outfile = join(folder, `${name}.mjs`);
      await build({
        entryPoints: [join(import.meta.dirname, source)],
        outfile,
        bundle: true,
        platform: "node",
        format: "esm",
        target: "node20",
      });
      return [name, outfile] as const;
    }),
  );
  return {
    programs: Object.fromEntries(made) as unknown as Programs,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
