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
    text: "`handshake`: a connection opens with `initialize`. `stateless`: every request carries its own version and capabilities.",
  },
  { name: "ping", type: "boolean", text: "Either side may send `ping` and must answer it." },
  { name: "batch", type: "boolean", text: "A top-level JSON array of messages is legal and must be accepted." },
  {
    name: "errorIdOptional",
    type: "boolean",
    text: "An error response may lack `id` when the request's id could not be read.",
  },
  {
    name: "serverRequests",
    type: ["wire", "inResult"],
    text: "How a server asks its client: by JSON-RPC requests, or by input requests carried in a result.",
  },
  { name: "resultType", type: "boolean", text: "Every result says what it is in `resultType`." },
  { name: "cacheHints", type: "boolean", text: "Some results carry `ttlMs` and `cacheScope`." },
  {
    name: "subscriptions",
    type: ["unsolicited", "listen"],
    text: "Change notifications come unasked (and per `resources/subscribe`), or on a `subscriptions/listen` stream.",
  },
  {
    name: "logLevel",
    type: ["session", "request"],
    text: "The log level is set for the session by `logging/setLevel`, or by each request in `_meta`.",
  },
  {
    name: "cancellation",
    type: ["notification", "notificationOnStdio"],
    text: "Where `notifications/cancelled` is sent: on every transport, or on stdio only.",
  },
  { name: "disconnectCancels", type: "boolean", text: "Over HTTP, closing the response stream cancels the request." },
  {
    name: "httpTransport",
    type: ["sse", "streamable"],
    text: "The HTTP transport of the revision: two endpoints with server-sent events, or one Streamable HTTP endpoint.",
  },
  {
    name: "session",
    type: "boolean",
    text: "An HTTP server may assign a session id, echoed in a header from then on and ended by DELETE.",
  },
  {
    name: "versionHeader",
    type: ["none", "afterOpening", "everyRequest"],
    text: "When HTTP requests carry `MCP-Protocol-Version`.",
  },
  {
    name: "standardHeaders",
    type: "boolean",
    text: "HTTP requests repeat method, name and annotated tool parameters in `Mcp-Method`, `Mcp-Name` and `Mcp-Param-*`.",
  },
  {
    name: "getStream",
    type: "boolean",
    text: "A client may open a Streamable HTTP stream for unrelated server messages by GET.",
  },
  { name: "resumption", type: "boolean", text: "A broken HTTP stream may be resumed by GET with `Last-Event-ID`." },
  {
    name: "polling",
    type: "boolean",
    text: "A server may send a priming event, close an HTTP stream early and have the client come back after `retry`.",
  },
  {
    name: "unknownMethodStatus",
    type: "integer",
    text: "HTTP status of the answer to a request whose method is unknown.",
  },
  {
    name: "unsupportedVersionCode",
    type: "integer",
    text: "Error code for a protocol version that the server does not speak.",
  },
  {
    name: "missingCapabilityCode",
    type: "integer",
    text: "Error code of a server that needs a client capability the client did not declare, or of a client asked for one.",
  },
  { name: "notFoundCode", type: "integer", text: "Error code for a resource that does not exist." },
  {
    name: "inputErrors",
    type: ["protocol", "result"],
    text: "Tool arguments that fail the tool's schema: a JSON-RPC error -32602, or a tool result with `isError`.",
  },
  {
    name: "structuredContent",
    type: ["none", "object", "any"],
    text: "What a tool result's `structuredContent` may be.",
  },
  {
    name: "schemaDialect",
    type: "string | null",
    text: "Dialect of a JSON Schema inside a message that has no `$schema`; null where the revision does not say.",
  },
  { name: "elicitation", type: ["none", "form", "formAndUrl"], text: "The ways a server may ask the user." },
  {
    name: "urlCompletion",
    type: "boolean",
    text: "URL elicitations have an id and end with a notification; -32042 asks for them.",
  },
  {
    name: "samplingTools",
    type: "boolean",
    text: "Sampling requests may offer tools, with the client's `sampling.tools`.",
  },
  {
    name: "tasks",
    type: ["none", "core", "extension"],
    text: "Long-running tasks: absent, an experimental part of the protocol, or an extension.",
  },
  { name: "extensions", type: "boolean", text: "Capabilities have an `extensions` map." },
  {
    name: "reservedMetaKeys",
    type: ["none", "lastLabels", "secondLabel"],
    text: "Which `_meta` key prefixes are reserved: none stated; those with a label `mcp` or `modelcontextprotocol` followed by at least one more; those with it as second label.",
  },
  {
    name: "authorization",
    type: ["none", "authorizationServer", "resourceServer"],
    text: "The HTTP authorization model: none; the server (or one at its base URL) is the authorization server; the server is an OAuth resource server.",
  },
];
