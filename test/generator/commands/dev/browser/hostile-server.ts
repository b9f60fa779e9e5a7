/** HTML that would change the title of the page, if it were read as HTML. */
export const attack = `<img src=x onerror="document.title='attacked'"><script>document.title='attacked'</script>`;

/** The text of a server of 2025-11-25 that breaks the schema, prints to standard output, and puts HTML into all texts. */
export const hostileText = `
const attack = ${JSON.stringify(attack)};
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const results = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: attack, version: "1" },
    instructions: attack,
  },
  "tools/list": {
    tools: [{
      name: attack,
      description: attack,
      inputSchema: {
        type: "object",
        properties: { [attack]: { type: "string", title: attack, description: attack, enum: [attack] } },
      },
    }],
  },
  "tools/call": { content: [
    { type: "text", text: attack },
    { type: "image", mimeType: "image/svg+xml", data: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64") },
    { type: "resource_link", name: attack, uri: "javascript:document.title='attacked'" },
  ] },
  "resources/list": { resources: [{ name: attack, uri: "javascript:document.title='attacked'" }] },
  "resources/templates/list": { resourceTemplates: [] },
  "prompts/list": { prompts: [{ name: attack, arguments: [{ name: attack, description: attack }] }] },
};
process.stderr.write(attack + "\\n");
let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id === undefined) continue;
    if (method === "tools/call") {
      process.stdout.write(attack + "\\n");
      send({ method: "notifications/message", params: { level: "loud", data: attack } });
    }
    const result = results[method];
    send(result ? { id, result } : { id, error: { code: -32601, message: attack } });
  }
});
`;
