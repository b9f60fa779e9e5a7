/** The weather over stdio, for clients of both eras. */
import { McpServer, type McpRequestContext } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { fromJsonSchema } from "@modelcontextprotocol/server";

const city = { type: "object", properties: { city: { type: "string", minLength: 2 } }, required: ["city"] } as const;
const degrees = { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] } as const;
const validators = { ajv: new AjvJsonSchemaValidator(), cfworker: new CfWorkerJsonSchemaValidator() };

function makeServer({ era }: McpRequestContext): McpServer {
  const server = new McpServer(
    { name: "weather", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } }, jsonSchemaValidator: validators.ajv },
  );
  for (const [name, validator] of Object.entries(validators))
    server.registerTool(
      `forecast-${name}`,
      {
        inputSchema: fromJsonSchema<{ city: string }>(city, validator),
        outputSchema: fromJsonSchema<{ degrees: number }>(degrees, validator),
      },
      ({ city: where }) => ({
        content: [{ type: "text", text: `${where}, ${era}` }],
        structuredContent: where === "Nowhere" ? { degrees: "none" } : { degrees: where.length },
      }),
    );
  const storm = server.registerTool("storm", {}, () => ({ content: [{ type: "text", text: "take shelter" }] }));
  storm.disable();
  server.registerTool("season", {}, () => {
    if (storm.enabled) storm.disable();
    else storm.enable();
    return { content: [{ type: "text", text: String(storm.enabled) }] };
  });
  return server;
}

const handle = serveStdio(makeServer, { onerror: (error) => process.stderr.write(`${error.message}\n`) });
process.once("SIGTERM", () => void handle.close());
