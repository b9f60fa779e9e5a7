import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { installLibraries } from "../packages.js";
import { interopFolder, modulesFolder } from "./paths.js";

/** A folder with the JavaScript of the clients and servers, in which npm has installed our packages. */
export interface Stage {
  /** The path of a program, such as `servers/sdk1`. */
  readonly program: (name: string) => string;
  /** Creates a folder for the files of a peer. */
  readonly newFolder: () => string;
  readonly remove: () => void;
}

/** Packs and installs our built packages. Programs find the peers in the `node_modules` of the parent folder. */
export async function makeStage(): Promise<Stage> {
  const folder = installLibraries(modulesFolder);
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
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
