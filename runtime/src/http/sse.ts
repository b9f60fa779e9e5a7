/** Prints server-sent events (HTML standard, section 9.2). Data must not contain line breaks; printed JSON has none. */

/** A message event. `message` is the default type, but many handshake-era clients require the field (MCP 2024-11-05, transports). */
export function event(data: string, id?: string): string {
  return id === undefined ? namedEvent("message", data) : `event: message\nid: ${id}\ndata: ${data}\n\n`;
}

/** A message event of the stateless era: its clients do not need the field (MCP 2026-07-28, Streamable HTTP). */
export function unnamedEvent(data: string): string {
  return `data: ${data}\n\n`;
}

export function namedEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

/** An event without data that gives the client an id to resume from (MCP 2025-11-25, transports). */
export function primingEvent(id: string, retryMs?: number): string {
  return `${retryMs === undefined ? "" : `retry: ${retryMs}\n`}id: ${id}\ndata: \n\n`;
}

/** Asks the client to wait this long before it reconnects. */
export function retryField(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}

/** A comment that keeps an idle connection open. */
export const KEEP_ALIVE = ":\n\n";
