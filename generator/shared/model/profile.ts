/**
 * The profile fields: every behaviour that differs between revisions and is not in the schema.
 * The `Profile` interface of the contract is printed from this list; values are stated in overlays.
 */
export interface ProfileField {
  readonly name: string;
  readonly type: "boolean" | "integer" | "string | null" | readonly string[];
  readonly text: string;
}

export const profileFields: readonly ProfileField[] = [
  {
    name: "opening",
    type: ["handshake", "stateless"],
    text: "`handshake`: `initialize` opens a connection. `stateless`: every request carries its own version and capabilities.",
  },
  { name: "ping", type: "boolean", text: "Whether both sides may send `ping` and must respond to it." },
  { name: "batch", type: "boolean", text: "Whether receivers must accept a JSON array of messages (a batch)." },
  {
    name: "errorIdOptional",
    type: "boolean",
    text: "Whether an error response may omit `id` if the id of the request could not be read.",
  },
  {
    name: "serverRequests",
    type: ["wire", "inResult"],
    text: "How a server sends requests to its client: as JSON-RPC requests, or as input requests inside a result.",
  },
  { name: "resultType", type: "boolean", text: "Whether every result has a `resultType`." },
  { name: "cacheHints", type: "boolean", text: "Whether some results have `ttlMs` and `cacheScope`." },
  {
    name: "subscriptions",
    type: ["unsolicited", "listen"],
    text: "How change notifications arrive: without a request (and after `resources/subscribe`), or on a `subscriptions/listen` stream.",
  },
  {
    name: "logLevel",
    type: ["session", "request"],
    text: "Where the log level is set: in `logging/setLevel` for the session, or in `_meta` of each request.",
  },
  {
    name: "cancellation",
    type: ["notification", "notificationOnStdio"],
    text: "Which transports use `notifications/cancelled`: all, or only stdio.",
  },
  { name: "disconnectCancels", type: "boolean", text: "Whether closing the HTTP response stream cancels the request." },
  {
    name: "httpTransport",
    type: ["sse", "streamable"],
    text: "The HTTP transport of the revision: two endpoints with server-sent events, or one Streamable HTTP endpoint.",
  },
  {
    name: "session",
    type: "boolean",
    text: "Whether an HTTP server may assign a session id. The client then sends it in a header, and ends the session with DELETE.",
  },
  {
    name: "versionHeader",
    type: ["none", "afterOpening", "everyRequest"],
    text: "Which HTTP requests have the `MCP-Protocol-Version` header.",
  },
  {
    name: "standardHeaders",
    type: "boolean",
    text: "Whether HTTP requests repeat method, name and annotated tool parameters in `Mcp-Method`, `Mcp-Name` and `Mcp-Param-*`.",
  },
  {
    name: "getStream",
    type: "boolean",
    text: "Whether a client may open a Streamable HTTP stream with GET, for server messages that belong to no request.",
  },
  {
    name: "resumption",
    type: "boolean",
    text: "Whether a client may resume a broken HTTP stream with GET and `Last-Event-ID`.",
  },
  {
    name: "polling",
    type: "boolean",
    text: "Whether a server may send an initial event, close an HTTP stream early and let the client reconnect after `retry`.",
  },
  {
    name: "unknownMethodStatus",
    type: "integer",
    text: "HTTP status of the response to a request with an unknown method.",
  },
  {
    name: "unsupportedVersionCode",
    type: "integer",
    text: "Error code for a protocol version that the server does not support.",
  },
  {
    name: "missingCapabilityCode",
    type: "integer",
    text: "Error code for an undeclared client capability. A server returns it if it needs the capability, a client if it receives a request that needs it.",
  },
  { name: "notFoundCode", type: "integer", text: "Error code for a resource that does not exist." },
  {
    name: "inputErrors",
    type: ["protocol", "result"],
    text: "How a server reports invalid tool arguments: with JSON-RPC error -32602, or with a tool result with `isError`.",
  },
  {
    name: "structuredContent",
    type: ["none", "object", "any"],
    text: "The JSON types that `structuredContent` of a tool result may have.",
  },
  {
    name: "schemaDialect",
    type: "string | null",
    text: "Dialect of a JSON Schema without `$schema` inside a message; null if the revision does not define it.",
  },
  { name: "elicitation", type: ["none", "form", "formAndUrl"], text: "How a server may ask the user for input." },
  {
    name: "urlCompletion",
    type: "boolean",
    text: "Whether URL elicitations have an id and end with a notification, and whether a server can request them with error -32042.",
  },
  {
    name: "samplingTools",
    type: "boolean",
    text: "Whether sampling requests may offer tools, if the client declares `sampling.tools`.",
  },
  {
    name: "tasks",
    type: ["none", "core", "extension"],
    text: "Long-running tasks: absent, an experimental part of the protocol, or an extension.",
  },
  { name: "extensions", type: "boolean", text: "Whether capabilities have an `extensions` map." },
  {
    name: "reservedMetaKeys",
    type: ["none", "lastLabels", "secondLabel"],
    text: "Which `_meta` key prefixes are reserved: none; those with a label `mcp` or `modelcontextprotocol` before the last label; those with it as the second label.",
  },
  {
    name: "authorization",
    type: ["none", "authorizationServer", "resourceServer"],
    text: "The HTTP authorization model: none; the server itself (or one at its base URL) is the authorization server; the server is an OAuth resource server.",
  },
];
