import { opened, opening, type Params, request, type Revision, type Template, textOf } from "../shared/traffic.js";

/** How a server is asked: in the handshake era with sessions or without, or each request on its own. */
export type Kind = "sessions" | "no sessions" | "stateless";

/** What a server answers with. */
export type ReplyForm = "json" | "sse";

export interface Form {
  readonly kind: Kind;
  readonly reply: ReplyForm;
}

const kinds: readonly Kind[] = ["sessions", "no sessions", "stateless"];
export const forms: readonly Form[] = kinds.flatMap((kind) => [
  { kind, reply: "json" },
  { kind, reply: "sse" },
]);

export function revisionOf(kind: Kind): Revision {
  return kind === "stateless" ? "2026-07-28" : "2025-11-25";
}

export function nameOf({ kind, reply }: Form): string {
  return `${revisionOf(kind)}${kind === "stateless" ? "" : `, ${kind}`}, ${reply === "json" ? "JSON" : "SSE"}`;
}

/** What a client of a server has to say in the head of each request. */
export interface Conversation {
  readonly kind: Kind;
  /** The revision that was agreed on. */
  readonly version: string;
  readonly session: string | undefined;
}

function headOf({ kind, version, session }: Conversation, method: string, name?: string): string {
  const agreed = method === "initialize" ? "" : `MCP-Protocol-Version: ${version}\r\n`;
  const own = session === undefined ? "" : `Mcp-Session-Id: ${session}\r\n`;
  if (kind !== "stateless") return agreed + own;
  return `${agreed}Mcp-Method: ${method}\r\n${name === undefined ? "" : `Mcp-Name: ${name}\r\n`}`;
}

function postOf(head: string, bodyLength: number): string {
  return (
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
    `Accept: application/json, text/event-stream\r\n${head}Content-Length: ${bodyLength}\r\n\r\n`
  );
}

export const firstId = 1_000_000;
export const lastId = 9_999_999;
const digits = 7;

/** A call of a tool, in which only the id has yet to be filled in. */
export function callOf(conversation: Conversation, params: Params & { readonly name: string }): Template {
  const { before, after } = request("tools/call", params, revisionOf(conversation.kind));
  const head = headOf(conversation, "tools/call", params.name);
  return { before: postOf(head, before.length + digits + after.length) + before, after };
}

export function openingOf(kind: Kind): string {
  const version = revisionOf(kind);
  const text = textOf(opening(version), firstId);
  const method = kind === "stateless" ? "server/discover" : "initialize";
  return postOf(headOf({ kind, version, session: undefined }, method), text.length) + text;
}

/** What a client of the handshake era says after the opening. */
export function openedOf(conversation: Conversation): string {
  const text = opened(revisionOf(conversation.kind));
  return postOf(headOf(conversation, "notifications/initialized"), text.length) + text;
}

/** Asks for a stream for what the server says by itself. */
export function listeningOf(conversation: Conversation): string {
  const head = headOf(conversation, "");
  return `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n${head}\r\n`;
}
