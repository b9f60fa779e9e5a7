import { ACCEPT } from "../http/headers.js";
import type { HttpRequest } from "./host-adapter.js";

/** Whether the client accepts all these media types. */
export function accepts(request: HttpRequest, ...types: readonly string[]): boolean {
  const accepted = request.header(ACCEPT);
  if (accepted === undefined) return true;
  for (const type of types) if (!accepted.includes(type) && !matches(accepted.toLowerCase(), type)) return false;
  return true;
}

function matches(accepted: string, type: string): boolean {
  return accepted.includes(type) || accepted.includes("*/*") || accepted.includes(type.replace(/[^/]+$/, "*"));
}
