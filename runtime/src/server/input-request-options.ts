import type { CallOptions } from "../connection/call-options.js";

/** Options of a request for input. */
export interface InputRequestOptions extends CallOptions {
  /**
   * Asks a client that can run the request as a task to do so, and polls the task: for answers that take long (MCP 2025-11-25,
   * tasks). Needs `extensions: [tasks()]`; other clients answer as usual, and so do all clients of a tool that itself runs as a task.
   */
  readonly task?: boolean;
}
