/** For the cold start: zod alone takes longer to load than the rest. */
import { McpServer } from "@mcpwright/runtime/server";
import { serveStdio } from "@mcpwright/runtime/stdio";

interface Greeting {
  readonly name: string;
}

const server = new McpServer({ name: "bench", version: "1.0.0" });
server.registerTool(
  "greet",
  {
    inputSchema: {
      validate: (value: unknown) => {
        const greeting = value as Greeting;
        return typeof greeting.name === "string"
          ? { value: greeting }
          : { issues: [{ message: "must be a string", path: ["name"] }] };
      },
      jsonSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
  },
  async ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}` }] }),
);
serveStdio(server);
