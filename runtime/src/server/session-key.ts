import { JsonSessionStore } from "./json-session-store.js";
import { SessionMemory } from "./session-memory.js";
import type { SessionHost, SessionKey, SessionStore } from "./session-store.js";

/**
 * Creates a key of `session.store`. Create each key once, in a module that its users import: keys with the same name mean the same value.
 * Use another name when the type of the value changes, because nodes of the version before may still run.
 * @param name unique within the server
 * @throws TypeError when the name is not a string, or is empty
 * @example
 * ```ts
 * const cart = sessionKey<readonly string[]>("cart");
 * ```
 */
export function sessionKey<Value extends object | string | number | boolean | null>(name: string): SessionKey<Value> {
  if (typeof name !== "string" || name === "")
    throw new TypeError("the name of a session key must be a non-empty string");
  return { name, openStore };
}

function openStore(host: SessionHost | undefined): SessionStore {
  const { sessionId, idleMs } = host?.transport ?? {};
  // Without `idleMs`, only this process serves the session.
  const shared = sessionId && idleMs !== undefined ? host?.server.node?.sessionData(sessionId, idleMs) : undefined;
  const data = shared ?? new SessionMemory((bytes) => host?.transport.reserve?.(bytes) ?? true);
  return new JsonSessionStore(data, host?.server.options.limits?.sessionDataLength);
}
