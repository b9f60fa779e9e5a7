import { isObject } from "../../jsonrpc/guards.js";
import { isRegistration } from "../client-identity/registration-record.js";
import type { RecordKind } from "../session/stored-records.js";
import type { AuthorizationFlow } from "./authorization-flow.js";

/** A flow that has ended. Kept until it would have expired, so that a second use gets a better message. */
export interface FinishedFlow {
  readonly isFinished: true;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What the list of open flows knows of one. */
export interface OpenFlow {
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Its key has the state. */
export const flowRecord: RecordKind<AuthorizationFlow | FinishedFlow> = {
  name: "flow",
  isValid: (value): value is AuthorizationFlow | FinishedFlow => isFlow(value) || isFinished(value),
};

/** The list of flows, by which expired ones are found. */
export const openFlowsRecord: RecordKind<readonly OpenFlow[]> = {
  name: "flows",
  isValid: (value): value is readonly OpenFlow[] =>
    Array.isArray(value) &&
    value.every((flow) => isObject(flow) && typeof flow["state"] === "string" && typeof flow["expiresAt"] === "number"),
};

function isFlow(value: unknown): value is AuthorizationFlow {
  if (!isObject(value)) return false;
  const { server, scopes, dpopKey, registration } = value;
  return (
    ["state", "verifier", "redirectUri", "url", "clientId"].every((name) => typeof value[name] === "string") &&
    typeof value["expiresAt"] === "number" &&
    (scopes === undefined || (Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string"))) &&
    (dpopKey === undefined || isObject(dpopKey)) &&
    (registration === undefined || isRegistration(registration)) &&
    isObject(server) &&
    typeof server["issuer"] === "string" &&
    isObject(server["metadata"]) &&
    isObject(server["rules"])
  );
}

function isFinished(value: unknown): value is FinishedFlow {
  return isObject(value) && value["isFinished"] === true && typeof value["expiresAt"] === "number";
}
