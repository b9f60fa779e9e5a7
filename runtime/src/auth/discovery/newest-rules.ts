import { type AuthorizationRules, authorizationRules } from "@mcpwright/protocol/authorization";

/** The rules of the newest revision whose MCP servers have resource metadata, or have none. */
export function newestRules(resourceMetadata: boolean): AuthorizationRules {
  const rules = authorizationRules.find((row) => row.resourceMetadata === resourceMetadata);
  if (!rules) throw new Error("the generated rules of authorization lack a revision");
  return rules;
}
