import type { NextQuestion } from "./questions.js";
import type { Answer, ClientSide } from "./talk.js";

/** A client that has every capability, and always answers the same. */
export const fullClient: ClientSide = {
  capabilities: {
    roots: { listChanged: true },
    sampling: {},
    elicitation: { form: {}, url: {} },
  },
  results: {
    "roots/list": { roots: [{ uri: "file:///tmp", name: "temporary" }] },
    "sampling/createMessage": {
      model: "none",
      role: "assistant",
      content: { type: "text", text: "a sample" },
      stopReason: "endTurn",
    },
    "elicitation/create": { action: "accept", content: { name: "Ada", check: true } },
  },
};

const tool = (name: string, args: unknown, others: object = {}): NextQuestion => ({
  method: "tools/call",
  params: { name, arguments: args, ...others },
});

/** Questions whose answers need this client, by the name of the server. */
export const fullClientQuestions: Readonly<Record<string, readonly NextQuestion[]>> = {
  "@modelcontextprotocol/server-everything": [
    tool("trigger-sampling-request", { prompt: "say something", maxTokens: 10 }),
    tool("trigger-elicitation-request", {}),
    tool("trigger-url-elicitation", { url: "https://example.com/form", message: "Open it" }),
    tool("trigger-long-running-operation", { duration: 1, steps: 4 }, { _meta: { progressToken: "p" } }),
    tool("get-roots-list", {}),
    tool("gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,abc", outputType: "resource" }),
    { method: "resources/subscribe", params: { uri: "demo://resource/dynamic/text/1" } },
    { method: "resources/unsubscribe", params: { uri: "demo://resource/dynamic/text/1" } },
    tool("toggle-subscriber-updates", {}),
    tool("toggle-subscriber-updates", {}),
    tool("simulate-research-query", { topic: "rain", ambiguous: false }, { task: { ttl: 60_000 } }),
    (last) => ({ method: "tasks/get", params: { taskId: taskOf(last) } }),
    (last) => ({ method: "tasks/result", params: { taskId: taskOf(last) } }),
    { method: "tasks/list" },
    { method: "tasks/get", params: { taskId: "none" } },
    tool("simulate-research-query", { topic: "rain", ambiguous: true }, { task: { ttl: 60_000 } }),
    (last) => ({ method: "tasks/result", params: { taskId: taskOf(last) } }),
    tool("simulate-research-query", { topic: "rain", ambiguous: false }, { task: { ttl: 60_000 } }),
    (last) => ({ method: "tasks/cancel", params: { taskId: taskOf(last) } }),
    tool("simulate-research-query", { topic: "rain" }),
  ],
};

/** The id of the task that an answer is about. */
function taskOf(answer: Answer): unknown {
  const { task, taskId } = ("result" in answer ? answer.result : {}) as {
    readonly task?: { readonly taskId?: string };
    readonly taskId?: string;
  };
  return task?.taskId ?? taskId;
}
