import { toError } from "../jsonrpc/error-conversion.js";
import { withTimeLimit } from "../timing/with-time-limit.js";
import type { RedisConnection } from "./redis-client.js";
import { type ExplainedRedisFailure, explainRedisFailure } from "./redis-failure.js";
import type { RedisScript } from "./redis-script.js";

/** Sends commands and runs scripts, each with a time limit, and explains why they fail. */
export class RedisCommands {
  /** @param toFailure makes the error to throw */
  constructor(
    readonly connection: RedisConnection,
    readonly timeoutMs: number,
    readonly toFailure: (failure: ExplainedRedisFailure, cause: Error) => Error,
  ) {}

  /**
   * Sends a command.
   * @param what the command does, as in `cannot <what> in Redis`
   * @param key the key that the command is about; undefined when there is none
   * @param read reads the reply, and throws `UnreadableReply` when it cannot
   */
  async send<Value>(
    what: string,
    key: string | undefined,
    command: readonly string[],
    read: (reply: unknown) => Value,
  ): Promise<Value> {
    // Not in terms of `try`: each further promise costs as much as a part of the command.
    try {
      return read(await this.#sent(key, command));
    } catch (error) {
      throw this.#explained(what, error);
    }
  }

  /**
   * Runs a script.
   * @param keys what the script uses, all in one slot
   */
  run<Value>(
    what: string,
    { text, sha }: RedisScript,
    keys: readonly string[],
    args: readonly string[],
    read: (reply: unknown) => Value,
  ): Promise<Value> {
    const rest = [String(keys.length), ...keys, ...args];
    return this.try(what, async () => {
      try {
        return read(await this.#sent(keys[0], ["EVALSHA", await sha(), ...rest]));
      } catch (error) {
        // Redis has forgotten the script, or never had it.
        if (!toError(error).message.startsWith("NOSCRIPT")) throw error;
        return read(await this.#sent(keys[0], ["EVAL", text, ...rest]));
      }
    });
  }

  /** Explains why `work` failed. */
  async try<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      throw this.#explained(what, error);
    }
  }

  /** Waits for `work`, but not longer than the time limit. */
  limit<Value>(work: PromiseLike<Value>): Promise<Value> {
    return withTimeLimit(work, this.timeoutMs, () => new Error(`no reply within ${this.timeoutMs} ms`));
  }

  #explained(what: string, error: unknown): Error {
    const cause = toError(error);
    return this.toFailure(explainRedisFailure(what, cause, this.connection.address), cause);
  }

  #sent(key: string | undefined, command: readonly string[]): Promise<unknown> {
    return this.limit(this.connection.send(key, command, this.timeoutMs));
  }
}
