import type { Case, Kind, Revision } from "../contract.js";
import { contentBlocks, textBlock } from "./content.js";
import {
  cacheHints,
  implementation,
  inputRequest,
  type Json,
  requestEnvelope,
  requestMeta,
  resultEnvelope,
} from "./envelope.js";
import { type Faulty, faults } from "./faults.js";
import { formSchema } from "./form.js";
import { jsonRpcMessage } from "./json-rpc.js";
import { tools } from "./tools.js";

/** Number of instances per case: enough to keep every property access of a check polymorphic. */
const instances = 8;

export function casesOf(revision: Revision): readonly Case[] {
  const result = (index: number): Json => resultEnvelope(revision, index);
  const list = (index: number): Json => ({ ...result(index), ...cacheHints(revision, index) });
  return [
    makeCase("CallToolRequest", "request", (index) => ({
      ...requestEnvelope(index),
      method: "tools/call",
      params: {
        _meta: requestMeta(revision, index),
        name: "search",
        arguments: { query: "orders of last week", limit: 10 + index, filters: { tags: ["open"], archived: false } },
      },
    })),
    makeCase(
      "CallToolResult",
      "result",
      (index) => ({
        ...result(index),
        content: contentBlocks(index, 20),
        structuredContent: index % 4 === 2 ? { orders: [{ id: index, total: 12.5 }] } : undefined,
        isError: index % 3 === 1 ? false : undefined,
      }),
      "20 blocks",
    ),
    ...[100, 200].map((count) =>
      makeCase(
        "ListToolsResult",
        "result",
        (index) => ({
          ...list(index),
          tools: tools(index, count),
          nextCursor: index % 2 === 0 ? `page-${index}` : undefined,
        }),
        `${count} tools`,
      ),
    ),
    revision === "2025-11-25"
      ? makeCase("InitializeResult", "result", (index) => ({
          ...result(index),
          protocolVersion: revision,
          capabilities: serverCapabilities(index),
          serverInfo: implementation(index),
          instructions: index % 2 === 0 ? "Ask for an order by its number." : undefined,
        }))
      : makeCase("DiscoverResult", "result", (index) => ({
          ...list(index),
          supportedVersions: [revision, "2025-11-25"].slice(0, 1 + (index % 2)),
          capabilities: serverCapabilities(index),
          instructions: index % 2 === 0 ? "Ask for an order by its number." : undefined,
        })),
    makeCase("JSONRPCMessage", "request", (index) => jsonRpcMessage(revision, index)),
    makeCase("CreateMessageRequest", "request", (index) =>
      inputRequest(revision, index, "sampling/createMessage", {
        messages: Array.from({ length: 1 + (index % 4) }, (_, turn) => ({
          role: turn % 2 === 0 ? "user" : "assistant",
          content: turn === 2 ? [textBlock(turn), textBlock(turn + 1)] : textBlock(turn),
        })),
        modelPreferences: index % 2 === 0 ? { hints: [{ name: "small" }], speedPriority: 0.8 } : undefined,
        systemPrompt: index % 3 === 0 ? "You answer in one sentence." : undefined,
        temperature: index % 2 === 1 ? 0.2 : undefined,
        maxTokens: 1000,
        stopSequences: index % 4 === 0 ? ["END"] : undefined,
      }),
    ),
    makeCase(
      "ElicitRequest",
      "request",
      (index) =>
        inputRequest(revision, index, "elicitation/create", {
          mode: index % 2 === 0 ? "form" : undefined,
          message: "Please complete your profile.",
          requestedSchema: formSchema(index),
        }),
      "form",
    ),
    makeCase(
      "ReadResourceResult",
      "result",
      (index) => ({
        ...list(index),
        contents: [
          ...Array.from({ length: index % 3 }, (_, part) => ({ uri: `file:///notes/${part}.md`, text: "A note." })),
          {
            uri: "file:///image.png",
            mimeType: index % 2 === 0 ? "image/png" : undefined,
            blob: "QUJD".repeat(25_000),
          },
        ],
      }),
      "100 kB blob",
    ),
  ];
}

function makeCase(definition: Faulty, kind: Kind, make: (index: number) => Json, detail?: string): Case {
  const indexes = Array.from({ length: instances }, (_, index) => index);
  const valid = indexes.map((index) => JSON.stringify(inOrder(index, make(index))));
  const invalid = valid.map((text, index) => {
    const message = JSON.parse(text) as Record<string, unknown>;
    faults[definition](message, index);
    return JSON.stringify(message);
  });
  return { name: detail === undefined ? definition : `${definition}, ${detail}`, definition, kind, valid, invalid };
}

/** Varies the member order, as peers do, which gives objects different hidden classes. */
function inOrder(index: number, value: unknown): unknown {
  return index % 4 === 3 ? reversed(value) : value;
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

function serverCapabilities(index: number): Json {
  return {
    tools: { listChanged: index % 2 === 0 },
    resources: index % 2 === 1 ? { subscribe: true, listChanged: true } : undefined,
    prompts: index % 3 === 0 ? {} : undefined,
    logging: index % 4 === 0 ? {} : undefined,
    completions: index % 4 === 1 ? {} : undefined,
    experimental: index % 5 === 2 ? { "com.example/batch": { size: 10 } } : undefined,
  };
}
