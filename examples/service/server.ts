import { type BearerAuth, jwtVerifier, requireBearerAuth } from "@mcpwright/runtime/auth/server";
import { McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { textResult } from "../text-result.js";

export const scopes = { read: "sales:read", write: "sales:write" } as const;

/** Accepts only tokens that are bound to a key, with a new proof of that key in each request. */
export function createAuthorization(issuer: string, resource: string): BearerAuth {
  return requireBearerAuth({
    resource,
    verifier: jwtVerifier({ issuer }),
    requiredScopes: [scopes.read],
    dpop: { required: true, nonces: true },
  });
}

/** The sales of a shop: services report and read them. */
export function createSales(authorization: BearerAuth): McpServer {
  const sales: number[] = [];
  const server = new McpServer({ name: "sales", version: "1.0.0" });

  server.registerTool(
    "report",
    {
      description: "Reports a sale",
      inputSchema: z.object({ amount: z.number().positive() }),
      scopes: [scopes.write], // besides sales:read, which every request needs
    },
    ({ amount }, context) => {
      sales.push(amount);
      return textResult(`Reported by ${authorization.infoOf(context)?.clientId ?? "an unknown service"}: ${amount}`);
    },
  );

  server.registerTool("total", { description: "Returns the sum of all sales" }, () =>
    textResult(`Total: ${sales.reduce((sum, amount) => sum + amount, 0)}`),
  );
  return server;
}
