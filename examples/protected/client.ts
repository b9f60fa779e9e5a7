import { InteractiveProvider } from "@mcpwright/runtime/auth/node";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";

/**
 * Writes into the diary of a user and reads it. The calls wait while the user logs in, and again while the user agrees to the scope
 * of the tool `write`.
 * @param openUrl opens a page in the browser of the user
 * @param print receives the result of each call
 */
export async function keepDiary(
  url: string,
  openUrl: (url: URL) => Promise<boolean>,
  print: (text: string) => void,
): Promise<void> {
  const authProvider = new InteractiveProvider({ clientName: "Diary example", openUrl, print: () => undefined });
  const client = new Client({ name: "diary-example", version: "1.0.0" });
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<void> => {
    const { content } = await client.callTool({ name, arguments: args });
    print(content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n"));
  };
  try {
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    await call("read");
    await call("write", { line: "Dear diary" });
    await call("read");
  } finally {
    await client.close();
  }
}
