import { isObject } from "../../jsonrpc/guards.js";
import type { TokenSet } from "../tokens/token-set.js";
import type { RecordKind } from "./stored-records.js";
import type { StoredStepUp } from "./stored-step-ups.js";

/** What the last authorization for an MCP server used. Its key has the URL. */
export interface ServerRecord {
  readonly issuer: string;
  /** The `resource` of the tokens; undefined when it is not known, or when there was none. */
  readonly resource?: string;
  /** The requested scopes, so that another authorization does not lose them. */
  readonly scopes?: readonly string[];
  /** The client that the tokens were issued to. */
  readonly clientId?: string;
  /** The `resource_metadata` of the last challenge, for discovery without one. */
  readonly resourceMetadata?: string;
  readonly stepUps?: readonly StoredStepUp[];
}

export const serverRecord: RecordKind<ServerRecord> = {
  name: "server",
  isValid: (value): value is ServerRecord =>
    isObject(value) &&
    isText(value["issuer"]) &&
    isOptional(value["resource"], isText) &&
    isOptional(value["scopes"], isTexts) &&
    isOptional(value["clientId"], isText) &&
    isOptional(value["resourceMetadata"], isText) &&
    isOptional(value["stepUps"], (stepUps) => Array.isArray(stepUps) && stepUps.every(isStepUp)),
};

/** Its key has the issuer and the URL of the MCP server. */
export const tokensRecord: RecordKind<TokenSet> = {
  name: "tokens",
  isValid: (value): value is TokenSet =>
    isObject(value) &&
    isToken(value["accessToken"]) &&
    (value["scheme"] === "Bearer" || (value["scheme"] === "DPoP" && isPrivateKey(value["dpopKey"]))) &&
    isOptional(value["expiresAt"], Number.isFinite) &&
    isOptional(value["refreshToken"], isText) &&
    isTexts(value["scopes"]) &&
    isText(value["issuer"]) &&
    isText(value["clientId"]),
};

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A header can carry visible ASCII characters only. */
function isToken(value: unknown): value is string {
  return typeof value === "string" && /^[!-~]+$/.test(value);
}

function isStepUp(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value["operation"] === "string" &&
    Number.isSafeInteger(value["count"]) &&
    Number.isFinite(value["since"]) &&
    typeof value["isPending"] === "boolean"
  );
}

/** Whether a value looks like a private key as a JWK; importing it shows whether it is one. */
function isPrivateKey(value: unknown): boolean {
  return isObject(value) && ["kty", "crv", "x", "y", "d"].every((name) => isText(value[name]));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isOptional(value: unknown, isValid: (value: unknown) => boolean): boolean {
  return value === undefined || isValid(value);
}
