// What the page and the program that serves it send to each other. The page imports only this and `form/` of the program.

/** A place in a message that breaks a rule of `mcpwright validate`. */
export interface MessageFinding {
  readonly rule: string;
  readonly severity: "error" | "warning" | "note";
  /** Such as `$.params.arguments`. */
  readonly path: string;
  readonly message: string;
  /** The section of the specification. */
  readonly link?: string;
}

interface CommonRow {
  /** Counted from 1, in the order of the rows. */
  readonly id: number;
  /** Grows with each row and each change of a row. */
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The name of the host connection that the row belongs to; absent for what concerns the page. */
  readonly connection?: string;
}

/** A message that passed the relay. */
export interface MessageRow extends CommonRow {
  readonly kind: "message";
  readonly direction: "to-server" | "to-host";
  /** Whether `mcpwright dev` wrote it, and not the host or the server. */
  readonly isOwn: boolean;
  readonly type: "request" | "result" | "error" | "notification" | "batch" | "invalid";
  /** For a response, the method of its request. */
  readonly method?: string;
  /** What the message is about, such as the name of the tool. */
  readonly subject?: string;
  /** The row of the request that this is the response to. */
  readonly answers?: number;
  /** The row of the response. */
  readonly answeredBy?: number;
  /** Milliseconds from the request to the response. */
  readonly durationMs?: number;
  /** The message as JSON, or its beginning. */
  readonly text: string;
  /** Of the whole message, in characters. */
  readonly length: number;
  readonly findings: readonly MessageFinding[];
}

/** Something that happened to a server, to its host or to the page. */
export interface NoteRow extends CommonRow {
  readonly kind: "connected" | "started" | "ready" | "ended" | "failed" | "stderr" | "stdout" | "note";
  readonly text: string;
}

export type Row = MessageRow | NoteRow;

/** New and changed rows. Rows before `oldest` are gone. */
export interface RowsEvent {
  readonly oldest: number;
  readonly rows: readonly Row[];
}

/** A listed tool, prompt, resource or template, as the server sent it. */
export type Listed = Readonly<Record<string, unknown>>;

/** The page's own connection to the server. */
export interface SessionData {
  readonly state: "connecting" | "connected" | "failed";
  /** Why it failed, or which lists could not be fetched. */
  readonly problems: readonly string[];
  readonly server?: { readonly name: string; readonly version: string; readonly title?: string };
  readonly revision?: string;
  readonly instructions?: string;
  /** Lists that the server does not offer are absent. */
  readonly tools?: readonly Listed[];
  readonly prompts?: readonly Listed[];
  readonly resources?: readonly Listed[];
  readonly resourceTemplates?: readonly Listed[];
}

/** A question of the server to the page's client. */
export interface QuestionData {
  readonly id: number;
  readonly kind: "form" | "url" | "sampling";
  readonly params: Readonly<Record<string, unknown>>;
  /** About the address that the user should open. */
  readonly warnings?: readonly string[];
  /** Why the address must not be opened. */
  readonly problem?: string;
}

/** Progress of a request of the page. */
export interface ProgressData {
  /** The id that the page gave the request. */
  readonly request: string;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The events of the stream of the page, by name. */
export interface PageEvents {
  /** The first event: what the page shows is of this run. */
  readonly hello: { readonly entry: string; readonly version: string };
  readonly rows: RowsEvent;
  readonly session: SessionData;
  readonly questions: readonly QuestionData[];
  readonly progress: ProgressData;
}

/** A request that the page posts to `request`. It is cancelled when the page stops waiting for the response. */
export interface PageRequest {
  readonly id: string;
  readonly kind: "tool" | "prompt" | "resource";
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** The response to a `PageRequest`. */
export type PageResponse =
  | { readonly result: Readonly<Record<string, unknown>>; readonly notes: readonly string[] }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** The answer to a question, which the page posts to `answer`. */
export type PageAnswer =
  | { readonly id: number; readonly action: "accept"; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly id: number; readonly action: "decline" | "cancel" }
  | { readonly id: number; readonly action: "reply"; readonly text: string };

/** The header that carries the token of the page. */
export const TOKEN_HEADER = "mcpwright-token";
