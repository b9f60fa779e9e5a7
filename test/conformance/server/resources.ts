import { type McpServer, ResourceTemplate } from "@mcpwright/runtime/server";
import { pngOfOnePixel } from "./media.js";

export function addResources(server: McpServer): void {
  server.registerResource(
    "static-text",
    "test://static-text",
    { description: "A text", mimeType: "text/plain", cacheHint: { ttlMs: 60_000, cacheScope: "public" } },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "text/plain", text: "A text that does not change." }] }),
  );

  server.registerResource(
    "static-binary",
    "test://static-binary",
    { description: "An image", mimeType: "image/png" },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "image/png", blob: pngOfOnePixel }] }),
  );

  server.registerResource(
    "watched-resource",
    "test://watched-resource",
    { description: "A text that can change", mimeType: "text/plain" },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "text/plain", text: "Its current text." }] }),
  );

  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data"),
    { description: "Data by id", mimeType: "application/json" },
    ({ href }, { id }) => ({
      contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify({ id, kind: "data" }) }],
    }),
  );
}
