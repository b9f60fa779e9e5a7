import type { MiddlewareHandler } from "hono";
import { type HostGuards, hostGuards, refusalBody } from "../shared/host-guards.js";

type Guards = HostGuards<MiddlewareHandler>;

const guards: Guards = /* @__PURE__ */ hostGuards((header, problemOf) => async ({ req }, next) => {
  const problem = problemOf(req.header(header));
  if (problem !== undefined) return Response.json(refusalBody(problem), { status: 403 });
  await next();
  return undefined;
});

export const hostHeaderValidation: Guards["hostHeaderValidation"] = guards.hostHeaderValidation;
export const localhostHostValidation: Guards["localhostHostValidation"] = guards.localhostHostValidation;
export const originValidation: Guards["originValidation"] = guards.originValidation;
export const localhostOriginValidation: Guards["localhostOriginValidation"] = guards.localhostOriginValidation;
