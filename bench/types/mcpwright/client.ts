import { Client } from "@mcpwright/runtime/client";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";

const client = new Client({ name: "buyer", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [process.argv[2] ?? ""] }));
const { tools } = await client.listTools();
const sum = await client.callTool({ name: "add", arguments: { a: 19, b: 23 } });
const text = sum.content.map((block) => (block.type === "text" ? block.text : block.type)).join();
const { contents } = await client.readResource({ uri: "shop://hours" });
const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
await client.close();
console.log(
  tools.length === 2 && text === "42" && contents.length === 1 && messages[0]?.role === "user" ? "ok" : "wrong",
);
