import type { Trace } from "@mcpwright/runtime";
import { isObject } from "../../../shared/is-object.js";

export type Members = Readonly<Record<string, unknown>>;

/** Keeps the results of requests for lists as the server sent them: clients convert them to the newest revision. */
export class ListRecorder {
  readonly #methods: ReadonlySet<string>;
  readonly #requested = new Map<unknown, string>();
  readonly #results = new Map<string, Members[]>();

  /** @param methods those of lists */
  constructor(methods: ReadonlySet<string>) {
    this.#methods = methods;
  }

  readonly trace: Trace = (direction, message) => {
    for (const one of Array.isArray(message) ? (message as readonly unknown[]) : [message])
      if (isObject(one)) this.#record(direction, one);
  };

  /** The pages of a list; undefined if the server has sent none. */
  pagesOf(method: string): readonly Members[] | undefined {
    return this.#results.get(method);
  }

  #record(direction: "in" | "out", { id, method, result }: Members): void {
    if (direction === "out" && typeof method === "string" && this.#methods.has(method)) this.#requested.set(id, method);
    const requested = direction === "in" && method === undefined ? this.#requested.get(id) : undefined;
    if (requested === undefined) return;
    this.#requested.delete(id);
    if (isObject(result)) this.#results.set(requested, [...(this.#results.get(requested) ?? []), result]);
  }
}
