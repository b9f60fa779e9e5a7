import { firstCharacters } from "../cut-text.js";
import type { MessagePassed, RelayEvent } from "../relay-events.js";
import { describeMessage } from "./describe-message.js";
import { noteOfEvent } from "./note-of-event.js";
import { OpenRequests } from "./open-requests.js";
import type { MessageFinding, MessageRow, NoteRow, Row, RowsEvent } from "./page-data.js";

const maxRows = 1_000;
/** Characters of all rows. */
const maxTotal = 16_000_000;
/** Characters of one message; the page shows the beginning of longer ones. */
const maxText = 1_000_000;
/** Characters of a row with lines that a server prints. */
const maxLine = 10_000;
/** Milliseconds from the first line of a row to the last. */
const togetherMs = 500;

type CommonRow = Pick<Row, "id" | "version" | "at" | "connection">;

/** Keeps the newest rows of the page: at most 1,000, and at most 16 million characters. */
export class MessageHistory {
  readonly #rows = new Map<number, Row>();
  readonly #open = new OpenRequests();
  readonly #listeners = new Set<() => void>();
  /** By the id of the connection. */
  readonly #names = new Map<string, string>();
  #total = 0;
  #lastId = 0;
  #version = 0;

  /** Grows with each change. */
  get version(): number {
    return this.#version;
  }

  /** Adds a row for an event, or a line to the row before it. @returns the id of the row */
  add(event: RelayEvent): number {
    const { connection } = event;
    if (event.kind === "stderr" && this.#addLine(this.#names.get(connection) ?? connection, event.line))
      return this.#lastId;
    if (event.kind === "host-connected") this.#names.set(connection, event.name);
    const common = this.#newRow(this.#names.get(connection) ?? connection);
    if (event.kind === "host-disconnected") this.#names.delete(connection);
    this.#add(event.kind === "message" ? this.#messageRow(event, common) : noteRow(noteOfEvent(event), common));
    return common.id;
  }

  /** Adds a row about the page itself. */
  addNote(text: string): void {
    this.#add(noteRow({ kind: "note", text }, this.#newRow(undefined)));
  }

  /** Adds the findings about the message of a row, if it is still kept. */
  addFindings(id: number, findings: readonly MessageFinding[]): void {
    if (findings.length === 0) return;
    this.#update(id, (row) => ({ findings: [...row.findings, ...findings] }));
    this.#changed();
  }

  /** Forgets all rows. */
  clear(): void {
    this.#rows.clear();
    this.#total = 0;
    this.#version++;
    this.#changed();
  }

  /** The rows that were added or changed after a version. */
  since(version: number): RowsEvent {
    const [oldest = this.#lastId + 1] = this.#rows.keys();
    return { oldest, rows: [...this.#rows.values()].filter((row) => row.version > version) };
  }

  /** Calls `listener` after each change. @returns a function that removes it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #newRow(connection: string | undefined): CommonRow {
    return {
      id: ++this.#lastId,
      version: ++this.#version,
      at: Date.now(),
      ...(connection !== undefined && { connection }),
    };
  }

  #add(row: Row): void {
    this.#rows.set(row.id, row);
    this.#total += row.text.length;
    for (const [id, { text }] of this.#rows) {
      if (this.#rows.size <= maxRows && this.#total <= maxTotal) break;
      this.#rows.delete(id);
      this.#total -= text.length;
    }
    this.#changed();
  }

  /** Lines that a server prints together, such as a stack trace, are one row. @returns whether the last row could take the line */
  #addLine(connection: string, line: string): boolean {
    const last = this.#rows.get(this.#lastId);
    if (last?.kind !== "stderr" || last.connection !== connection || Date.now() - last.at > togetherMs) return false;
    const text = `${last.text}\n${line}`;
    if (text.length > maxLine) return false;
    this.#rows.set(last.id, { ...last, text, version: ++this.#version });
    this.#total += text.length - last.text.length;
    this.#changed();
    return true;
  }

  #messageRow({ message, direction, origin, connection, durationMs }: MessagePassed, common: CommonRow): MessageRow {
    const { type, method, subject, id } = describeMessage(message);
    const key = { connection, direction, id };
    if (type === "request") this.#open.add(key, { row: common.id, method, subject });
    const asked = type === "result" || type === "error" ? this.#open.takeFor(key) : undefined;
    if (asked)
      this.#update(asked.row, () => ({ answeredBy: common.id, ...(durationMs !== undefined && { durationMs }) }));
    const text = JSON.stringify(message);
    const shownMethod = method ?? asked?.method;
    const shownSubject = subject ?? asked?.subject;
    return {
      ...common,
      kind: "message",
      direction,
      isOwn: origin === "relay",
      type,
      text: firstCharacters(text, maxText),
      length: text.length,
      findings: [],
      ...(asked && { answers: asked.row }),
      ...(shownMethod !== undefined && { method: shownMethod }),
      ...(shownSubject !== undefined && { subject: shownSubject }),
      ...(durationMs !== undefined && { durationMs }),
    };
  }

  #update(id: number, change: (row: MessageRow) => Partial<MessageRow>): void {
    const row = this.#rows.get(id);
    if (row?.kind === "message") this.#rows.set(id, { ...row, ...change(row), version: ++this.#version });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function noteRow({ kind, text }: Pick<NoteRow, "kind" | "text">, common: CommonRow): NoteRow {
  return { ...common, kind, text: firstCharacters(text, maxLine) };
}
