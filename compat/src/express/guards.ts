import type { RequestHandler } from "express";
import {
  type HostHeaderValidationResult,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type OriginValidationResult,
  refusalBody,
  validateHostHeader,
  validateOriginHeader,
} from "../shared/host-guards.js";

/** Responds with 403 to requests whose `Host` header has another hostname. */
export function hostHeaderValidation(allowedHostnames: string[]): RequestHandler {
  return guard("host", (host) => validateHostHeader(host, allowedHostnames));
}

/** Allows the hostnames of this computer only, so that DNS rebinding does not reach the server. */
export function localhostHostValidation(): RequestHandler {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Responds with 403 to requests of scripts from other origins. Requests without an `Origin` header are allowed. */
export function originValidation(allowedOriginHostnames: string[]): RequestHandler {
  return guard("origin", (origin) => validateOriginHeader(origin, allowedOriginHostnames));
}

/** Allows scripts of this computer only. */
export function localhostOriginValidation(): RequestHandler {
  return originValidation(localhostAllowedOrigins());
}

function guard(
  header: "host" | "origin",
  validate: (value: string | undefined) => HostHeaderValidationResult | OriginValidationResult,
): RequestHandler {
  return (request, response, next) => {
    const result = validate(request.headers[header]);
    if (result.ok) next();
    else response.status(403).json(refusalBody(result.message));
  };
}
