import type { AuthInfo, JSONRPCRequest } from "../types/index.js";
import type { McpServer } from "./mcp-server.js";

/** Returns the response to a request whose client lacks scopes of the tool, resource or prompt; undefined when it may be served. */
export async function scopeRefusal(
  { resolveScopeChallenge }: Pick<McpServer, "resolveScopeChallenge">,
  message: unknown,
  authInfo: AuthInfo | undefined,
): Promise<Response | undefined> {
  const { method, id } = Object(message) as Partial<JSONRPCRequest>;
  if (typeof method !== "string" || id === undefined) return undefined;
  const challenge = await resolveScopeChallenge({
    request: message as JSONRPCRequest,
    ...(authInfo && { authInfo }),
  });
  if (!challenge) return undefined;
  const { scopes, errorDescription = "Insufficient scope" } = challenge;
  const parts = [`error="insufficient_scope"`, `scope="${scopes.join(" ")}"`];
  if (authInfo?.resourceMetadataUrl) parts.push(`resource_metadata="${authInfo.resourceMetadataUrl}"`);
  parts.push(`error_description="${errorDescription.replaceAll(/["\\]/g, "'")}"`);
  return new Response(JSON.stringify({ error: "insufficient_scope", error_description: errorDescription }), {
    status: 403,
    headers: { "content-type": "application/json", "www-authenticate": `Bearer ${parts.join(", ")}` },
  });
}
