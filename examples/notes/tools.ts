import { setTimeout as wait } from "node:timers/promises";
import type { McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { errorResult, textResult } from "../text-result.js";
import { type NoteStore, slugOf } from "./store.js";

const Title = z
  .string()
  .min(1)
  .refine((title) => slugOf(title) !== "", "A title needs a letter or a digit");

/** A data URL, so that hosts do not have to fetch the icon. */
const icon = {
  src: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1'/%3E%3C/svg%3E",
  mimeType: "image/svg+xml",
  sizes: ["any"],
};

export function registerTools(server: McpServer, store: NoteStore): void {
  server.registerTool(
    "add-note",
    {
      title: "Add a note",
      description: "Adds a note",
      inputSchema: z.object({ title: Title, text: z.string() }),
      annotations: { destructiveHint: false, openWorldHint: false },
      icons: [icon],
    },
    ({ title, text }) => {
      const slug = slugOf(title);
      if (store.get(slug)) return errorResult(`The note ${slug} already exists`);
      store.put(title, text);
      // The text is for the model; the link lets the host show the note to the user.
      return {
        content: [
          { type: "text", text: `Noted as ${slug}` },
          { type: "resource_link", uri: `note:///${slug}`, name: slug, title, mimeType: "text/markdown" },
        ],
      };
    },
  );

  // The output schema lets programs use the result.
  server.registerTool(
    "search-notes",
    {
      title: "Search the notes",
      description: "Finds notes that contain a word",
      inputSchema: z.object({ word: z.string().min(1), limit: z.number().int().min(1).max(100).default(10) }),
      outputSchema: z.object({
        found: z.array(z.object({ slug: z.string(), title: z.string() })),
        total: z.number().int(),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ word, limit }) => {
      const hits = store
        .all()
        .filter(({ title, text }) => `${title}\n${text}`.toLowerCase().includes(word.toLowerCase()));
      return {
        structuredContent: {
          found: hits.slice(0, limit).map(({ slug, title }) => ({ slug, title })),
          total: hits.length,
        },
      };
    },
  );

  // A long-running tool: it reports progress, and stops when the call is cancelled.
  server.registerTool(
    "count-words",
    {
      title: "Count the words",
      description: "Counts the words of all notes, one after the other",
      inputSchema: z.object({ pauseMs: z.number().int().min(0).max(10_000).default(0) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ pauseMs }, context) => {
      const notes = store.all();
      let words = 0;
      for (const [index, { slug, text }] of notes.entries()) {
        await wait(pauseMs, undefined, { signal: context.signal });
        words += text.split(/\s+/).filter(Boolean).length;
        context.progress({ progress: index + 1, total: notes.length, message: slug });
      }
      return textResult(`${words} words in ${notes.length} notes`);
    },
  );
}
