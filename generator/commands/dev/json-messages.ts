import { isObject } from "../../shared/is-object.js";

/** A JSON object of which nothing was checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A message of which only the presence of members was checked. */
export interface RawRequest extends JsonObject {
  readonly id: string | number;
  readonly method: string;
}

export interface RawNotification extends JsonObject {
  readonly method: string;
}

export interface RawResponse extends JsonObject {
  readonly id: string | number;
}

export function isRawRequest(message: unknown): message is RawRequest {
  return isObject(message) && typeof message["method"] === "string" && isId(message["id"]);
}

export function isRawNotification(message: unknown): message is RawNotification {
  return isObject(message) && typeof message["method"] === "string" && !("id" in message);
}

export function isRawResponse(message: unknown): message is RawResponse {
  return isObject(message) && !("method" in message) && isId(message["id"]);
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** The messages of a wire unit: those of a batch, or the only one. */
export function messagesOf(unit: unknown): readonly unknown[] {
  return Array.isArray(unit) ? unit : [unit];
}

/** The same wire unit with other messages; undefined when none is left. */
export function withMessages(unit: unknown, messages: readonly unknown[]): unknown {
  if (!Array.isArray(unit)) return messages[0];
  return messages.length === 0 ? undefined : messages;
}

/** Whether a JSON value is a message or a batch, and not something that a program printed. */
export function isWireUnit(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isObject(one) && "jsonrpc" in one);
  return isObject(value) && "jsonrpc" in value;
}

/** The member of an object, or an empty object. */
export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  let found = value;
  for (const key of path) found = isObject(found) ? found[key] : undefined;
  return isObject(found) ? found : {};
}
