import type { Answer, Question } from "./talk.js";

/** Two answers to a question that are not equal. */
export interface Difference {
  readonly server: string;
  readonly question: Question;
  readonly official: Answer;
  readonly ours: Answer | undefined;
}

/** A difference that is described in `docs/guide/compat.md`. */
export interface KnownDifference {
  readonly reason: string;
  readonly covers: (difference: Difference) => boolean;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    reason:
      "params that do not match the schema get -32602 with the names of the members, not -32603 with the issues of zod",
    covers: ({ official, ours }) => {
      const [theirs, own] = [errorOf(official), errorOf(ours)];
      return (
        theirs.code === -32603 &&
        /^\[\s*\{/.test(theirs.message) &&
        own.code === -32602 &&
        own.message.startsWith("Invalid params of ")
      );
    },
  },
  {
    reason: "a server on an older SDK agrees to the revision of the client, which that SDK does not know",
    covers: ({ server, question, official, ours }) =>
      server === "mcp-server-commands" &&
      question.method === "initialize" &&
      withoutRevision(official) === withoutRevision(ours),
  },
  {
    reason:
      "the server replaces validateToolInput, a private method of the official McpServer, to word errors of arguments",
    covers: ({ server, official, ours }) =>
      server === "figma-developer-mcp" &&
      textOf(official).startsWith("Invalid ") &&
      textOf(ours).includes("Input validation error"),
  },
];

/** The code and message of an error. */
export function errorOf(answer: Answer | undefined): { readonly code?: number; readonly message: string } {
  return { message: "", ...(answer && "error" in answer ? (answer.error as object) : {}) };
}

function withoutRevision(answer: Answer | undefined): string {
  return JSON.stringify(answer, (key, value: unknown) => (key === "protocolVersion" ? undefined : value));
}

/** The text of the error that a tool returns. */
function textOf(answer: Answer | undefined): string {
  const result = answer && "result" in answer ? answer.result : undefined;
  const { isError, content } = Object(result) as {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
  };
  return isError === true ? (content?.[0]?.text ?? "") : "";
}
