import type { RequestHandler } from "express";
import { type HostGuards, hostGuards, refusalBody } from "../shared/host-guards.js";

type Guards = HostGuards<RequestHandler>;

const guards: Guards = /* @__PURE__ */ hostGuards((header, problemOf) => (request, response, next) => {
  const problem = problemOf(request.headers[header]);
  if (problem === undefined) next();
  else response.status(403).json(refusalBody(problem));
});

export const hostHeaderValidation: Guards["hostHeaderValidation"] = guards.hostHeaderValidation;
export const localhostHostValidation: Guards["localhostHostValidation"] = guards.localhostHostValidation;
export const originValidation: Guards["originValidation"] = guards.originValidation;
export const localhostOriginValidation: Guards["localhostOriginValidation"] = guards.localhostOriginValidation;
