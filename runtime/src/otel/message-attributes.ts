import type { Attributes } from "@opentelemetry/api";
import {
  COMPLETION_COMPLETE,
  INITIALIZE,
  META_PROTOCOL_VERSION,
  NOTIFICATIONS_RESOURCES_UPDATED,
  PROMPTS_GET,
  RESOURCES_READ,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
  TOOLS_CALL,
} from "@mcpwright/protocol/names";
import type { ObservedConnection } from "../connection/telemetry.js";
import { isObject } from "../jsonrpc/guards.js";
import { attempt } from "./attempt.js";
import { type ObservedMessage, type Outcome, resultOf } from "./observed-message.js";

/** What a message says of its operation. */
export interface MessageAttributes {
  /** The name of the span. */
  readonly name: string;
  /** The attributes of the span and of the metric. */
  readonly common: Attributes;
  /** The attributes of the span only: their values are too many for a metric, or confidential. */
  readonly detailed: Attributes;
}

const methodsOfResources: readonly string[] = [
  RESOURCES_READ,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
  NOTIFICATIONS_RESOURCES_UPDATED,
];

/** @param isContentRecorded whether arguments are recorded */
export function messageAttributes(
  { method, params, id }: ObservedMessage,
  isContentRecorded: boolean,
): MessageAttributes {
  const { name, uri, ref, arguments: given } = (params ?? {}) as Readonly<Record<string, unknown>>;
  const isTool = method === TOOLS_CALL;
  const tool = isTool ? name : undefined;
  const prompt = method === PROMPTS_GET ? name : method === COMPLETION_COMPLETE ? promptOf(ref) : undefined;
  const target = tool ?? prompt;
  return {
    name: typeof target === "string" ? `${method} ${target}` : method,
    common: {
      "mcp.method.name": method,
      ...(isTool && { "gen_ai.operation.name": "execute_tool" }),
      ...(typeof tool === "string" && { "gen_ai.tool.name": tool }),
      ...(typeof prompt === "string" && { "gen_ai.prompt.name": prompt }),
    },
    detailed: {
      ...(id !== undefined && { "jsonrpc.request.id": String(id) }),
      ...(typeof uri === "string" && methodsOfResources.includes(method) && { "mcp.resource.uri": uri }),
      ...(isContentRecorded && isTool && given !== undefined && { "gen_ai.tool.call.arguments": jsonOf(given) }),
      ...(isContentRecorded && method === PROMPTS_GET && isObject(given) && promptVariables(given)),
    },
  };
}

/** The result of a tool, if the call has succeeded. */
export function toolResultAttributes({ method }: ObservedMessage, outcome: Outcome): Attributes {
  const result = method === TOOLS_CALL ? resultOf(outcome) : undefined;
  if (!result || result["isError"] === true) return {};
  return { "gen_ai.tool.call.result": jsonOf(result["structuredContent"] ?? result["content"]) };
}

function jsonOf(value: unknown): string | undefined {
  return attempt(() => JSON.stringify(value) as string | undefined);
}

/** The prompt that a completion is for. */
function promptOf(ref: unknown): unknown {
  return isObject(ref) && ref["type"] === "ref/prompt" ? ref["name"] : undefined;
}

function promptVariables(given: Readonly<Record<string, unknown>>): Attributes {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [`gen_ai.prompt.variable.${key}`, String(value)]),
  );
}

/**
 * The version of the protocol, as far as it is known: a stateless request states it, the response to a handshake chooses it for the
 * others.
 */
export function versionAttributes(
  { method, params }: ObservedMessage,
  { side, session }: ObservedConnection,
  outcome: Outcome = {},
): Attributes {
  const { _meta: meta } = (params ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> };
  const chosen = method === INITIALIZE ? resultOf(outcome)?.["protocolVersion"] : undefined;
  const version = chosen ?? meta?.[META_PROTOCOL_VERSION] ?? (side ?? session?.side)?.revision;
  return typeof version === "string" ? { "mcp.protocol.version": version } : {};
}

/** The session over HTTP. Stateless requests have none. */
export function sessionAttributes({ side, session, transport }: ObservedConnection): Attributes {
  const { profile } = side ?? session?.side ?? {};
  const { sessionId } = transport;
  return sessionId && profile?.opening !== "stateless" ? { "mcp.session.id": sessionId } : {};
}
