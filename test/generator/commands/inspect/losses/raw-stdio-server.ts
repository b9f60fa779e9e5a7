/** A server of 2025-11-25 that sends members of every revision as they are, as servers of other SDKs can. */
import { script } from "../../../shared/sessions/places.js";

const tool = {
  name: "paint",
  title: "Paint",
  description: "Paints.",
  inputSchema: { type: "object" },
  outputSchema: { type: "object", properties: { colour: { type: "string" } } },
  icons: [{ src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48"] }],
  annotations: { title: "Paint", readOnlyHint: true },
  execution: { taskSupport: "optional" },
  _meta: { "com.example/own": 1 },
};

const call = {
  content: [
    { type: "text", text: "blue" },
    { type: "resource_link", uri: "test://one", name: "one", title: "One", mimeType: "text/plain" },
  ],
  structuredContent: { colour: "blue" },
};

const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };

/** The words that start it. @param meta the `_meta` of its list */
export function rawCommand(meta: object = {}): readonly string[] {
  const results = {
    initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "raw", version: "1.0.0" } },
    "tools/list": { tools: [tool], _meta: meta },
    "tools/call": call,
  };
  return script(`
    const results = ${JSON.stringify(results)};
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      const result = results[method];
      const error = { code: -32601, message: "Method not found" };
      process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }) + "\\n");
    });
  `);
}
