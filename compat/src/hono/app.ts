import { Hono, type MiddlewareHandler } from "hono";
import { type HostOptions, hostRules, refusalBody } from "../shared/host-guards.js";
import {
  isJsonContentType,
  readRequestBody,
  requestBodyTooLargeMessage,
  resolveMaxRequestBodySize,
} from "../shared/request-body.js";
import { hostHeaderValidation, originValidation } from "./guards.js";

export interface CreateMcpHonoAppOptions extends HostOptions {
  /** The largest JSON body, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/** Creates an application with host and origin guards. It sets the variable `parsedBody` to the value of a JSON body. */
export function createMcpHonoApp(options: CreateMcpHonoAppOptions = {}): Hono {
  const { hosts, origins, warning } = hostRules(options);
  const maxBytes = resolveMaxRequestBodySize(options.maxRequestBodySize);
  const app = new Hono();
  if (hosts) app.use("*", hostHeaderValidation(hosts));
  // eslint-disable-next-line no-console -- as the official SDK does
  if (warning !== undefined) console.warn(warning);
  if (origins) app.use("*", originValidation(origins));
  app.use("*", parseBody(maxBytes));
  return app;
}

function parseBody(maxBytes: number): MiddlewareHandler<{ Variables: { parsedBody?: unknown } }> {
  return async (context, next) => {
    if (context.get("parsedBody") !== undefined || !isJsonContentType(context.req.header("content-type")))
      return next();
    try {
      // Handlers read the body of the request once more.
      const body = await readRequestBody(context.req.raw.clone(), maxBytes);
      if (body.tooLarge) return context.json(refusalBody(requestBodyTooLargeMessage(maxBytes)), 413);
      context.set("parsedBody", JSON.parse(body.text) as unknown);
    } catch {
      return context.text("Invalid JSON", 400);
    }
    return next();
  };
}
