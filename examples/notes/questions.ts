import { acceptedContent, inputRequired, type McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { failed, said } from "../said.js";
import type { NoteStore } from "./store.js";

const Slug = z.object({ slug: z.string().min(1) });

/** The three ways to ask the user. The first works in every revision, on any number of nodes. */
export function registerQuestions(server: McpServer, store: NoteStore): void {
  // 1. What to ask stands beside the tool, which runs once, with the answers.
  server.registerTool(
    "delete-note",
    {
      description: "Deletes a note, if the user agrees",
      inputSchema: Slug,
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
      ask: ({ slug }) =>
        store.get(slug) && {
          sure: inputRequired.elicit({
            message: `Delete the note ${slug}?`,
            requestedSchema: {
              type: "object",
              properties: { sure: { type: "boolean", title: "It cannot be brought back" } },
              required: ["sure"],
            },
          }),
        },
    },
    ({ slug }, _context, given) => {
      if (!store.get(slug)) return failed(`There is no note ${slug}`);
      if (acceptedContent(given, "sure")?.["sure"] !== true) return said("The user wants to keep it");
      store.remove(slug);
      return said(`${slug} is deleted`);
    },
  );

  // 2. The tool returns its question, and is entered again with the answer and with what it wanted to remember.
  server.registerTool(
    "tag-note",
    { description: "Adds a tag that the user chooses", inputSchema: Slug },
    ({ slug }, context) => {
      const note = store.get(slug);
      if (!note) return failed(`There is no note ${slug}`);
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
      if (tag === undefined) return said("No tag, then");
      if (note.text !== context.requestState) return failed(`${slug} has changed meanwhile`);
      store.put(note.title, `${note.text} #${String(tag)}`);
      return said(`${slug} is tagged ${String(tag)}`);
    },
  );

  // 3. The tool waits. Where every request stands alone, it waits in this process, so this is for a single one.
  server.registerTool(
    "append-to-note",
    { description: "Appends what the user dictates", inputSchema: Slug },
    async ({ slug }, context) => {
      const note = store.get(slug);
      if (!note) return failed(`There is no note ${slug}`);
      const { action, content } = await context.elicit("text", {
        message: `What shall be added to ${slug}?`,
        requestedSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      });
      if (action !== "accept") return said("Nothing added");
      store.put(note.title, `${note.text} ${String(content?.["text"])}`);
      return said(`${slug} has grown`);
    },
  );
}
