import { fastify, type FastifyInstance } from "fastify";
import { type HostOptions, hostRules } from "../shared/host-guards.js";
import { hostHeaderValidation, originValidation } from "./guards.js";

export type CreateMcpFastifyAppOptions = HostOptions;

/** Creates an application with host and origin guards. Fastify parses JSON bodies itself. */
export function createMcpFastifyApp(options: CreateMcpFastifyAppOptions = {}): FastifyInstance {
  const { hosts, origins, warning } = hostRules(options);
  const app = fastify();
  if (hosts) app.addHook("onRequest", hostHeaderValidation(hosts));
  if (warning !== undefined) app.log.warn(warning);
  if (origins) app.addHook("onRequest", originValidation(origins));
  return app;
}
