import { escapeLine } from "../../../shared/command/escape-controls.js";
import type { GatewaySettings, ServerConfig } from "../config/gateway-config.js";

/**
 * Which tokens clients need, and which scopes for each server, as lines for people; nothing without the setting `authorization`.
 * @example
 * ```text
 * Over HTTP, clients need a token of https://auth.example.com for https://gateway.example.com/mcp
 *   docs    docs:read
 *   issues  issues:read; create_*: issues:read issues:write
 *   search  no further scope
 * ```
 */
export function printAccess({ authorization }: GatewaySettings, servers: readonly ServerConfig[]): readonly string[] {
  if (!authorization) return [];
  const { issuer = [], introspection, audience, resource, scopes = [] } = authorization;
  const issuers = new Set([...listOf(issuer), ...(introspection ? [introspection.issuer] : [])]);
  const withScopes = scopes.length === 0 ? "" : `, with ${scopes.join(" ")}`;
  const first = `Over HTTP, clients need a token of ${[...issuers].join(" or ")} for ${listOf(audience ?? resource).join(" or ")}${withScopes}`;
  const width = Math.max(0, ...servers.map(({ name }) => Math.min(name.length, 24)));
  return [
    escapeLine(first, Number.POSITIVE_INFINITY),
    ...servers.map((server) => `  ${escapeLine(server.name, 60).padEnd(width)}  ${escapeLine(scopesOf(server), 500)}`),
  ];
}

function scopesOf({ scopes = [] }: ServerConfig): string {
  const byTool = isList(scopes) ? { "*": scopes } : scopes;
  const { "*": every = [], ...others } = byTool;
  const parts = Object.entries(others).map(
    ([pattern, needed]) => `${pattern}: ${[...new Set([...every, ...needed])].join(" ")}`,
  );
  const base = every.length === 0 ? "no further scope" : every.join(" ");
  return [base, ...parts].join("; ");
}

function isList(scopes: NonNullable<ServerConfig["scopes"]>): scopes is readonly string[] {
  return Array.isArray(scopes);
}

function listOf(given: string | readonly string[]): readonly string[] {
  return typeof given === "string" ? [given] : given;
}
