import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type HostHeaderValidationResult,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type OriginValidationResult,
  refusalBody,
  validateHostHeader,
  validateOriginHeader,
} from "../shared/host-guards.js";

/** A hook `onRequest`. */
type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Responds with 403 to requests whose `Host` header has another hostname. */
export function hostHeaderValidation(allowedHostnames: string[]): Hook {
  return ({ headers }, reply) => respond(reply, validateHostHeader(headers.host, allowedHostnames));
}

/** Allows the hostnames of this computer only, so that DNS rebinding does not reach the server. */
export function localhostHostValidation(): Hook {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Responds with 403 to requests of scripts from other origins. Requests without an `Origin` header are allowed. */
export function originValidation(allowedOriginHostnames: string[]): Hook {
  return ({ headers }, reply) => respond(reply, validateOriginHeader(headers.origin, allowedOriginHostnames));
}

/** Allows scripts of this computer only. */
export function localhostOriginValidation(): Hook {
  return originValidation(localhostAllowedOrigins());
}

async function respond(
  reply: FastifyReply,
  result: HostHeaderValidationResult | OriginValidationResult,
): Promise<void> {
  if (!result.ok) await reply.code(403).send(refusalBody(result.message));
}
