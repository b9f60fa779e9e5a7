import { McpServer, ResourceTemplate } from "../../../runtime/src/server/core.js";
import { object, optionsOf, type ServerSetup, text } from "./setup.js";

const languages = ["python", "pytorch", "pyside", "perl", "php"];

/** What the nodes of the server share. */
export const openLibrary = () => ({ source: "fn main() {}", added: 0 });

/** A server with 250 documents and a source file that changes. */
export function library(setup: ServerSetup, state = openLibrary()): McpServer {
  const server = new McpServer({ name: "library", version: "1" }, optionsOf(setup, { pageSize: 100 }));

  for (let number = 1; number <= 250; number++) {
    const uri = `doc:///${number}`;
    server.registerResource(`Document ${number}`, uri, { mimeType: "text/plain" }, () => ({
      contents: [{ uri, text: `This is document ${number}.` }],
    }));
  }

  const main = "file:///project/src/main.rs";
  server.registerResource("main.rs", main, { mimeType: "text/x-rust" }, () => ({
    contents: [{ uri: main, mimeType: "text/x-rust", text: state.source }],
  }));

  server.registerResource(
    "City",
    new ResourceTemplate("travel://cities/{city}/{topic}", {
      complete: {
        city: (value) => ["Barcelona", "Berlin", "Rome"].filter((city) => city.startsWith(value)),
        topic: (_value, { arguments: known }) => (known["city"] === "Barcelona" ? ["beaches", "parks"] : ["parks"]),
      },
    }),
    {},
    (uri, { city, topic }) => ({ contents: [{ uri: uri.href, text: `${String(topic)} of ${String(city)}` }] }),
  );

  server.registerPrompt(
    "review",
    {
      argsSchema: object({ language: "string" }),
      complete: {
        language: (value) =>
          value === "many"
            ? Array.from({ length: 150 }, (_, at) => `many${at}`)
            : languages.filter((language) => language.startsWith(value)),
      },
    },
    ({ language }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Review this ${language} code.` } }],
    }),
  );

  server.registerTool("edit", { inputSchema: object({ text: "string" }) }, (args) => {
    state.source = args.text;
    server.sendResourceUpdated({ uri: main });
    return text("edited");
  });

  server.registerTool("touch", { inputSchema: object({ uri: "string" }) }, ({ uri }) => {
    server.sendResourceUpdated({ uri });
    return text("touched");
  });

  server.registerTool("change-lists", {}, () => {
    const name = `added-${++state.added}`;
    server.registerTool(name, {}, () => text(name));
    server.registerPrompt(name, {}, () => ({ messages: [] }));
    return text(name);
  });

  return server;
}
