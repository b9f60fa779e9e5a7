/**
 * A program that logs in: `desk.ts <server> <store> <tool>…`. It calls each tool when it reads a line, and prints a line with the
 * result: the text of the tool, or the code and the reason of the error.
 */
import { createInterface } from "node:readline";
import { SdkError } from "@mcpwright/runtime/errors";
import { FileCredentialStore, InteractiveProvider } from "@mcpwright/runtime/auth/node";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";

const [url = "", path = "", ...tools] = process.argv.slice(2);
const authProvider = new InteractiveProvider({
  clientName: "Desk",
  store: new FileCredentialStore(path),
  print: () => undefined,
});
const client = new Client({ name: "desk", version: "1.0.0" });

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
  print("connected");
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for (const name of tools) {
    await lines.next();
    const { content } = await client.callTool({ name });
    print(content.map((block) => (block.type === "text" ? block.text : block.type)).join());
  }
} catch (error) {
  print(error instanceof SdkError ? `${error.code} ${JSON.stringify(error.data)}: ${error.message}` : String(error));
} finally {
  await client.close();
  process.stdin.destroy();
}
