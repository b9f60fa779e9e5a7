import { NOTIFICATIONS_TASKS_STATUS } from "@mcpwright/protocol/names";
import type { Session } from "../../server/client-description.js";
import type { ServerContext } from "../../server/contracts.js";
import { toListedTask } from "../core-task.js";
import type { TaskRecord } from "../task-record.js";
import { readCursor, writeCursor } from "../store/list-cursor.js";
import type { CoreQuestions, QuestionTarget } from "./core-questions.js";

/** The tasks of each session at this node. */
const ofSessions = new WeakMap<Session, SessionTasks>();

/** The least number of tasks at which a session looks for those that are gone. */
const leastSweep = 100;

/** A state that a session has seen. */
interface Seen extends Pick<TaskRecord, "owner"> {
  /** The position in the list of the session. */
  readonly stamp: number;
  version: number;
  /** Whether the client has sent a request about the task, so that it has received its id. */
  isRead: boolean;
}

/** The tasks that one session of 2025-11-25 has created or read. It is notified of their changes, and receives their questions. */
export class SessionTasks {
  readonly #seen = new Map<string, Seen>();
  /** The requests that wait for the end of a task, by its id. */
  readonly #waiting = new Map<string, Set<QuestionTarget>>();
  #count = 0;
  /** The number of tasks at which those that are gone are looked for. */
  #sweepAt = leastSweep;
  #unsubscribe: (() => void) | undefined;

  constructor(
    readonly questions: CoreQuestions,
    readonly session: QuestionTarget,
  ) {}

  /**
   * Returns a part of the ids, in the order in which the session has seen them.
   * @throws TaskStoreError `invalid-cursor`
   */
  page(cursor: string | undefined, limit: number): { readonly ids: readonly string[]; readonly nextCursor?: string } {
    const after = readCursor(cursor);
    const rest = [...this.#seen].filter(([, { stamp }]) => stamp > after);
    const ids = rest.slice(0, limit).map(([id]) => id);
    const last = rest[limit - 1];
    return rest.length > limit && last ? { ids, nextCursor: writeCursor(last[1].stamp) } : { ids };
  }

  /** Follows a task that a request of the session creates. */
  add({ id, owner, version }: TaskRecord): void {
    this.#see(id, { owner, version, stamp: ++this.#count, isRead: false });
    this.#subscribe();
  }

  /** Follows a task that a request of the session reads, and asks its questions. */
  follow({ id, owner, version, status }: TaskRecord): void {
    this.#subscribe();
    const { stamp, version: known } = this.#seen.get(id) ?? { stamp: ++this.#count, version };
    this.#see(id, { owner, version: Math.max(known, version), stamp, isRead: true });
    // Reads the task again: a question may have been answered by now.
    if (status === "input_required") void this.#onChange(id);
  }

  /** Sends the questions of a task on the stream of a request, until the returned function is called. */
  followOn(record: TaskRecord, request: ServerContext): () => void {
    const waiting = this.#waiting.get(record.id) ?? new Set();
    this.#waiting.set(record.id, waiting.add(request));
    this.follow(record);
    return () => {
      waiting.delete(request);
      if (waiting.size === 0) this.#waiting.delete(record.id);
    };
  }

  #subscribe(): void {
    this.#unsubscribe ??= this.questions.runner.store.subscribe((changed) => {
      // A store may not report the end of the tasks of a session, so any change releases one that has ended.
      if (!this.session.connection.isOpen) this.#end();
      else if (this.#seen.has(changed)) void this.#onChange(changed);
    });
  }

  async #onChange(id: string): Promise<void> {
    const { connection } = this.session;
    const seen = this.#seen.get(id);
    // Clients also poll, so a state that cannot be read now is not lost.
    const record = await this.#read(id, seen).catch(() => null);
    if (record === null || !seen) return;
    if (!record) {
      this.#forget(id);
      return;
    }
    this.questions.withdraw(id, record);
    if (record.version > seen.version) {
      seen.version = record.version;
      // Clients must not rely on the notification, so one that fails is ignored.
      connection.notify(NOTIFICATIONS_TASKS_STATUS, toListedTask(record)).catch(() => undefined);
    }
    const target = this.#target(id, seen);
    if (target) this.questions.ask(record, target);
  }

  #see(id: string, seen: Seen): void {
    this.#seen.set(id, seen);
    if (this.#seen.size >= this.#sweepAt) void this.#sweep();
  }

  #forget(id: string): void {
    this.questions.withdraw(id, undefined);
    this.#seen.delete(id);
  }

  /** Forgets the tasks that are gone: a store may not report their end. */
  async #sweep(): Promise<void> {
    this.#sweepAt = Infinity;
    for (const [id, seen] of [...this.#seen]) {
      const record = await this.#read(id, seen).catch(() => null);
      if (record === undefined) this.#forget(id);
    }
    this.#sweepAt = Math.max(leastSweep, 2 * this.#seen.size);
  }

  async #read(id: string, seen: Seen | undefined): Promise<TaskRecord | undefined> {
    return seen && this.questions.runner.store.get(id, seen.owner);
  }

  /** The stream of a request that waits for the task, else that of the session, if there is one (MCP 2025-11-25, tasks). */
  #target(id: string, { isRead }: Seen): QuestionTarget | undefined {
    const [waiting] = this.#waiting.get(id) ?? [];
    // A question must not arrive before the client knows the id of its task. On one stream it arrives after it, but clients that
    // handle the response to the call asynchronously do not know the task yet (@modelcontextprotocol/ext-tasks cancels the question).
    const canAsk = isRead && this.session.connection.transport.isReachable !== false;
    return waiting ?? (canAsk ? this.session : undefined);
  }

  #end(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#seen.clear();
  }
}

/** Returns the tasks of the session that a request belongs to. */
export function sessionTasks(questions: CoreQuestions, { session, connection, client }: ServerContext): SessionTasks {
  const found = session && ofSessions.get(session);
  const tasks = found ?? new SessionTasks(questions, { connection, client });
  if (session) ofSessions.set(session, tasks);
  return tasks;
}
