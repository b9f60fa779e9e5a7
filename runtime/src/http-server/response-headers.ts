import { JSON_TYPE, SSE_TYPE } from "../http/headers.js";
import type { HttpHeaders } from "./host-adapter.js";

const jsonHeaders: HttpHeaders = { "content-type": JSON_TYPE };

const sseHeaders: HttpHeaders = {
  "content-type": SSE_TYPE,
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Returns the headers of a JSON response; the same object whenever `more` is empty. */
export function withJsonHeaders(more: HttpHeaders): HttpHeaders {
  return mergeHeaders(jsonHeaders, more);
}

export function withSseHeaders(more: HttpHeaders): HttpHeaders {
  return mergeHeaders(sseHeaders, more);
}

function mergeHeaders(usual: HttpHeaders, more: HttpHeaders): HttpHeaders {
  return Object.keys(more).length > 0 ? { ...usual, ...more } : usual;
}
