import type { ResultDescriptor } from "@mcpwright/protocol/contract";
import { PING, RESOURCES_READ, TOOLS_CALL } from "@mcpwright/protocol/names";
import type { Tool } from "../authoring.js";

/** The methods, besides lists, that have the same effect when a request is carried out twice. */
const idempotent: readonly string[] = [PING, RESOURCES_READ];

/** Decides which requests may be sent again, when a server may have carried them out but the response was lost. */
export class RepeatableRequests {
  /** The names of listed tools that may be called twice, by their hints. */
  readonly #tools = new Set<string>();

  /** @param isEnabled the option `repeatLost` */
  constructor(readonly isEnabled: boolean) {}

  /** Forgets all tools, because the server may differ. */
  clear(): void {
    this.#tools.clear();
  }

  addTools(tools: readonly Tool[]): void {
    for (const { name, annotations } of tools) {
      if (annotations?.readOnlyHint === true || annotations?.idempotentHint === true) this.#tools.add(name);
      else this.#tools.delete(name);
    }
  }

  includes(row: ResultDescriptor, method: string, params: object | undefined): boolean {
    if (!this.isEnabled) return false;
    if (method === TOOLS_CALL) return this.#tools.has((params as { readonly name: string }).name);
    return row.pages !== undefined || idempotent.includes(method);
  }
}
