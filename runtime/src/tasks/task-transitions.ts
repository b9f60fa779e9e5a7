// The changes of a task, as pure functions from a record to the next one. Each returns undefined when it does not apply.
import type { JSONRPCErrorObject } from "../jsonrpc/message-types.js";
import { hasEnded, type TaskQuestion, type TaskRecord } from "./task-record.js";

/** How a task ends. */
export type TaskOutcome =
  | {
      readonly status: "completed";
      readonly result: Readonly<Record<string, unknown>>;
      readonly statusMessage?: string;
    }
  | { readonly status: "failed"; readonly error: JSONRPCErrorObject; readonly statusMessage?: string }
  | { readonly status: "cancelled"; readonly statusMessage?: string };

type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The questions that wait for an answer. */
export function outstandingQuestions({ questions }: Pick<TaskRecord, "questions">): readonly TaskQuestion[] {
  return questions.filter(isOutstanding);
}

/** Asks a question, which is the last of `questions` in the result. Its key was never used before in this task. */
export function askQuestion(record: TaskRecord, request: TaskQuestion["request"], now: number): TaskRecord | undefined {
  if (hasEnded(record)) return undefined;
  return withQuestions(record, [...record.questions, { key: `q${record.questions.length + 1}`, request }], now);
}

/** Stores the answers to outstanding questions, and ignores all others. Undefined when there is nothing to store. */
export function answerQuestions(record: TaskRecord, answers: Answers, now: number): TaskRecord | undefined {
  return changeQuestions(record, now, (question) => {
    const answer = Object.hasOwn(answers, question.key) ? answers[question.key] : undefined;
    return answer && { ...question, answer };
  });
}

/** Withdraws an outstanding question. */
export function withdrawQuestion(record: TaskRecord, key: string, now: number): TaskRecord | undefined {
  return changeQuestions(record, now, (question) =>
    question.key === key ? { ...question, withdrawn: true } : undefined,
  );
}

/** Replaces the status message of a task that has not ended. */
export function describeTask(record: TaskRecord, statusMessage: string, now: number): TaskRecord | undefined {
  return hasEnded(record) ? undefined : { ...next(record, now), statusMessage };
}

/** Ends a task. Undefined when it has ended. */
export function endTask(record: TaskRecord, outcome: TaskOutcome, now: number): TaskRecord | undefined {
  if (hasEnded(record)) return undefined;
  const ended: TaskRecord = Object.assign(next(record, now), outcome, { questions: [] });
  if (record.statusMessage === undefined || outcome.statusMessage !== undefined) return ended;
  const { statusMessage: _, ...withoutMessage } = ended;
  return withoutMessage;
}

function isOutstanding({ answer, withdrawn }: TaskQuestion): boolean {
  return answer === undefined && withdrawn === undefined;
}

function changeQuestions(
  record: TaskRecord,
  now: number,
  change: (question: TaskQuestion) => TaskQuestion | undefined,
): TaskRecord | undefined {
  if (hasEnded(record)) return undefined;
  const questions = record.questions.map(
    (question) => (isOutstanding(question) ? change(question) : undefined) ?? question,
  );
  if (questions.every((question, at) => question === record.questions[at])) return undefined;
  return withQuestions(record, questions, now);
}

function withQuestions(record: TaskRecord, questions: readonly TaskQuestion[], now: number): TaskRecord {
  const status = questions.some(isOutstanding) ? "input_required" : "working";
  return { ...next(record, now), questions, status };
}

function next<Some extends Pick<TaskRecord, "version" | "lastUpdatedAt">>(record: Some, now: number): Some {
  // Clients compare the times of states to find the newer one.
  return { ...record, version: record.version + 1, lastUpdatedAt: Math.max(record.lastUpdatedAt + 1, now) };
}
