import type { McpServer } from "@mcpwright/runtime/server";
import { pngOfOnePixel, silentWav } from "./media.js";
import { reply } from "./reply.js";

const image = { type: "image", data: pngOfOnePixel, mimeType: "image/png" } as const;
const audio = { type: "audio", data: silentWav, mimeType: "audio/wav" } as const;

/** Tools that show each kind of content. The first one has to be the first of the list: it may be called with anything. */
export function addContentTools(server: McpServer): void {
  server.registerTool("test_simple_text", { description: "Answers with text" }, () => reply("This is plain text."));

  server.registerTool("test_image_content", { description: "Answers with an image" }, () => ({ content: [image] }));

  server.registerTool("test_audio_content", { description: "Answers with a sound" }, () => ({ content: [audio] }));

  server.registerTool("test_embedded_resource", { description: "Answers with a resource" }, () => ({
    content: [embedded("test://embedded-resource", "A resource within a result.")],
  }));

  server.registerTool("test_multiple_content_types", { description: "Answers with several kinds of content" }, () => ({
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
