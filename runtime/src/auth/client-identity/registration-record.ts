import { isObject } from "../../jsonrpc/guards.js";
import type { RecordKind } from "../session/stored-records.js";
import type { Registration } from "./registration.js";

/** A dynamic registration in the store. */
export interface StoredRegistration extends Registration {
  /** When the first of the log-ins began that have not finished since the last one that has; in milliseconds since 1970. */
  readonly unfinishedSince?: number;
}

/** The dynamic registration of the application. Its key has the issuer. */
export const registrationRecord: RecordKind<StoredRegistration> = {
  name: "client",
  isValid: (value): value is StoredRegistration =>
    isRegistration(value) &&
    (!("unfinishedSince" in value) || value.unfinishedSince === undefined || typeof value.unfinishedSince === "number"),
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
