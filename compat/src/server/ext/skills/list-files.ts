import { SkillCatalogError } from "./catalog-error.js";
import { messageOf } from "./content.js";
import type { SkillFileEntry, SkillFiles } from "./options.js";
import { sortedBy } from "./uris.js";

/** A file or folder below the root. */
export interface Listed {
  readonly path: string;
  readonly kind: SkillFileEntry["kind"];
}

/**
 * Lists all files and folders, each folder before its children. Names that begin with a dot are left out.
 * @throws SkillCatalogError when the storage fails
 */
export async function listFiles(files: SkillFiles): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  await visit("");
  return found;

  async function visit(folder: string): Promise<void> {
    for (const { name, kind } of sortedBy(await childrenOf(folder), (child) => child.name)) {
      if (name.startsWith(".")) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      found.push({ path, kind });
      if (kind === "directory") await visit(path);
    }
  }

  async function childrenOf(folder: string): Promise<readonly SkillFileEntry[]> {
    try {
      const children = await files.list(folder);
      const wrong = children.find(({ name }) => name === "" || name.includes("/"));
      if (wrong) throw new Error(`${JSON.stringify(wrong.name)} is not the name of a file or folder`);
      return children;
    } catch (error) {
      throw storageError(folder === "" ? "." : folder, "cannot be listed", error);
    }
  }
}

export function storageError(path: string, what: string, error: unknown): SkillCatalogError {
  return new SkillCatalogError([{ path, message: `${what}: ${messageOf(error)}` }]);
}
