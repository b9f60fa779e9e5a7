import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type { CreateMessageRequestParams, ElicitRequestParams, LoggingLevel } from "../../authoring.js";
import { ErrorCode, ProtocolError, SdkError } from "../../jsonrpc/errors.js";
import type { ServerContext } from "../../server/contracts.js";
import { timerDelay } from "../../timing/timer-delay.js";
import { wantsLogs } from "./log-wishes.js";
import { toServerError } from "./client-error.js";

/** A log message of a server. */
export interface LogMessage {
  readonly level: LoggingLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/** A request of a client that a server is working on: the server can ask the client for input, and send log messages. */
export class ForwardedCall {
  #questions = 0;
  #waiting = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #timeout: AbortController | undefined;

  /** @param timeoutMs the time in which the server has to respond, while no question is open; undefined: it is limited elsewhere */
  constructor(
    readonly context: ServerContext,
    readonly timeoutMs: number | undefined,
  ) {
    if (timeoutMs === undefined || timeoutMs === Infinity) return;
    this.#timeout = new AbortController();
    this.#start();
  }

  /** Aborted when the client cancels the request, or the server does not respond in time. */
  get signal(): AbortSignal {
    const { signal } = this.context;
    return this.#timeout ? AbortSignal.any([signal, this.#timeout.signal]) : signal;
  }

  /** Restarts the time: the server has reported progress. */
  onProgress(): void {
    if (this.#waiting === 0) this.#start();
  }

  /** Sends a question of the server to the client, in the form of the client's revision. */
  async ask(method: string, params: object, signal: AbortSignal): Promise<object> {
    const { context } = this;
    const key = `question-${++this.#questions}`;
    this.#waiting++;
    clearTimeout(this.#timer);
    try {
      switch (method) {
        case ELICITATION_CREATE:
          return await context.elicit(key, params as ElicitRequestParams, { signal });
        case SAMPLING_CREATE_MESSAGE:
          return await context.sample(key, params as CreateMessageRequestParams, { signal });
        case ROOTS_LIST:
          return await context.listRoots(key, { signal });
        default:
          throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`);
      }
    } catch (error) {
      throw toServerError(error);
    } finally {
      this.#waiting--;
      if (this.#waiting === 0) this.#start();
    }
  }

  /** Whether the client wants log messages of this request. */
  get wantsLogs(): boolean {
    return wantsLogs(this.context);
  }

  log({ level, data, logger }: LogMessage): void {
    this.context.log(level, data, logger);
  }

  /** Called when the request has its outcome. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    const { timeoutMs } = this;
    if (!this.#timeout || timeoutMs === undefined) return;
    clearTimeout(this.#timer);
    const late = (): void =>
      this.#timeout?.abort(new SdkError("REQUEST_TIMEOUT", `no response within ${timeoutMs} ms`, { timeoutMs }));
    this.#timer = setTimeout(late, timerDelay(timeoutMs));
  }
}
