const maxLength = 300;
/** Runs of characters that may be (part of) a token. Shorter parts reveal too little of one. */
const words = /[\w\-.~+/=%]{8,}/g;
const jwt = /\bey[\w-]{6,}\.[\w-]+(?:\.[\w-]*)*/g;

/**
 * Makes a text of an authorization server fit for messages and logs: one line, short, without control characters, JWTs, and
 * the secrets that the server may have repeated.
 * @param secrets what was sent to the server and must not be shown; empty ones do not count
 * @returns undefined for an empty text, and for other types
 */
export function cleanErrorText(text: unknown, secrets: readonly string[] = []): string | undefined {
  if (typeof text !== "string") return undefined;
  // A secret that was cut off by a limit would not be recognized.
  let clean = text.slice(0, 100 * maxLength);
  for (const secret of secrets) if (secret !== "") clean = clean.replaceAll(secret, "[hidden]");
  clean = clean
    .replace(jwt, "[hidden]")
    .replace(words, (word) => (secrets.some((secret) => secret.includes(word)) ? "[hidden]" : word))
    // Control characters, also those that change the direction or end the line of a text.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    .trim();
  if (clean === "") return undefined;
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean;
}
