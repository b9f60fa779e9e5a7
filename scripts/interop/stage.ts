import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { interopFolder, modulesFolder, root } from "./paths.js";

/** A folder in which the clients and servers run as plain JavaScript, on our packages as npm would install them. */
export interface Stage {
  /** The path of a program, such as `servers/sdk1`. */
  readonly program: (name: string) => string;
  /** A new folder for what a peer writes. */
  readonly newFolder: () => string;
  readonly remove: () => void;
}

/** Packs and installs what `npm run build` made. Peers are found in the folder above, where npm put them. */
export async function makeStage(): Promise<Stage> {
  const folder = mkdtempSync(join(modulesFolder, ".stage-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const tarballs = join(folder, "tarballs");
    mkdirSync(tarballs);
    for (const name of ["generated", "runtime"])
      npm("pack", join(root, name), "--ignore-scripts", "--silent", "--pack-destination", tarballs);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const files = readdirSync(tarballs).map((file) => join(tarballs, file));
    const options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefer-offline"];
    npm("install", "--prefix", folder, ...options, ...files);
    await build({
      entryPoints: ["clients", "servers"].map((name) => join(interopFolder, name, "*.ts")),
      outdir: folder,
      outbase: interopFolder,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "warning",
    });
  } catch (error) {
    remove();
    throw error;
  }
  return {
    program: (name) => join(folder, `${name}.js`),
    newFolder: () => mkdtempSync(join(folder, "files-")),
    remove,
  };
}

function npm(...args: readonly string[]): void {
  execFileSync("npm", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}
