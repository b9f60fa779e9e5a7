/** Redis has something else under a key than this version of the package writes there. */
export class UnreadableReply extends Error {
  constructor(what = "a reply of Redis") {
    super(`${what} was not written by this version of mcpwright; choose another prefix`);
  }
}

export function textOf(reply: unknown): string {
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : String(reply);
}

/** @throws UnreadableReply */
export function arrayOf(reply: unknown): unknown[] {
  if (Array.isArray(reply)) return reply;
  throw new UnreadableReply();
}

/** @throws UnreadableReply */
export function numberOf(reply: unknown): number {
  const text = textOf(reply);
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new UnreadableReply();
}

/** @throws UnreadableReply */
export function jsonOf(reply: unknown): unknown {
  try {
    return JSON.parse(textOf(reply));
  } catch {
    throw new UnreadableReply();
  }
}
