/**
 * The semantic conventions of OpenTelemetry for MCP: docs/gen-ai/mcp.md of github.com/open-telemetry/semantic-conventions-genai, at
 * commit 4172e394d28f2d26ec4a4514a45f153580c68670.
 */

/** `required` of all, `conditional`: required if it applies, `recommended` if it applies, `optIn`: only if the program asks for it. */
export type Level = "required" | "conditional" | "recommended" | "optIn";

const operation = {
  "mcp.method.name": "required",
  "error.type": "conditional",
  "gen_ai.prompt.name": "conditional",
  "gen_ai.tool.name": "conditional",
  "rpc.response.status_code": "conditional",
  "gen_ai.operation.name": "recommended",
  "jsonrpc.protocol.version": "recommended",
  "mcp.protocol.version": "recommended",
  "network.protocol.name": "recommended",
  "network.protocol.version": "recommended",
  "network.transport": "recommended",
} as const satisfies Record<string, Level>;

const onSpans = {
  ...operation,
  "jsonrpc.request.id": "conditional",
  "mcp.resource.uri": "conditional",
  "mcp.session.id": "recommended",
  "gen_ai.prompt.variable": "optIn",
  "gen_ai.tool.call.arguments": "optIn",
  "gen_ai.tool.call.result": "optIn",
} as const satisfies Record<string, Level>;

const ofServer = { "server.address": "recommended", "server.port": "recommended" } as const;

/** The attributes of spans, by what their side does: `client` sends the message, `server` receives it. */
export const spans: Readonly<Record<"client" | "server", Readonly<Record<string, Level>>>> = {
  client: { ...onSpans, ...ofServer },
  server: { ...onSpans, "client.address": "recommended", "client.port": "recommended" },
};

const onOperations = { ...operation, "mcp.resource.uri": "optIn" } as const;

const onSessions = {
  "error.type": "conditional",
  "jsonrpc.protocol.version": "recommended",
  "mcp.protocol.version": "recommended",
  "network.protocol.name": "recommended",
  "network.protocol.version": "recommended",
  "network.transport": "recommended",
} as const;

/** The attributes of the histograms; `gen_ai.prompt.variable`, which is opt-in there, is left out. */
export const histograms: Readonly<Record<string, Readonly<Record<string, Level>>>> = {
  "mcp.client.operation.duration": { ...onOperations, ...ofServer },
  "mcp.server.operation.duration": onOperations,
  "mcp.client.session.duration": { ...onSessions, ...ofServer },
  "mcp.server.session.duration": onSessions,
};

export const unit = "s";

/** In seconds. */
export const buckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** The codes of error responses that the side that sends them does not count as errors. */
export const callerCodes = [-32700, -32600, -32601, -32602, -32002];
