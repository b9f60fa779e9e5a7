import type { Inspection } from "./inspection.js";
import type { InspectOptions } from "./inspect-server.js";

export type { InspectOptions } from "./inspect-server.js";
export type * from "./inspection.js";

/**
 * Connects with a live server and finds out what it speaks and offers, or what it answers to one request.
 * @throws DiagnosticError target-*, config-*, server-*, request-arguments, revision-unknown
 */
export async function inspect(options: InspectOptions): Promise<Inspection> {
  const live = await import("./inspect-server.js");
  return live.inspectServer(options);
}
