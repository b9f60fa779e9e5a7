import type { ManifestOptions, ManifestResult, ToolsLockOptions } from "./manifest-options.js";

export type { ManifestOptions, ManifestResult, McpbRelease, ToolsLockOptions } from "./manifest-options.js";

/**
 * Writes the `server.json` with which a server is published in the MCP registry, from its `package.json`. Members of an existing file that
 * the project does not state stay.
 * @throws DiagnosticError manifest-*, output-not-writable
 */
export async function manifest(options: ManifestOptions = {}): Promise<ManifestResult> {
  const { writeServerJson } = await import("./write-server-json.js");
  return writeServerJson(options);
}

/**
 * Writes `tools.json`, a lock of the instructions, tools, prompts and resources that a server lists, or compares them with it.
 * @throws DiagnosticError manifest-*, server-*, output-not-writable
 */
export async function toolsLock(options: ToolsLockOptions = {}): Promise<ManifestResult> {
  const { writeToolsLock } = await import("./write-tools-lock.js");
  return writeToolsLock(options);
}
