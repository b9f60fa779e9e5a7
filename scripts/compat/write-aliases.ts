import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { aliasEntries, aliases, aliasFolder, aliasManifest, aliasReadme, readCompatManifest } from "./aliases.js";

/** Writes the packages that npm installs under the names of the official ones to `compat/dist/aliases`. */
export function writeAliases(root: string): void {
  const compat = readCompatManifest();
  rmSync(join(root, "compat/dist/aliases"), { recursive: true, force: true });
  for (const alias of aliases) {
    const folder = join(root, aliasFolder(alias));
    const write = (file: string, text: string): void => {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    write("package.json", `${JSON.stringify(aliasManifest(alias, compat), undefined, 2)}\n`);
    write("README.md", aliasReadme(alias));
    copyFileSync(join(root, "compat/LICENSE"), join(folder, "LICENSE"));
    for (const { file, specifier } of aliasEntries(alias, compat)) {
      // `export *` leaves out a default export; no entry has one (test/release/aliases.test.ts).
      write(`${file}.js`, `export * from "${specifier}";\n`);
      write(`${file}.d.ts`, `export * from "${specifier}";\n`);
    }
  }
}
