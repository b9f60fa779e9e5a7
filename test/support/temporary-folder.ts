import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

/** An empty folder that exists until the current test file has finished. @param name what it is for */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `mcpwright-${name}-`));
  folders.add(folder);
  return folder;
}

/** Called after each test file: modules outlive it, so hooks of their own would only run after the first file. */
export function removeTemporaryFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.clear();
}
