import { acceptedContent, inputRequired, type McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { errorResult, textResult } from "../text-result.js";
import type { NoteStore } from "./store.js";

const Slug = z.object({ slug: z.string().min(1) });

/** The three ways to ask the user. Prefer the first: it works in every revision, on any number of nodes. */
export function registerQuestions(server: McpServer, store: NoteStore): void {
  // 1. `inputRequests` returns the questions; the tool runs once, with the answers.
  server.registerTool(
    "delete-note",
    {
      description: "Deletes a note after the user confirms",
      inputSchema: Slug,
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
      inputRequests: ({ slug }) =>
        store.get(slug) && {
          sure: inputRequired.elicit({
            message: `Delete the note ${slug}?`,
            requestedSchema: {
              type: "object",
              properties: { sure: { type: "boolean", title: "This cannot be undone" } },
              required: ["sure"],
            },
          }),
        },
    },
    ({ slug }, _context, responses) => {
      if (!store.get(slug)) return errorResult(`The note ${slug} does not exist`);
      if (acceptedContent(responses, "sure")?.["sure"] !== true) return textResult("The user wants to keep the note");
      store.remove(slug);
      return textResult(`${slug} was deleted`);
    },
  );

  // 2. The tool returns its question, and is called again with the answer and with the state that it returned.
  server.registerTool(
    "tag-note",
    { description: "Adds a tag that the user chooses", inputSchema: Slug },
    ({ slug }, context) => {
      const note = store.get(slug);
      if (!note) return errorResult(`The note ${slug} does not exist`);
      if (context.requestState === undefined)
        return inputRequired({
          inputRequests: {
            tag: inputRequired.elicit({
              message: `Which tag for ${slug}?`,
              requestedSchema: {
                type: "object",
                properties: { tag: { type: "string", enum: ["work", "home", "later"] } },
                required: ["tag"],
              },
            }),
          },
          requestState: note.text,
        });
      const tag = acceptedContent(context.inputResponses, "tag")?.["tag"];
      if (tag === undefined) return textResult("No tag added");
      if (note.text !== context.requestState) return errorResult(`${slug} was changed in the meantime`);
      store.put(note.title, `${note.text} #${String(tag)}`);
      return textResult(`${slug} was tagged ${String(tag)}`);
    },
  );

  // 3. The tool awaits the answer. With stateless requests, it waits in this process: use this on a single node only.
  server.registerTool(
    "append-to-note",
    { description: "Appends text that the user enters", inputSchema: Slug },
    async ({ slug }, context) => {
      const note = store.get(slug);
      if (!note) return errorResult(`The note ${slug} does not exist`);
      const { action, content } = await context.elicit("text", {
        message: `Which text should be added to ${slug}?`,
        requestedSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      });
      if (action !== "accept") return textResult("Nothing added");
      store.put(note.title, `${note.text} ${String(content?.["text"])}`);
      return textResult(`Text added to ${slug}`);
    },
  );
}
