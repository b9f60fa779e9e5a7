import type { BundleOptions, BundleResult } from "./bundle-options.js";

export type { BundledFile, BundleOptions, BundleResult } from "./bundle-options.js";

/**
 * Writes an `.mcpb`: a zip that hosts install with one click. It has the server with its dependencies in one file, and a `manifest.json`.
 * The server is started from an unpacked copy, outside of the project, to list its tools and to see that it runs.
 * @throws DiagnosticError bundle-*, server-*, output-not-writable
 */
export async function bundle(options: BundleOptions = {}): Promise<BundleResult> {
  const live = await import("./write-bundle.js");
  return live.writeBundle(options);
}
