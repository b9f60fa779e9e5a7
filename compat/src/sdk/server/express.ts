import express, { type Express } from "express";
import { hostHeaderValidation } from "../../express/guards.js";
import { hostRules } from "../../shared/host-guards.js";

export interface CreateMcpExpressAppOptions {
  /** The address that the application listens at. Default: `"127.0.0.1"`. */
  host?: string | undefined;
  /** The allowed hostnames. Default: those of this computer, if the application listens there only. */
  allowedHosts?: string[] | undefined;
}

/** Creates an application with a host guard that parses JSON bodies. */
export function createMcpExpressApp({ host, allowedHosts }: CreateMcpExpressAppOptions = {}): Express {
  const { hosts, warning } = hostRules({ ...(host !== undefined && { host }), ...(allowedHosts && { allowedHosts }) });
  const app = express();
  if (hosts) app.use(hostHeaderValidation(hosts));
  // eslint-disable-next-line no-console -- as the official SDK does
  if (warning !== undefined) console.warn(warning);
  app.use(express.json());
  return app;
}
