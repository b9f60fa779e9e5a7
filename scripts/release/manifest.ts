import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { aliases, aliasFolder, aliasManifest, readCompatManifest } from "../compat/aliases.js";
import { sourceFolders } from "../packages.js";

export const root = resolve(import.meta.dirname, "../..");

/** The fields of a package.json that the checks read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly repository?: { readonly type?: string; readonly url?: string; readonly directory?: string };
  readonly homepage?: string;
  readonly bugs?: { readonly url?: string };
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** One of our packages, and the folder of its sources. */
export interface Package {
  /** Relative to the root; `.` is the root itself. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The packages in the order of `packageFolders`, in which they are published. */
export function readPackages(): readonly Package[] {
  const compat = readCompatManifest();
  return [
    ...sourceFolders.map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest,
    })),
    ...aliases.map((alias) => ({ folder: aliasFolder(alias), manifest: aliasManifest(alias, compat) })),
  ];
}

/** The path of a package's manifest in findings. */
export function manifestPath({ folder }: Package): string {
  return folder === "." ? "package.json" : `${folder}/package.json`;
}

/** Whether a package is written by the build, and only re-exports another. */
export function isAlias({ folder }: Package): boolean {
  return folder.startsWith("compat/dist/");
}

/** The file to edit for a field of a manifest. The manifest of `generated/` is itself generated. */
export function whereToSet(of: Package): string {
  if (isAlias(of)) return "scripts/compat/aliases.ts or compat/package.json";
  return of.folder === "generated"
    ? "packageJson() of generator/pipeline/emit/shared-files.ts, and npm run generate"
    : manifestPath(of);
}
