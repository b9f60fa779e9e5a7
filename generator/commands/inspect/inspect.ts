import type { Inspection } from "./inspection.js";
import type { InspectOptions } from "./inspect-server.js";

export type { InspectOptions } from "./inspect-server.js";
export type * from "./inspection.js";

/**
 * Connects to a server and returns its revision and features, or its response to one request.
 * @throws DiagnosticError target-*, config-*, server-*, login-*, request-arguments, revision-unknown
 */
export async function inspect(options: InspectOptions): Promise<Inspection> {
  const live = await import("./inspect-server.js");
  return live.inspectServer(options);
}
