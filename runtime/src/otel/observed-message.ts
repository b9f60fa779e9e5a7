import type { RequestId } from "@mcpwright/protocol/contract";

/** A request; without an id a notification, or an input request in a result. */
export interface ObservedMessage {
  readonly method: string;
  readonly params?: object | undefined;
  readonly id?: RequestId | undefined;
}

/** How the handling of a message ended: with the result or the error of its response, or with an error and without a response. */
export type Outcome =
  | { readonly result?: unknown }
  | { readonly errorResponse: { readonly code: number; readonly message: string } }
  | { readonly error: unknown };

/** Returns the result of a response; undefined for other outcomes. */
export function resultOf(outcome: Outcome): Readonly<Record<string, unknown>> | undefined {
  return "result" in outcome ? (outcome.result as Readonly<Record<string, unknown>> | undefined) : undefined;
}
