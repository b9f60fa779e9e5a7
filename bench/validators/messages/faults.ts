/**
 * Realistic faults. Each modifies a valid message: it breaks one member that is checked late, in the last item of a list or
 * at the end of a path.
 */
type Fault = (message: Members, index: number) => void;

type Members = Record<string, unknown>;

export const faults = {
  CallToolRequest: (request) => {
    member(request, "params")["arguments"] = '{"query":"orders"}';
  },
  CallToolResult: (result, index) => {
    const block = last(result["content"]);
    if (typeof block["text"] === "string") block["text"] = index % 2 === 0 ? null : 42;
    else if (typeof block["data"] === "string") delete block["mimeType"];
    else if (typeof block["uri"] === "string") delete block["name"];
    else delete member(block, "resource")["uri"];
  },
  ListToolsResult: (result, index) => {
    const tool = last(result["tools"]);
    if (index % 2 === 0) delete tool["inputSchema"];
    else tool["inputSchema"] = { ...member(tool, "inputSchema"), type: "string" };
  },
  InitializeResult: (result, index) => {
    if (index % 2 === 0) delete member(result, "serverInfo")["version"];
    else member(member(result, "capabilities"), "tools")["listChanged"] = "yes";
  },
  DiscoverResult: (result, index) => {
    if (index % 2 === 0) (result["supportedVersions"] as unknown[]).push(2026);
    else member(member(result, "capabilities"), "tools")["listChanged"] = "yes";
  },
  JSONRPCMessage: (message) => {
    if ("method" in message) message["params"] = ["search", { query: "orders" }];
    else if ("result" in message) message["result"] = "done";
    else member(message, "error")["code"] = "E_PARAMS";
  },
  CreateMessageRequest: (request, index) => {
    const message = last(member(request, "params")["messages"]);
    if (index % 2 === 0) message["role"] = "system";
    else message["content"] = { type: "text", text: ["Hello"] };
  },
  ElicitRequest: (request, index) => {
    const properties = member(member(member(request, "params"), "requestedSchema"), "properties");
    const name = Object.keys(properties).at(-1) ?? "";
    properties[name] =
      index % 2 === 0
        ? { type: "object", properties: { street: { type: "string" } } }
        : { type: "array", items: { type: "number" } };
  },
  ReadResourceResult: (result, index) => {
    const contents = last(result["contents"]);
    if (index % 2 === 0) delete contents["uri"];
    else contents["blob"] = { base64: contents["blob"] };
  },
} satisfies Readonly<Record<string, Fault>>;

export type Faulty = keyof typeof faults;

function member(owner: Members, name: string): Members {
  const value = owner[name];
  if (typeof value !== "object" || value === null) throw new Error(`the message has no object under ${name}`);
  return value as Members;
}

function last(list: unknown): Members {
  const item = Array.isArray(list) ? (list.at(-1) as unknown) : undefined;
  if (typeof item !== "object" || item === null) throw new Error("the message has no list here, or an empty one");
  return item as Members;
}
