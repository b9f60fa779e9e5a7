import { ACCEPT } from "../http/headers.js";
import type { HttpRequest } from "./request.js";

/** Whether a client takes all these types. */
export function accepts(request: HttpRequest, ...types: readonly string[]): boolean {
  const accepted = request.header(ACCEPT);
  if (accepted === undefined) return true;
  return types.every((type) => accepted.includes(type) || matches(accepted.toLowerCase(), type));
}

function matches(accepted: string, type: string): boolean {
  return accepted.includes(type) || accepted.includes("*/*") || accepted.includes(type.replace(/[^/]+$/, "*"));
}
