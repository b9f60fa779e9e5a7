import { ResourceNotFoundError } from "@mcpwright/runtime";
import { type McpServer, ResourceTemplate } from "@mcpwright/runtime/server";
import type { NoteStore } from "./store.js";

const mimeType = "text/markdown";

export function registerResources(server: McpServer, store: NoteStore): void {
  server.registerResource(
    "index",
    "note:///",
    { title: "All notes", mimeType: "application/json", cacheHint: { ttlMs: 0, cacheScope: "public" } },
    ({ href }) => ({
      contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify(store.slugs()) }],
    }),
  );

  server.registerResource(
    "note",
    new ResourceTemplate("note:///{slug}", {
      list: () => ({
        resources: store.all().map(({ slug, title }) => ({ uri: `note:///${slug}`, name: slug, title, mimeType })),
      }),
      complete: { slug: (start) => store.slugs(start) },
    }),
    { title: "A note", mimeType },
    ({ href }, { slug }) => {
      const note = store.get(String(slug));
      if (!note) throw new ResourceNotFoundError(href);
      return { contents: [{ uri: href, mimeType, text: `# ${note.title}\n\n${note.text}\n` }] };
    },
  );

  store.onChange((slug, what) => {
    server.sendResourceUpdated({ uri: "note:///" });
    if (what === "changed") server.sendResourceUpdated({ uri: `note:///${slug}` });
    else server.sendResourceListChanged();
  });
}
