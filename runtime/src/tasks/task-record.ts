import type { JSONRPCErrorObject, Params } from "../jsonrpc/message-types.js";
import type { Principal } from "../transport/principal.js";

/** The statuses of tasks (extension `io.modelcontextprotocol/tasks`, task status; MCP 2025-11-25, tasks). The last three are final. */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A question of a task to its client: one of its `inputRequests`. */
export interface TaskQuestion {
  /** Unique in the life of the task, also after restarts. */
  readonly key: string;
  readonly request: { readonly method: string; readonly params?: Params };
  /** Absent while the question is outstanding. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Whether the task no longer needs the answer. */
  readonly withdrawn?: true;
}

/** The state of a task, as stores keep it: plain JSON, never changed in place. */
export interface TaskRecord {
  /** At least 128 random bits, because some clients have no other proof that a task is theirs. */
  readonly id: string;
  /** 1 for a new task; each change adds 1. */
  readonly version: number;
  /** The principal that created the task, without other members; null without authorization. */
  readonly owner: Principal | null;
  /** The revision of the request that created the task. */
  readonly revision: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** Milliseconds since 1970. For display: stores measure the age of a task with their own clock. */
  readonly createdAt: number;
  /** Milliseconds since 1970; each change increases it. */
  readonly lastUpdatedAt: number;
  /** Milliseconds from the creation, after which the store deletes the task; null for never. */
  readonly ttlMs: number | null;
  /** Milliseconds that clients should wait between two polls. */
  readonly pollIntervalMs?: number;
  /** All questions of the task, also the answered ones, in the order in which they were asked; empty when it has ended. */
  readonly questions: readonly TaskQuestion[];
  /** Of a completed task: what the request would have returned without a task. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** Of a failed task. */
  readonly error?: JSONRPCErrorObject;
  /** The id of the worker that runs the task, or that ran it last. */
  readonly worker: string;
  /** Whether the task may run again from its request when its worker died. */
  readonly restartable: boolean;
  /** How often workers have started the task. */
  readonly attempts: number;
}

/** The request that created a task, which is needed to run it again: plain JSON, never changed. */
export interface TaskRequest {
  readonly method: string;
  readonly params: Params;
  /** The responses that the tool got before the task, by key. */
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo?: Readonly<Record<string, unknown>>;
}

/** Whether the status can no longer change. */
export function hasEnded({ status }: Pick<TaskRecord, "status">): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Whether no other worker, and no later start, has taken the task over between two records of it. */
export function isSameRun(one: TaskRecord, other: TaskRecord): boolean {
  return one.worker === other.worker && one.attempts === other.attempts;
}

/** Returns a key that identifies an owner: the same subject at another issuer is another owner. Empty for null. */
export function ownerKey(owner: Principal | null): string {
  return owner ? `${owner.issuer.length} ${owner.issuer}${owner.subject}` : "";
}
