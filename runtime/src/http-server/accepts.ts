import { ACCEPT } from "../http/headers.js";
import type { HttpRequest } from "./request.js";

/** Whether a client takes all these types. */
export function accepts(request: HttpRequest, ...types: readonly string[]): boolean {
  const accepted = request.header(ACCEPT)?.toLowerCase();
  if (accepted === undefined) return true;
  return types.every(
    (type) =>
      accepted.includes(type) || accepted.includes("*/*") || accepted.includes(`${type.split("/", 1)[0] ?? ""}/*`),
  );
}
