/** Images, audio, resources and binary data arrive as the server sent them, in every revision that has them. */
import { describe, expect, test } from "vitest";
import { McpServer, ResourceTemplate } from "../../../runtime/src/server.js";
import { connect, info, revisions } from "./pair.js";

const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
const audio = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" } as const;
const note = {
  type: "resource",
  resource: { uri: "gallery://notes/1", mimeType: "text/plain", text: "Buy tea" },
} as const;
const picture = {
  type: "resource",
  resource: { uri: "gallery://dot", mimeType: "image/png", blob: image.data },
} as const;

function gallery(): McpServer {
  const server = new McpServer(info);
  server.registerTool("show", {}, () => ({ content: [image, audio, note, picture] }));
  server.registerPrompt("describe", {}, () => ({
    messages: [image, note].map((content) => ({ role: "user" as const, content })),
  }));
  server.registerResource("dot", "gallery://dot", {}, () => ({ contents: [picture.resource] }));
  server.registerResource("notes", new ResourceTemplate("gallery://notes/{id}", {}), {}, () => ({
    contents: [note.resource],
  }));
  return server;
}

describe.each(revisions)("a client of %s", (revision) => {
  test("gets what a tool returns; 2024-11-05 has no audio", async () => {
    const { client } = await connect(gallery(), revision);
    const { content } = await client.callTool({ name: "show" });
    expect(content).toHaveLength(4);
    expect([content[0], content[2], content[3]]).toEqual([image, note, picture]);
    if (revision === "2024-11-05") expect(content[1]).toMatchObject({ type: "text" });
    else expect(content[1]).toEqual(audio);
  });

  test("gets the image and the resource of a prompt", async () => {
    const { client } = await connect(gallery(), revision);
    const { messages } = await client.getPrompt({ name: "describe" });
    expect(messages.map(({ content }) => content)).toEqual([image, note]);
  });

  test("reads text and binary data", async () => {
    const { client } = await connect(gallery(), revision);
    expect((await client.readResource({ uri: "gallery://dot" })).contents).toEqual([picture.resource]);
    expect((await client.readResource({ uri: "gallery://notes/1" })).contents).toEqual([note.resource]);
  });
});
