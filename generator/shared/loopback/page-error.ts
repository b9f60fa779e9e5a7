import { McpError } from "@mcpwright/runtime/errors";

/** An error, as a page of the command line receives it. */
export interface PageError {
  /** A code of JSON-RPC; -32603 for errors without one. */
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Converts an error of a request for the page that made it. */
export function pageErrorOf(error: unknown): PageError {
  const { code } = error as { code?: unknown };
  const { data } = error instanceof McpError ? error : {};
  return {
    code: typeof code === "number" ? code : -32603,
    message: (error as Error).message,
    ...(data !== undefined && { data }),
  };
}
