import type { IncomingMessage, ServerResponse } from "node:http";
import { type HostGuards, hostGuards, refusalBody } from "../shared/host-guards.js";

/** Returns whether a request may be handled. If not, the guard has responded with 403. */
type NodeGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

type Guards = HostGuards<NodeGuard>;

const guards: Guards = /* @__PURE__ */ hostGuards((header, problemOf) => ({ headers }, response) => {
  const problem = problemOf(headers[header]);
  if (problem === undefined) return true;
  response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(refusalBody(problem)));
  return false;
});

export const hostHeaderValidation: Guards["hostHeaderValidation"] = guards.hostHeaderValidation;
export const localhostHostValidation: Guards["localhostHostValidation"] = guards.localhostHostValidation;
export const originValidation: Guards["originValidation"] = guards.originValidation;
export const localhostOriginValidation: Guards["localhostOriginValidation"] = guards.localhostOriginValidation;
