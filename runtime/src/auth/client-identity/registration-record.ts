import { isObject } from "../../jsonrpc/guards.js";
import type { RecordKind } from "../session/stored-records.js";
import type { Registration } from "./registration.js";

/** The dynamic registration of the application. Its key has the issuer. */
export const registrationRecord: RecordKind<Registration> = { name: "client", isValid: isRegistration };

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
