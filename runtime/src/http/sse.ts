/** Text of server-sent events (HTML standard, section 9.2). Data must be free of line breaks, as printed JSON is. */

/** A message. The type is what events have anyway, but many clients look for the field (MCP 2024-11-05, transports). */
export function event(data: string, id?: string): string {
  return id === undefined ? namedEvent("message", data) : `event: message\nid: ${id}\ndata: ${data}\n\n`;
}

export function namedEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

/** An event that gives the client an id to come back with, and nothing else (MCP 2025-11-25, transports). */
export function primingEvent(id: string, retryMs?: number): string {
  return `${retryMs === undefined ? "" : `retry: ${retryMs}\n`}id: ${id}\ndata: \n\n`;
}

/** Tells the client how long to wait before it comes back. */
export function retryField(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}

/** A comment, which keeps a silent connection open. */
export const KEEP_ALIVE = ":\n\n";
