import type { Inspection } from "./live/inspect/inspection.js";
import type { InspectOptions } from "./live/inspect/inspect.js";

export type { InspectOptions } from "./live/inspect/inspect.js";
export type * from "./live/inspect/inspection.js";

/**
 * Connects with a live server and finds out what it speaks and offers, or what it answers to one request.
 * @throws DiagnosticError target-*, config-*, server-*, request-arguments, revision-unknown
 */
export async function inspect(options: InspectOptions): Promise<Inspection> {
  const live = await import("./live/inspect/inspect.js");
  return live.inspect(options);
}
