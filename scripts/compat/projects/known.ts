import { isDeepStrictEqual } from "node:util";
import { steady } from "../servers/compare.js";
import { errorOf, type KnownDifference, knownDifferences } from "../servers/known.js";
import type { Answer } from "../servers/talk.js";

/** Differences of servers on compat, also to clients with all capabilities. They are described in `docs/guide/compat.md`. */
const ofCompat: readonly KnownDifference[] = [
  ...knownDifferences,
  {
    reason: "a tool that returns a result of the client as text returns its members in the order of the client",
    covers: ({ official, ours }) => linesOf(official) === linesOf(ours),
  },
  {
    reason: "the response to a request that creates a task can come before the first message of its status",
    covers: ({ question, official, ours }) =>
      question.method === "tools/call" &&
      isDeepStrictEqual(steady(withoutMessage(official)), steady(withoutMessage(ours))),
  },
];

/** Differences of servers that use the API of mcpwright. They are described in `docs/guide/migrating.md`. */
const ofNative: readonly KnownDifference[] = [
  {
    reason: "errors have the same code and another text",
    covers: ({ official, ours }) => errorOf(official).code === errorOf(ours).code && errorOf(ours).code !== undefined,
  },
  {
    reason: "the text about invalid arguments of a tool names members by pointers",
    covers: ({ official, ours }) =>
      toolErrorOf(official).startsWith("MCP error -32602: Input validation error: Invalid arguments for tool ") &&
      toolErrorOf(ours).startsWith("Invalid arguments for tool "),
  },
  {
    reason: "the call of an unknown tool gets the error -32602, not a result with isError",
    covers: ({ official, ours }) =>
      /^MCP error -32602: Tool .* not found$/.test(toolErrorOf(official)) &&
      errorOf(ours).code === -32602 &&
      errorOf(ours).message.startsWith("Unknown tool: "),
  },
  {
    reason: "an unknown resource gets the error -32002, as clients with a handshake expect",
    covers: ({ question, official, ours }) =>
      question.method === "resources/read" && errorOf(official).code === -32602 && errorOf(ours).code === -32002,
  },
  {
    reason: "schemas of tools are JSON Schema 2020-12, and tools do not list that they cannot run as tasks",
    covers: ({ question, official, ours }) =>
      question.method === "tools/list" && isDeepStrictEqual(withoutDialect(official), withoutDialect(ours)),
  },
];

/** @param level how the server was migrated */
export function knownDifferencesOf(level: string): readonly KnownDifference[] {
  return level === "native" ? [...ofCompat, ...ofNative] : ofCompat;
}

/** The lines of all texts in an answer, sorted. */
function linesOf(answer: Answer | undefined): string {
  const lines = JSON.stringify(answer).split(String.raw`\n`);
  return lines
    .map((line) => line.replace(/,$/, ""))
    .sort()
    .join("\n");
}

function withoutMessage(answer: Answer | undefined): unknown {
  const result = answer && "result" in answer ? (answer.result as { readonly task?: object }) : {};
  return { ...answer, result: { ...result, task: { ...result.task, statusMessage: undefined } } };
}

/** The text of a result with `isError`. */
function toolErrorOf(answer: Answer | undefined): string {
  const { isError, content } = Object(answer && "result" in answer ? answer.result : undefined) as {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
  };
  return isError === true ? (content?.[0]?.text ?? "") : "";
}

/** A list of tools without the members that say what is the default, and the dialect of their schemas. */
function withoutDialect(answer: Answer | undefined): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    const isDefault = key === "execution" && isDeepStrictEqual(value, { taskSupport: "forbidden" });
    return key === "$schema" || isDefault ? undefined : value;
  });
  return JSON.parse(text);
}
