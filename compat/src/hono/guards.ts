import type { MiddlewareHandler } from "hono";
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "../shared/host-guards.js";

/** Responds with 403 to requests whose `Host` header has another hostname. */
export function hostHeaderValidation(allowedHostnames: string[]): MiddlewareHandler {
  return async (context, next) => hostHeaderValidationResponse(context.req.raw, allowedHostnames) ?? (await next());
}

/** Allows the hostnames of this computer only, so that DNS rebinding does not reach the server. */
export function localhostHostValidation(): MiddlewareHandler {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Responds with 403 to requests of scripts from other origins. Requests without an `Origin` header are allowed. */
export function originValidation(allowedOriginHostnames: string[]): MiddlewareHandler {
  return async (context, next) => originValidationResponse(context.req.raw, allowedOriginHostnames) ?? (await next());
}

/** Allows scripts of this computer only. */
export function localhostOriginValidation(): MiddlewareHandler {
  return originValidation(localhostAllowedOrigins());
}
