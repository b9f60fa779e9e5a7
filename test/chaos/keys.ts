/** The keys in Redis: all must expire, and none may be left of sessions that have ended. */
import { prefix, streamTtlMs } from "./model.js";

/** The milliseconds that each key lives on, by name; -1 for a key without expiry. */
export type Lives = ReadonlyMap<string, number>;

/** What belongs to the server, not to its clients: it is replaced, not added to, and lives on after them. */
const ofServer = /^(l:\{(changes|sessions):|v:\{nodes:)/;
/** The uses of states, which nodes remember as long as the states are valid. */
const ofState = "v:{used:";
const stateMs = 900_000;
const ofSession = /^(v:\{(session|session-data|listener):|l:\{messages:)/;
const ofStream = "l:{events:";
const dayMs = 86_400_000;
/** Longer than anything else is kept. */
export const longestMs = 90_000;

const listKeys = `
local lives = {}
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  lives[#lives + 1] = key
  lives[#lives + 1] = redis.call('PTTL', key)
end
return lives`;

const measure = `
local bytes = 0
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  bytes = bytes + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0)
end
return bytes`;

/** The master of a pair of servers. */
interface Redis {
  command(...args: string[]): Promise<unknown>;
}

export async function readLives(redis: Redis): Promise<Lives> {
  const reply = (await redis.command("EVAL", listKeys, "0", prefix)) as readonly unknown[];
  const lives = new Map<string, number>();
  for (let at = 0; at < reply.length; at += 2) lives.set(String(reply[at]).slice(prefix.length), Number(reply[at + 1]));
  return lives;
}

/** Returns the memory of Redis without buffers, and without what belongs to the server: its logs grow up to their bounds. */
export async function memoryOf(redis: Redis): Promise<number> {
  const info = String(await redis.command("INFO", "memory"));
  const dataset = Number(/used_memory_dataset:(\d+)/.exec(info)?.[1]);
  let bytes = 0;
  for (const name of ["l:{changes:", "l:{sessions:", ofState])
    bytes += Number(await redis.command("EVAL", measure, "0", `${prefix}${name}`));
  return dataset - bytes;
}

/** Returns the keys that live too long. @param sessionMs how long the data of a session may live on */
export function findUnbounded(lives: Lives, sessionMs: number): string[] {
  return [...lives].flatMap(([key, life]) => {
    const most = ofSession.test(key)
      ? sessionMs
      : key.startsWith(ofStream)
        ? streamTtlMs
        : ofServer.test(key)
          ? 30 * dayMs
          : key.startsWith(ofState)
            ? stateMs
            : longestMs;
    if (life === -1) return [`${key} has no expiry`];
    return life > most ? [`${key} lives for ${life} ms, longer than ${most} ms`] : [];
  });
}

/** The keys that belong to sessions. */
export function keysOfSessions(lives: Lives): string[] {
  return [...lives.keys()].filter((key) => ofSession.test(key));
}

/** The keys that belong to clients, calls or nodes, all of which have ended. */
export function keysOfEnded(lives: Lives): string[] {
  return [...lives.keys()].filter((key) => !ofServer.test(key) && !key.startsWith(ofState));
}
