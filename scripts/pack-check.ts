/** Packs all packages as npm would publish them, and checks the tarballs with publint and attw, which npm puts on `PATH`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkTarball, pack, packageFolders } from "./packages.js";

const tarballs = mkdtempSync(join(tmpdir(), "mcpwright-pack-"));
try {
  pack(tarballs, packageFolders).forEach(checkTarball);
} finally {
  rmSync(tarballs, { recursive: true });
}
