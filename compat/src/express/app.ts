import express, { type Express } from "express";
import { type HostOptions, hostRules } from "../shared/host-guards.js";
import { hostHeaderValidation, originValidation } from "./guards.js";

export interface CreateMcpExpressAppOptions extends HostOptions {
  /** The largest JSON body, such as `1mb`. Default: `100kb`. */
  jsonLimit?: string;
}

/** Creates an application with host and origin guards that parses JSON bodies. */
export function createMcpExpressApp(options: CreateMcpExpressAppOptions = {}): Express {
  const { hosts, origins, warning } = hostRules(options);
  const app = express();
  if (hosts) app.use(hostHeaderValidation(hosts));
  // eslint-disable-next-line no-console -- as the official SDK does
  if (warning !== undefined) console.warn(warning);
  if (origins) app.use(originValidation(origins));
  app.use(express.json(options.jsonLimit ? { limit: options.jsonLimit } : undefined));
  return app;
}
