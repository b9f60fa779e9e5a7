import type { ServerRequestMap } from "@mcpwright/runtime/client";
import type { ELICITATION_CREATE, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import { ErrorCode, ProtocolError } from "@mcpwright/runtime/errors";
import type { PageAnswer, QuestionData } from "./page-data.js";

type ElicitResult = ServerRequestMap[typeof ELICITATION_CREATE]["result"];
type SamplingResult = ServerRequestMap[typeof SAMPLING_CREATE_MESSAGE]["result"];

/** The questions of the server that wait for the user of the page. */
export class PendingQuestions {
  readonly #questions = new Map<
    number,
    { readonly data: QuestionData; readonly answer: (answer: PageAnswer) => void }
  >();
  #lastId = 0;

  /** @param onChange called when a question comes or goes */
  constructor(private readonly onChange: () => void) {}

  get open(): readonly QuestionData[] {
    return [...this.#questions.values()].map(({ data }) => data);
  }

  /**
   * Asks the user. @param signal withdraws the question
   * @throws ProtocolError when the user refuses a sampling request
   */
  async askForm(question: Omit<QuestionData, "id">, signal: AbortSignal): Promise<ElicitResult> {
    const answer = await this.#ask(question, signal);
    if (answer.action === "accept")
      return { action: "accept", ...(answer.content && { content: answer.content as Record<string, string> }) };
    return { action: answer.action === "decline" ? "decline" : "cancel" };
  }

  /** Asks the user for the reply of a model. @throws ProtocolError when the user refuses */
  async askForReply(params: object, signal: AbortSignal): Promise<SamplingResult> {
    const answer = await this.#ask({ kind: "sampling", params: { ...params } }, signal);
    if (answer.action !== "reply")
      throw new ProtocolError(ErrorCode.UserRejected, "the user of the page refused to answer");
    return {
      role: "assistant",
      content: { type: "text", text: answer.text },
      model: "mcpwright dev",
      stopReason: "endTurn",
    };
  }

  /** Answers a question. @returns whether it was still open */
  answer(answer: PageAnswer): boolean {
    const question = this.#questions.get(answer.id);
    question?.answer(answer);
    return question !== undefined;
  }

  #ask(question: Omit<QuestionData, "id">, signal: AbortSignal): Promise<PageAnswer> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        signal.removeEventListener("abort", withdraw);
        this.#questions.delete(id);
        this.onChange();
      };
      const withdraw = (): void => {
        end();
        reject(signal.reason as Error);
      };
      const answer = (given: PageAnswer): void => {
        end();
        resolve(given);
      };
      if (signal.aborted) return withdraw();
      signal.addEventListener("abort", withdraw, { once: true });
      this.#questions.set(id, { data: { ...question, id }, answer });
      this.onChange();
    });
  }
}
