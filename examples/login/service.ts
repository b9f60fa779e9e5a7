import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { ClientCredentialsProvider } from "@mcpwright/runtime/auth";
import { textOf } from "./text-of.js";

/** Calls a tool of a protected server as a service: no user takes part. */
export async function callAsService(url: string, clientId: string, clientSecret: string): Promise<string> {
  const authProvider = new ClientCredentialsProvider({ clientId, clientSecret });
  const client = new Client({ name: "report-service", version: "1.0.0" });
  try {
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    return textOf(await client.callTool({ name: "read" }));
  } finally {
    await client.close();
  }
}
