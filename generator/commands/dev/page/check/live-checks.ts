import type { MessagePassed } from "../../relay-events.js";
import { LiveCheck, type LiveCheckOptions } from "./live-check.js";

/** Checks the messages of all connections, each as a conversation of its own. */
export class LiveChecks {
  readonly #checks = new Map<string, LiveCheck>();

  constructor(private readonly options: LiveCheckOptions) {}

  /** @param row the id of the row of the message */
  add(event: MessagePassed, row: number): void {
    const check = this.#checks.get(event.connection) ?? new LiveCheck(this.options);
    this.#checks.set(event.connection, check);
    check.add(event, row);
  }

  /** Forgets a connection that has ended. */
  end(connection: string): void {
    this.#checks.delete(connection);
  }
}
