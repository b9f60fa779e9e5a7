import { setTimeout as pause } from "node:timers/promises";
import type { McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { reply } from "./reply.js";

/** Tools that send progress, logs and change notifications, or read arguments from headers. */
export function addDiagnosticTools(server: McpServer): void {
  server.registerTool("test_tool_with_progress", { description: "Reports its progress" }, async (context) => {
    for (const progress of [0, 50, 100]) {
      context.progress({ progress, total: 100 });
      await pause(50);
    }
    return reply("Done.");
  });

  server.registerTool(
    "test_tool_with_logging",
    { description: "Sends log messages while it runs" },
    async (context) => {
      for (const step of ["begun", "half done", "done"]) {
        context.log("info", `The tool has ${step}`);
        await pause(50);
      }
      return reply("Done.");
    },
  );

  server.registerTool(
    "test_logging_tool",
    { description: "Sends a log message to clients that requested logging" },
    (context) => {
      context.log("info", "Only for clients that requested logging");
      return reply("Logged.");
    },
  );

  server.registerTool("test_reconnection", { description: "Responds after its stream has ended" }, async (context) => {
    context.http?.closeSSE?.();
    await pause(100);
    return reply("You came back.");
  });

  server.registerTool(
    "test_trigger_tool_change",
    { description: "Notifies clients that the tools have changed" },
    () => {
      server.sendToolListChanged();
      return reply("Told.");
    },
  );

  server.registerTool(
    "test_trigger_prompt_change",
    { description: "Notifies clients that the prompts have changed" },
    () => {
      server.sendPromptListChanged();
      return reply("Told.");
    },
  );

  server.registerTool(
    "test_x_mcp_header",
    {
      description: "Has an argument that is repeated in an HTTP header",
      inputSchema: z.object({
        region: z.string().optional().meta({ "x-mcp-header": "Region" }),
        query: z.string().optional(),
      }),
    },
    ({ region = "everywhere", query = "anything" }) => reply(`Looked for ${query} in ${region}.`),
  );

  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Has an input schema with many keywords of JSON Schema 2020-12", inputSchema: contactSchema },
    ({ contactMethod = "nothing" }) => reply(`Contact by ${String(contactMethod)}.`),
  );
}

const contactSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};
