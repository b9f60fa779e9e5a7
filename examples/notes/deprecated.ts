import type { McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { textResult } from "../text-result.js";
import type { NoteStore } from "./store.js";

/**
 * Features that 2026-07-28 deprecates but still supports. In new servers, call a model's API instead of sampling, take folders as
 * arguments or resources instead of roots, and log to standard error or OpenTelemetry instead of the client.
 */
export function registerDeprecated(server: McpServer, store: NoteStore): void {
  server.registerTool(
    "summarize",
    {
      description: "Summarizes all notes with the client's model",
      inputSchema: z.object({ maxTokens: z.number().default(100) }),
    },
    async ({ maxTokens }, context) => {
      const text = store
        .all()
        .map((note) => note.text)
        .join("\n");
      const { content } = await context.sample("summary", {
        messages: [{ role: "user", content: { type: "text", text: `Summarize:\n${text}` } }],
        maxTokens,
      });
      const [block] = [content].flat();
      return textResult(block?.type === "text" ? block.text : "The model did not reply with text");
    },
  );

  server.registerTool("where", { description: "Lists the folders that the client works in" }, async (context) => {
    const { roots } = await context.listRoots("roots");
    return textResult(roots.map(({ uri }) => uri).join("\n"));
  });

  server.registerTool("audit", { description: "Logs one line per note" }, (context) => {
    for (const { slug, text } of store.all())
      context.log(text === "" ? "warning" : "info", { slug, length: text.length });
    return textResult("Logged");
  });
}
