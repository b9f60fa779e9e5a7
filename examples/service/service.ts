import { ClientCredentialsProvider, oauthClientCredentials } from "@mcpwright/runtime/auth";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";

/** The identity of a service that is registered at an authorization server. */
export interface ServiceIdentity {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Gets tokens that are bound to a key. The secret of the service is sent to this authorization server, and to no other one. */
export function createProvider(service: ServiceIdentity, issuer: string): ClientCredentialsProvider {
  return new ClientCredentialsProvider({ ...service, issuer, dpop: true });
}

/** Reports sales to a protected server in the name of the service: no user takes part. */
export async function reportSales(
  url: string,
  authProvider: ClientCredentialsProvider,
  amounts: readonly number[],
): Promise<readonly string[]> {
  const client = new Client(
    { name: "till", version: "1.0.0" },
    { capabilities: { extensions: { [oauthClientCredentials]: {} } } },
  );
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args });
    return content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
  };
  try {
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    const lines: string[] = [];
    // The tool needs one more scope: for the first call, the service gets another token.
    for (const amount of amounts) lines.push(await call("report", { amount }));
    return [...lines, await call("total")];
  } finally {
    await client.close();
  }
}
