import { toError } from "../jsonrpc/error-conversion.js";

const hidden = "[hidden]";
/** How deep members and causes of an error are searched. */
const maxDepth = 5;

/**
 * Returns the error, or a copy without the token when it contains the token: a verifier may have put it into a message, a URL or a
 * cause. The copy has name, message and stack only.
 */
export function withoutToken(thrown: unknown, token: string): Error {
  const error = toError(thrown);
  if (!containsText(error, token, maxDepth)) return error;
  const copy = new Error(error.message.replaceAll(token, hidden));
  copy.name = error.name.replaceAll(token, hidden);
  if (error.stack !== undefined) copy.stack = error.stack.replaceAll(token, hidden);
  return copy;
}

function containsText(value: unknown, text: string, depth: number): boolean {
  if (typeof value === "string") return value.includes(text);
  if (typeof value !== "object" || value === null) return false;
  // The search ends somewhere; the copy is safe.
  if (depth === 0) return true;
  // Members of errors are not enumerable.
  return Reflect.ownKeys(value).some((key) => {
    const member: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    return containsText(key, text, depth) || containsText(member, text, depth - 1);
  });
}
