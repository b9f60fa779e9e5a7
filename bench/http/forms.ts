import { opened, opening, type Params, request, type Revision, type Template, textOf } from "../shared/traffic.js";

/** Kind of requests: of the handshake era with or without sessions, or stateless. */
export type Kind = "sessions" | "no sessions" | "stateless";

/** Form of the replies. */
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

/** The data that a client repeats in the head of each request. */
export interface Conversation {
  readonly kind: Kind;
  /** The negotiated revision. */
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

/** A tool call that is complete except for the id. */
export function callOf(conversation: Conversation, params: Params & { readonly name: string }): Template {
  const { before, after } = request("tools/call", params, revisionOf(conversation.kind));
  const head = headOf(conversation, "tools/call", params.name);
  return { before: postOf(head, before.length + digits + after.length) + before, after };
}

export function openingOf(kind: Kind, capabilities: object = {}): string {
  const version = revisionOf(kind);
  const text = textOf(opening(version, capabilities), firstId);
  const method = kind === "stateless" ? "server/discover" : "initialize";
  return postOf(headOf({ kind, version, session: undefined }, method), text.length) + text;
}

/** The message of a handshake client after the opening. */
export function openedOf(conversation: Conversation): string {
  return messageOf(conversation, opened(revisionOf(conversation.kind)));
}

/** A message of a handshake client. @param text JSON in ASCII */
export function messageOf(conversation: Conversation, text: string): string {
  return postOf(headOf(conversation, ""), text.length) + text;
}

/** Opens a stream of change notifications in the stateless era. */
export function subscribingOf(conversation: Conversation, id: number): string {
  const method = "subscriptions/listen";
  const filter = { notifications: { toolsListChanged: true } };
  const text = textOf(request(method, filter, revisionOf(conversation.kind)), id);
  return postOf(headOf(conversation, method), text.length) + text;
}

/** Requests the stream for unrelated server messages. */
export function listeningOf(conversation: Conversation): string {
  const head = headOf(conversation, "");
  return `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n${head}\r\n`;
}
