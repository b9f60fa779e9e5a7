import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { FileCredentialStore, InteractiveProvider } from "@mcpwright/runtime/auth/node";
import { textOf } from "./text-of.js";

/**
 * Calls the tools of a protected server for a user. The browser opens when the server demands a log-in, and again when a tool
 * needs more rights; the calls wait for the user. The credentials are kept in a file, so the next start asks nothing.
 */
export async function callAsUser(url: string, credentials: string): Promise<readonly string[]> {
  const store = new FileCredentialStore(credentials);
  const authProvider = new InteractiveProvider({ clientName: "Login example", store });
  const client = new Client({ name: "login-example", version: "1.0.0" });
  try {
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    const { tools } = await client.listTools();
    const texts: string[] = [];
    for (const { name } of tools) texts.push(textOf(await client.callTool({ name })));
    return texts;
  } finally {
    await client.close();
  }
}
