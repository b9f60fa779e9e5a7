import type { McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import type { NoteStore } from "./store.js";

const styles = ["brief", "formal", "friendly"];

export function registerPrompts(server: McpServer, store: NoteStore): void {
  server.registerPrompt(
    "rewrite",
    {
      title: "Rewrite a note",
      description: "Rewrites a note in another style",
      argsSchema: z.object({ slug: z.string(), style: z.enum(styles).default("brief") }),
      complete: {
        slug: (start) => store.slugs(start),
        style: (start) => styles.filter((style) => style.startsWith(start)),
      },
    },
    ({ slug, style }) => ({
      description: `The note ${slug}, ${style}`,
      messages: [
        { role: "user", content: { type: "text", text: `Rewrite this note in a ${style} style.` } },
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri: `note:///${slug}`, mimeType: "text/markdown", text: store.get(slug)?.text ?? "" },
          },
        },
      ],
    }),
  );
}
