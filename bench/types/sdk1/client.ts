import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

const client = new Client({ name: "buyer", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [process.argv[2] ?? ""] }));
const { tools } = await client.listTools();
// The result type also includes results of 2024-10-07.
const sum = (await client.callTool({ name: "add", arguments: { a: 19, b: 23 } })) as CallToolResult;
const text = sum.content.map((block) => (block.type === "text" ? block.text : block.type)).join();
const { contents } = await client.readResource({ uri: "shop://hours" });
const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
await client.close();
console.log(
  tools.length === 2 && text === "42" && contents.length === 1 && messages[0]?.role === "user" ? "ok" : "wrong",
);
