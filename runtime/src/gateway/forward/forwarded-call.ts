import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type { SwapRemoveItem } from "../../collections/swap-remove-set.js";
import type { CreateMessageRequestParams, ElicitRequestParams, LoggingLevel } from "../../authoring.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import type { ServerContext } from "../../server/contracts.js";
import { wantsLogs } from "./log-wishes.js";
import { toServerError } from "./client-error.js";

/** A log message of a server. */
export interface LogMessage {
  readonly level: LoggingLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/** A request of a client that a server is working on: the server can ask the client for input, and send log messages. */
export class ForwardedCall implements SwapRemoveItem {
  setIndex: number | undefined = undefined;
  #questions = 0;

  /**
   * @param canAsk whether the client's request is one during which it can be asked
   * @param order counts the requests of the connection
   */
  constructor(
    readonly context: ServerContext,
    readonly canAsk: boolean,
    readonly order: number,
  ) {}

  /** Sends a question of the server to the client, in the form of the client's revision. */
  async ask(method: string, params: object, signal: AbortSignal): Promise<object> {
    const { context } = this;
    const key = `question-${++this.#questions}`;
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
    }
  }

  /** Whether the client wants log messages of this request. */
  get wantsLogs(): boolean {
    return wantsLogs(this.context);
  }

  log({ level, data, logger }: LogMessage): void {
    this.context.log(level, data, logger);
  }
}
