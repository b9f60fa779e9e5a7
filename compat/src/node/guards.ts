import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type HostHeaderValidationResult,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type OriginValidationResult,
  refusalBody,
  validateHostHeader,
  validateOriginHeader,
} from "../shared/host-guards.js";

/** Returns whether a request may be handled. If not, the guard has responded with 403. */
type NodeGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Allows requests whose `Host` header has one of the hostnames. */
export function hostHeaderValidation(allowedHostnames: string[]): NodeGuard {
  return ({ headers }, response) => isAllowed(response, validateHostHeader(headers.host, allowedHostnames));
}

/** Allows the hostnames of this computer only, so that DNS rebinding does not reach the server. */
export function localhostHostValidation(): NodeGuard {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Allows requests of scripts from the listed origins, and those without an `Origin` header. */
export function originValidation(allowedOriginHostnames: string[]): NodeGuard {
  return ({ headers }, response) => isAllowed(response, validateOriginHeader(headers.origin, allowedOriginHostnames));
}

/** Allows scripts of this computer only. */
export function localhostOriginValidation(): NodeGuard {
  return originValidation(localhostAllowedOrigins());
}

function isAllowed(response: ServerResponse, result: HostHeaderValidationResult | OriginValidationResult): boolean {
  if (!result.ok)
    response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(refusalBody(result.message)));
  return result.ok;
}
