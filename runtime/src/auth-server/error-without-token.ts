import { toError } from "../jsonrpc/error-conversion.js";

const hidden = "[hidden]";
/** Shorter tokens are words of tests, and shorter parts of a token reveal too little of it: both occur by chance. */
const minToken = 8;
const minPart = 16;
/** How deep members and causes of an error are searched. */
const maxDepth = 5;

/**
 * Returns the error, or a copy without the token when it contains the token or one of the parts between its dots: a verifier may have
 * put it into a message, a URL or a cause. The copy has name, message and stack only.
 */
export function withoutToken(thrown: unknown, token: string): Error {
  const error = toError(thrown);
  const secrets = secretsOf(token);
  const contains = (secret: string): boolean =>
    // The stack may be an accessor.
    error.stack?.includes(secret) === true || containsText(error, secret, maxDepth);
  if (!secrets.some(contains)) return error;
  const clean = (text: string): string => hideToken(text, token);
  const copy = new Error(clean(error.message));
  copy.name = clean(error.name);
  if (error.stack !== undefined) copy.stack = clean(error.stack);
  return copy;
}

/** The texts that nothing may show of a token: itself, and the parts between its dots. */
export function secretsOf(token: string): readonly string[] {
  if (token.length < minToken) return [];
  return [token, ...token.split(".").filter((part) => part.length >= minPart)];
}

/** Returns a text without the token and its parts. */
export function hideToken(text: string, token: string): string {
  return secretsOf(token).reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
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
