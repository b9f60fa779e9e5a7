import { isObject } from "../../../shared/is-object.js";
import { firstCharacters } from "../cut-text.js";
import type { MessageRow } from "./page-data.js";

/** What a row shows of a message. */
export interface MessageSummary {
  readonly type: MessageRow["type"];
  readonly method: string | undefined;
  readonly subject: string | undefined;
  readonly id: unknown;
}

/** Characters of a method or of the name of an item. */
const maxName = 200;

/** Describes a message, valid or not. */
export function describeMessage(message: unknown): MessageSummary {
  const none = { method: undefined, subject: undefined, id: undefined };
  if (Array.isArray(message)) return { ...none, type: "batch", subject: `${message.length} messages` };
  if (!isObject(message)) return { ...none, type: "invalid" };
  const { id, method, params } = message;
  if (typeof method === "string")
    return {
      type: id === undefined ? "notification" : "request",
      method: firstCharacters(method, maxName),
      subject: named(subjectOf(params)),
      id,
    };
  if (message["error"] !== undefined) {
    const { error } = message;
    const said = isObject(error) && typeof error["message"] === "string" ? error["message"] : undefined;
    return { type: "error", method: undefined, subject: named(said), id };
  }
  return { ...none, type: message["result"] === undefined ? "invalid" : "result", id };
}

function named(text: string | undefined): string | undefined {
  return text === undefined ? undefined : firstCharacters(text, maxName);
}

/** The name or URI in the params of a request, or what a notification says. */
function subjectOf(params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  for (const member of ["name", "uri", "message", "data"])
    if (typeof params[member] === "string") return params[member];
  return undefined;
}
