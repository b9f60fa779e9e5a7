import { InteractiveProvider } from "@mcpwright/runtime/auth/node";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";

/** Asks for the name of the user, who logs in first; then logs out. It knows nothing of the provider behind the server. */
export async function askForName(url: string, openUrl: (url: URL) => Promise<boolean>): Promise<string> {
  const authProvider = new InteractiveProvider({ clientName: "Profile example", openUrl, print: () => undefined });
  const client = new Client({ name: "profile-example", version: "1.0.0" });
  try {
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    const { content } = await client.callTool({ name: "profile" });
    return content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
  } finally {
    await client.close();
    await authProvider.logout(url);
  }
}
