const modules = {
  server: import.meta.resolve("@mcpwright/runtime/server"),
  stdio: import.meta.resolve("@mcpwright/runtime/stdio"),
};
/** A red square. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mM4YaNBEmIY1TCqYfhqAAAeBCwQMd+aqQAAAABJRU5ErkJggg==";

/**
 * The text of a server with features of every kind, which is edited while it runs.
 * @param greeting the word that `greet` says, and that its description names
 */
export function serverText(greeting: string): string {
  return `
import { McpServer } from ${JSON.stringify(modules.server)};
import { serveStdio } from ${JSON.stringify(modules.stdio)};

const server = new McpServer({ name: "tried", version: "1.0.0" }, { instructions: "Greet first." });
const text = (text) => ({ content: [{ type: "text", text }] });
const from = (schema) => ({
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => ({ value }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});

server.registerTool(
  "greet",
  {
    title: "Greet somebody",
    description: "Says ${greeting} to somebody.\\nAll arguments are in the answer.",
    annotations: { readOnlyHint: true },
    inputSchema: from({
      type: "object",
      properties: {
        name: { type: "string", description: "Whom to greet" },
        times: { type: "integer", minimum: 1, maximum: 5, default: 1 },
        tone: { type: "string", enum: ["kind", "formal"], description: "How to speak" },
        loud: { type: "boolean" },
        place: {
          type: "object",
          properties: { city: { type: "string" }, floor: { type: "integer" } },
          required: ["city"],
        },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["name"],
    }),
  },
  (args) => text(Array(args.times ?? 1).fill("${greeting} " + args.name).join(", ") + "\\n" + JSON.stringify(args)),
);
server.registerTool("paint", { description: "Returns an image and structured content." }, () => ({
  content: [{ type: "image", mimeType: "image/png", data: "${png}" }],
  structuredContent: { width: 16 },
}));
server.registerTool("wait", { description: "Reports progress until it is cancelled." }, async (context) => {
  for (let step = 1; !context.signal.aborted; step++) {
    context.progress({ progress: step, total: 1000, message: "step " + step });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.stderr.write("the wait was cancelled\\n");
  return text("cancelled");
});
server.registerTool("ask", { description: "Asks for a colour." }, async (context) => {
  const { action, content } = await context.elicit("colour", {
    mode: "form",
    message: "Which colour?",
    requestedSchema: {
      type: "object",
      properties: { colour: { type: "string", enum: ["red", "green"] }, note: { type: "string" } },
      required: ["colour"],
    },
  });
  return text(action + " " + JSON.stringify(content));
});
server.registerTool("fail", { description: "Throws an error." }, () => {
  throw new Error("this went wrong");
});
server.registerPrompt(
  "review",
  {
    description: "Reviews code.",
    argsSchema: from({ type: "object", properties: { code: { type: "string" } }, required: ["code"] }),
  },
  ({ code }) => ({ messages: [{ role: "user", content: { type: "text", text: "Review " + code } }] }),
);
server.registerResource("readme", "file:///readme.md", { description: "About this." }, () => ({
  contents: [{ uri: "file:///readme.md", mimeType: "text/markdown", text: "# Readme" }],
}));
process.stderr.write("started with ${greeting}\\n");
serveStdio(server);
`;
}
