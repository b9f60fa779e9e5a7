import { McpServer } from "@mcpwright/runtime/server";
import { registerDeprecated } from "./deprecated.js";
import { registerPrompts } from "./prompts.js";
import { registerQuestions } from "./questions.js";
import { registerResources } from "./resources.js";
import { NoteStore } from "./store.js";
import { registerTools } from "./tools.js";

/** A server that keeps notes and uses every server feature. */
export function notesServer(store = new NoteStore()): McpServer {
  const server = new McpServer(
    { name: "notes", title: "Notes", version: "1.0.0" },
    {
      instructions: "Search before you add. Notes are also resources: note:///{slug}.",
      capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
      pageSize: 5,
      onerror: (error) => console.error(error),
    },
  );
  registerTools(server, store);
  registerQuestions(server, store);
  registerResources(server, store);
  registerPrompts(server, store);
  registerDeprecated(server, store);
  return server;
}
