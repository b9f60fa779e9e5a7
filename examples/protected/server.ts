import { type BearerAuth, jwtVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { McpServer, type ServerContext } from "@mcpwright/runtime/server";
import { z } from "zod";
import { textResult } from "../text-result.js";

export const scopes = { read: "diary:read", write: "diary:write" } as const;

/** Accepts the access tokens that an authorization server has issued for this server: `resource` is its URL. */
export function createAuthorization(issuer: string, resource: string): BearerAuth {
  return requireBearerAuth({
    resource,
    verifier: jwtVerifier({ issuer }),
    requiredScopes: [scopes.read],
    // A client asks its user for other scopes when a tool needs them.
  });
}

/** Diaries: each user reads and writes only their own. */
export function createDiaries(authorization: BearerAuth): McpServer {
  const diaries = new Map<string, string[]>();
  const server = new McpServer({ name: "diaries", version: "1.0.0" });

  server.registerTool("read", { description: "Reads your diary" }, (context) => {
    const user = userOf(authorization, context);
    const lines = diaries.get(user.key) ?? [];
    return textResult(lines.length === 0 ? `The diary of ${user.name} is empty` : lines.join("\n"));
  });

  server.registerTool(
    "write",
    {
      description: "Writes a line into your diary",
      inputSchema: z.object({ line: z.string() }),
      scopes: [scopes.write], // besides diary:read, which every request needs
    },
    ({ line }, context) => {
      const user = userOf(authorization, context);
      diaries.set(user.key, [...(diaries.get(user.key) ?? []), line]);
      return textResult(`Written into the diary of ${user.name}`);
    },
  );
  return server;
}

/** The user of the access token. A subject is unique at its issuer only, so both identify the user. */
function userOf(authorization: BearerAuth, context: ServerContext): { readonly key: string; readonly name: string } {
  const info = authorization.infoOf(context);
  if (!info) throw new Error("diaries are only served over HTTP, with an access token");
  return { key: JSON.stringify([info.issuer, info.subject]), name: info.subject };
}
