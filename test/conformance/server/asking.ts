import type { McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { reply } from "./reply.js";

/** Tools that wait for an answer from the user or from the client's model. */
export function addAskingTools(server: McpServer): void {
  server.registerTool(
    "test_sampling",
    { description: "Sends a prompt to the client's model", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, context) => {
      const { content } = await context.sample("answer", {
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      return reply(`The model said: ${JSON.stringify(content)}`);
    },
  );

  server.registerTool(
    "test_elicitation",
    { description: "Asks the user for their name and address", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, context) => {
      const { action, content } = await context.elicit("user", {
        mode: "form",
        message,
        requestedSchema: {
          type: "object",
          properties: { username: { type: "string" }, email: { type: "string" } },
          required: ["username", "email"],
        },
      });
      return reply(`The user chose ${action}: ${JSON.stringify(content)}`);
    },
  );

  server.registerTool(
    "test_elicitation_sep1034_defaults",
    { description: "Asks with a form that has defaults" },
    async (context) => {
      const { action, content } = await context.elicit("profile", {
        mode: "form",
        message: "Is this right?",
        requestedSchema: {
          type: "object",
          properties: {
            name: { type: "string", default: "John Doe" },
            age: { type: "integer", default: 30 },
            score: { type: "number", default: 95.5 },
            status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
            verified: { type: "boolean", default: true },
          },
        },
      });
      return reply(`The user chose ${action}: ${JSON.stringify(content)}`);
    },
  );

  server.registerTool(
    "test_elicitation_sep1330_enums",
    { description: "Asks with a form that has every kind of choice" },
    async (context) => {
      const titled = [
        { const: "value1", title: "The first" },
        { const: "value2", title: "The second" },
        { const: "value3", title: "The third" },
      ];
      const untitled = ["option1", "option2", "option3"];
      const { action, content } = await context.elicit("choices", {
        mode: "form",
        message: "Choose",
        requestedSchema: {
          type: "object",
          properties: {
            untitledSingle: { type: "string", enum: untitled },
            titledSingle: { type: "string", oneOf: titled },
            legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option one", "Option two"] },
            untitledMulti: { type: "array", items: { type: "string", enum: untitled } },
            titledMulti: { type: "array", items: { anyOf: titled } },
          },
        },
      });
      return reply(`The user chose ${action}: ${JSON.stringify(content)}`);
    },
  );
}
