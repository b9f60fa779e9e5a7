import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostGuard } from "../http-server/host-guard.js";
import { assertMethods } from "../options/assert-methods.js";
import { headersOf } from "./request-target.js";

/** A middleware of express, connect and others: calls `next` for a request that is allowed, and responds to any other. */
export type NodeGuard = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Makes a middleware from a guard. It only reads headers, so a body can still be read afterwards.
 * @throws SdkError `INVALID_CONFIGURATION` for something other than a guard
 * @example
 * ```ts
 * app.use(toNodeGuard(createHostGuard({ allowedHosts: ["example.com"] })));
 * ```
 */
export function toNodeGuard(guard: HostGuard): NodeGuard {
  assertMethods(guard, ["refusal"], "pass a guard: toNodeGuard(createHostGuard())");
  return (request, response, next) => {
    const refused = guard.refusal(headersOf(request));
    if (!refused) return next();
    const { status, headers, body } = refused;
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  };
}
