/** A script in Lua, and how Redis names it. */
export interface RedisScript {
  readonly text: string;
  /** Resolves to the SHA-1 of the text, in hexadecimal. */
  readonly sha: () => Promise<string>;
}

export function script(text: string): RedisScript {
  let sha: Promise<string> | undefined;
  return { text, sha: () => (sha ??= sha1(text)) };
}

/** Redis names scripts by their SHA-1; nothing depends on its security. */
async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
