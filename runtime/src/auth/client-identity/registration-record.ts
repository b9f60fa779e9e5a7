import { isObject } from "../../jsonrpc/guards.js";
import type { RecordKind } from "../session/stored-records.js";
import type { Registration } from "./registration.js";

/** The dynamic registrations of the application at one authorization server. */
export interface StoredRegistrations {
  /** The newest first. Tokens of earlier log-ins can only be refreshed by the client that they were issued to. */
  readonly registrations: readonly Registration[];
  /**
   * When the first of the log-ins with the newest one began that have not finished since the last one that has; in milliseconds since
   * 1970.
   */
  readonly unfinishedSince?: number;
}

/** Its key has the issuer. */
export const registrationsRecord: RecordKind<StoredRegistrations> = {
  name: "client",
  isValid: (value): value is StoredRegistrations =>
    isObject(value) &&
    Array.isArray(value["registrations"]) &&
    value["registrations"].every(isRegistration) &&
    ["number", "undefined"].includes(typeof value["unfinishedSince"]),
};

/** The issuer at which a pre-registered client was used first. Its key has the client id. */
export const boundIssuerRecord: RecordKind<string> = {
  name: "issuer-of",
  isValid: (value): value is string => typeof value === "string" && value !== "",
};

export function isRegistration(value: unknown): value is Registration {
  if (!isObject(value)) return false;
  const { clientId, clientSecret, secretExpiresAt, method, redirectUris } = value;
  return (
    typeof clientId === "string" &&
    clientId !== "" &&
    ["string", "undefined"].includes(typeof clientSecret) &&
    ["number", "undefined"].includes(typeof secretExpiresAt) &&
    typeof method === "string" &&
    Array.isArray(redirectUris) &&
    redirectUris.every((one) => typeof one === "string")
  );
}
