import { acceptedContent, inputRequired, type McpServer, type PromptResult } from "@mcpwright/runtime/server";
import { z } from "zod";
import { pngOfOnePixel } from "./media.js";

type Content = PromptResult["messages"][number]["content"];

export function addPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", { description: "One message" }, () =>
    said({ type: "text", text: "This is a prompt without arguments." }),
  );

  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "A message that contains the arguments",
      argsSchema: z.object({ arg1: z.string(), arg2: z.string() }),
      complete: {
        arg1: (value) => ["testValue1", "testValue3"].filter((known) => known.startsWith(value)),
        arg2: (value) => ["testValue2", "testValue4"].filter((known) => known.startsWith(value)),
      },
    },
    ({ arg1, arg2 }) => said({ type: "text", text: `The arguments are ${arg1} and ${arg2}.` }),
  );

  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A message with a resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) =>
      said({ type: "resource", resource: { uri, mimeType: "text/plain", text: "A resource within a prompt." } }),
  );

  server.registerPrompt("test_prompt_with_image", { description: "A message with an image" }, () =>
    said({ type: "image", data: pngOfOnePixel, mimeType: "image/png" }),
  );

  server.registerPrompt(
    "test_input_required_result_prompt",
    {
      description: "A message that contains the user's answer",
      inputRequests: () => ({
        user_context: inputRequired.elicit({
          message: "What is it about?",
          requestedSchema: { type: "object", properties: { context: { type: "string" } }, required: ["context"] },
        }),
      }),
    },
    (_context, responses) =>
      said({ type: "text", text: `It is about ${String(acceptedContent(responses, "user_context")?.["context"])}.` }),
  );
}

function said(content: Content): PromptResult {
  return { messages: [{ role: "user", content }] };
}
