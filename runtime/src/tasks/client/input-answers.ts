import type { InputRequest } from "../../client/client-request-handlers.js";
import { isTransient } from "./poll-failure.js";
import type { TaskPort } from "./task-port.js";
import type { TaskState } from "./task-state.js";

const attempts = 5;
const firstPauseMs = 500;

interface Question {
  /** Aborted when the task no longer needs the answer. */
  readonly over: AbortController;
  /** Whether the handler has returned. */
  isHandled: boolean;
  /** The error with which the server rejected the answer. */
  refusal?: { readonly error: unknown };
}

export interface AnswerListener {
  /** The server has received an answer, or rejected it. */
  onSent(): void;
  /** An answer cannot be given. */
  onFailure(error: unknown): void;
}

/** Answers the input requests of one task, each once (extension `io.modelcontextprotocol/tasks`, task update requests). */
export class InputAnswers {
  /** All requests so far, by key: keys are unique in the life of a task. */
  readonly #questions = new Map<string, Question>();
  #isClosed = false;

  constructor(
    readonly port: TaskPort,
    readonly listener: AnswerListener,
  ) {}

  /** Starts to answer the new requests, and aborts the handlers of those that are no longer outstanding. */
  update({ inputRequests = {} }: TaskState): void {
    if (this.#isClosed) return;
    for (const [key, { over, isHandled }] of this.#questions)
      if (!isHandled && !Object.hasOwn(inputRequests, key))
        over.abort(new Error("the task no longer needs the answer"));
    for (const [key, request] of Object.entries(inputRequests)) {
      const known = this.#questions.get(key);
      if (known?.refusal) return this.listener.onFailure(known.refusal.error);
      if (!known) void this.#answer(key, request);
    }
  }

  /** Aborts all handlers. */
  close(): void {
    this.#isClosed = true;
    for (const { over } of this.#questions.values()) over.abort(new Error("the task is over"));
  }

  async #answer(key: string, request: InputRequest): Promise<void> {
    const question: Question = { over: new AbortController(), isHandled: false };
    this.#questions.set(key, question);
    const { signal } = question.over;
    let answer: object;
    try {
      answer = await this.port.handleInput(request, signal);
    } catch (error) {
      if (!signal.aborted) this.listener.onFailure(error);
      return;
    }
    question.isHandled = true;
    if (signal.aborted) return;
    try {
      await this.#send(key, answer, signal);
    } catch (error) {
      // The task may have ended in the meantime: its next state decides.
      question.refusal = { error };
    }
    if (!this.#isClosed) this.listener.onSent();
  }

  /** Servers ignore an answer that they have received before, so it can be sent again. */
  async #send(key: string, answer: object, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.port.answer(key, answer);
        return;
      } catch (error) {
        if (this.#isClosed || attempt === attempts || !isTransient(error)) throw error;
      }
      await pause(firstPauseMs * 2 ** (attempt - 1), signal);
    }
  }
}

/** Waits, but not after the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
