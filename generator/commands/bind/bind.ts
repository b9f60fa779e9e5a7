import type { BindOptions, BindResult } from "./write-client.js";

export type { BindOptions, BindResult } from "./write-client.js";

/**
 * Connects to a server and generates a typed client for it.
 * @throws DiagnosticError target-*, config-*, server-*, login-*, revision-unknown; file-foreign, output-edited, output-not-writable
 */
export async function bind(options: BindOptions): Promise<BindResult> {
  const live = await import("./write-client.js");
  return live.writeClient(options);
}
