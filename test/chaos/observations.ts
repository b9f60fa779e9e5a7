/** How the failures of calls are named in the documents, and what clients count. */
import { McpError, RemoteError } from "../../runtime/src/index.js";

/** Counted by clients. */
export type Tally = Readonly<Record<string, number>>;

/** The failures that the documents name; any other is a violation. */
export const failureNames = [
  "connection ended",
  "503 with Retry-After",
  "session lost",
  "the node of the request has died",
  "a message was not stored",
  "the backplane failed",
  "gap announced",
  "the answer to a question was lost",
  "the response was lost",
] as const;

export type FailureName = (typeof failureNames)[number];

export interface Failure {
  /** Undefined for a failure that the documents do not name. */
  readonly name: FailureName | undefined;
  readonly client: string;
  readonly revision: string;
  /** The call, or the request. */
  readonly what: string;
  readonly detail: string;
  /** The period of the call, in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

const byCode: Readonly<Record<string, FailureName>> = {
  SEND_FAILED: "connection ended",
  RESPONSE_LOST: "connection ended",
  CONNECTION_CLOSED: "connection ended",
  NOT_CONNECTED: "connection ended",
  SESSION_LOST: "session lost",
};

/** Results and errors of a server whose backplane fails (docs/guide/cluster-redis.md). */
const byText: readonly (readonly [RegExp, FailureName])[] = [
  [
    /^The process that (handled the request has ended|runs the call no longer responds)$/,
    "the node of the request has died",
  ],
  [/^A message of this request could not be stored/, "a message was not stored"],
  // A subscription or a log level could not be written.
  [/^Internal error$/, "the backplane failed"],
  [/^The server is not available at the moment; try again later$/, "503 with Retry-After"],
  [/cannot (read|set|extend|delete|append|publish|subscribe|drop).* in Redis/, "the backplane failed"],
  [/Last-Event-ID does not name a stored event/, "gap announced"],
];

/** The revisions whose responses are stored, or whose requests are passed on to another node: either can be lost in a failover. */
const losing: ReadonlySet<string> = new Set(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);

/** The tools that ask the client. */
const asking: ReadonlySet<string> = new Set(["elicit", "sample"]);

/** A tool has failed: its result says why. */
export class ToolFailure extends Error {}

/**
 * Names a failure as the documents do; undefined when they do not name it.
 * @param what the call
 */
export function nameOf(error: unknown, what = "", revision = ""): FailureName | undefined {
  const { message, code, data } = error as {
    message: string;
    code?: unknown;
    data?: { status?: unknown; body?: unknown };
  };
  const texts = [message, ...(typeof data?.body === "string" ? [data.body] : [])];
  const byMessage = byText.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
  if (error instanceof ToolFailure || error instanceof RemoteError) return byMessage;
  if (!(error instanceof McpError)) return undefined;
  // A POST of HTTP+SSE whose stream has ended.
  if (code === "HTTP_ERROR" && data?.status === 404) return "session lost";
  if (code === "HTTP_ERROR") return data?.status === 503 ? "503 with Retry-After" : byMessage;
  if (code === "REQUEST_TIMEOUT" && asking.has(what)) return "the answer to a question was lost";
  if (code === "REQUEST_TIMEOUT" && losing.has(revision)) return "the response was lost";
  return byCode[String(code)];
}
