/** Calls server.js over stdio and over HTTP in every revision, and prints one line per round. */
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { clientSides } from "@mcpwright/protocol/client-sides";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { ajvValidator } from "@mcpwright/runtime/json-schema";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";

const http = spawn(process.execPath, ["server.js", "http"], { stdio: ["ignore", "pipe", "inherit"] });
try {
  const [url] = (await once(createInterface({ input: http.stdout }), "line")) as [string];
  for (const side of clientSides) {
    for (const transport of ["stdio", "HTTP"]) {
      const client = new Client(
        { name: "trial", version: "1.0.0" },
        { revisions: [side], jsonSchemaValidator: ajvValidator() },
      );
      await client.connect(
        transport === "stdio"
          ? new StdioClientTransport({ command: process.execPath, args: ["server.js", "stdio"] })
          : new StreamableHTTPClientTransport(url),
      );
      assert.equal(client.getNegotiatedProtocolVersion(), side.revision);
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        ["add"],
      );
      const { content } = await client.callTool({ name: "add", arguments: { a: 19, b: 23 } });
      assert.deepEqual(content[0], { type: "text", text: "42" });
      const { contents } = await client.readResource({ uri: "note://tea" });
      assert.deepEqual(contents[0], { uri: "note://tea", text: "Note tea" });
      const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
      assert.deepEqual(messages[0]?.content, { type: "text", text: "Hello, Ada" });
      await client.close();
      console.log(`${side.revision} over ${transport}`);
    }
  }
} finally {
  http.kill();
}
