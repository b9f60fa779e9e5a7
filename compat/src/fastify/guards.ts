import type { FastifyReply, FastifyRequest } from "fastify";
import { type HostGuards, hostGuards, refusalBody } from "../shared/host-guards.js";

/** A hook `onRequest`. */
type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

type Guards = HostGuards<Hook>;

const guards: Guards = /* @__PURE__ */ hostGuards((header, problemOf) => async ({ headers }, reply) => {
  const problem = problemOf(headers[header]);
  if (problem !== undefined) await reply.code(403).send(refusalBody(problem));
});

export const hostHeaderValidation: Guards["hostHeaderValidation"] = guards.hostHeaderValidation;
export const localhostHostValidation: Guards["localhostHostValidation"] = guards.localhostHostValidation;
export const originValidation: Guards["originValidation"] = guards.originValidation;
export const localhostOriginValidation: Guards["localhostOriginValidation"] = guards.localhostOriginValidation;
