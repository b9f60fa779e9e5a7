import type { BindOptions, BindResult } from "./live/bind/bind.js";

export type { BindOptions, BindResult } from "./live/bind/bind.js";

/**
 * Connects with a live server and writes a typed client for it.
 * @throws DiagnosticError target-*, config-*, server-*, revision-unknown; file-foreign, output-edited, output-not-writable
 */
export async function bind(options: BindOptions): Promise<BindResult> {
  const live = await import("./live/bind/bind.js");
  return live.bind(options);
}
