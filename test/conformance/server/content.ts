import type { McpServer } from "@mcpwright/runtime/server";
import { pngOfOnePixel, silentWav } from "./media.js";
import { reply } from "./reply.js";

const image = { type: "image", data: pngOfOnePixel, mimeType: "image/png" } as const;
const audio = { type: "audio", data: silentWav, mimeType: "audio/wav" } as const;

/** Tools that show each kind of content. The first one must be the first in the list, because the suite calls it with any arguments. */
export function addContentTools(server: McpServer): void {
  server.registerTool("test_simple_text", { description: "Returns text" }, () => reply("This is plain text."));

  server.registerTool("test_image_content", { description: "Returns an image" }, () => ({ content: [image] }));

  server.registerTool("test_audio_content", { description: "Returns a sound" }, () => ({ content: [audio] }));

  server.registerTool("test_embedded_resource", { description: "Returns a resource" }, () => ({
    content: [embedded("test://embedded-resource", "A resource within a result.")],
  }));

  server.registerTool("test_multiple_content_types", { description: "Returns several kinds of content" }, () => ({
    content: [
      { type: "text", text: "Three kinds of content:" },
      image,
      embedded("test://mixed-content-resource", "A resource beside text and an image."),
    ],
  }));

  server.registerTool("test_error_handling", { description: "Fails" }, () => {
    throw new Error("This tool always fails.");
  });
}

function embedded(uri: string, text: string) {
  return { type: "resource", resource: { uri, mimeType: "text/plain", text } } as const;
}
