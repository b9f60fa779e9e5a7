import { absent, capture, type Conversation, ref } from "../../../runtime/src/testing.js";
import { text } from "../messages.js";
import { agrees, refusesTheProbe } from "./openings.js";

const user = { role: "user", content: { type: "text", text: "Weather?" } };
const used = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "weather", input: {} }] };
const result = { type: "tool_result", toolUseId: "1", content: [{ type: "text", text: "Sunny" }] };

/** Sends a sampling request that the client rejects. */
function samples(name: string, code: number, params: object): Conversation {
  return {
    name,
    steps: [
      ...refusesTheProbe,
      ...agrees().slice(0, 3),
      { "<-": { id: "question", method: "sampling/createMessage", params: { maxTokens: 5, ...params } } },
      { "->": { id: "question", result: absent, error: { code } } },
      ...agrees().slice(3),
    ],
  };
}

const tools = [{ name: "weather", inputSchema: { type: "object" } }];
const sampling = [
  samples("lacks a tool's result", -32602, { tools, messages: [user, used, user] }),
  samples("mixes results and text", -32602, {
    tools,
    messages: [user, used, { role: "user", content: [result, user.content] }],
  }),
  samples("offers tools that were not asked for", -32602, { tools, messages: [user] }),
  samples("asks a client that did not declare it", -32601, { messages: [user] }),
];

/** Servers of the handshake era that break the rules. */
export const careless: Readonly<Record<string, Conversation>> = {
  ...Object.fromEntries(sampling.map((conversation) => [conversation.name, conversation])),
  "answers what was cancelled": {
    name: "answers what was cancelled",
    steps: [
      ...refusesTheProbe,
      ...agrees().slice(0, 3),
      { "->": { id: capture("slow"), method: "tools/call" } },
      { "->": { method: "notifications/cancelled", params: { requestId: ref("slow") } } },
      { "<-": { id: ref("slow"), result: text("late") } },
      { "->": { id: capture("quick"), method: "tools/call" } },
      { "<-": { id: ref("quick"), result: text("quick") } },
    ],
  },
};
