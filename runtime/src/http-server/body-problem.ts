import { CONTENT_TYPE, JSON_TYPE } from "../http/headers.js";
import type { HttpRequest } from "./host-adapter.js";

/** Returns why the body of a POST is rejected, from its headers; undefined when it is accepted. */
export function bodyProblem(request: HttpRequest): string | undefined {
  const type = request.header(CONTENT_TYPE);
  if (type !== JSON_TYPE && type?.split(";", 1)[0]?.trim().toLowerCase() !== JSON_TYPE)
    return `${CONTENT_TYPE} must be ${JSON_TYPE}`;
  const encoding = request.header("content-encoding");
  // The names of encodings have no case (RFC 9110, 8.4.1).
  return encoding === undefined || /^\s*(identity)?\s*$/i.test(encoding) ? undefined : "bodies must not be compressed";
}
