import type { RedisCommands } from "./redis-commands.js";
import { arrayOf, textOf } from "./replies.js";

/** The difference between two clocks that is worth a warning, in milliseconds. */
const maxClockDifferenceMs = 30_000;

/** What is known of Redis once it responds. */
export interface RedisSettings {
  /** What is wrong with its settings, or with the clock of this process: a sentence for each. */
  readonly warnings: readonly string[];
  /** Milliseconds by which the clock of Redis is ahead of that of this process. */
  readonly clockOffsetMs: number;
}

/** Reads the settings. @throws the error of `commands` */
export async function readSettings(commands: RedisCommands): Promise<RedisSettings> {
  const [info, clockOffsetMs] = await Promise.all([
    commands.send("read the settings", undefined, ["INFO"], textOf),
    commands.send("read the time", undefined, ["TIME"], (reply) => toMs(arrayOf(reply)) - Date.now()),
  ]);
  return { warnings: [...settingWarnings(info), ...clockWarnings(clockOffsetMs)], clockOffsetMs };
}

function* settingWarnings(info: string): Generator<string> {
  const valueOf = (name: string): string => new RegExp(`^${name}:([^\\r\\n]*)`, "m").exec(info)?.[1] ?? "";
  const [version, policy] = [valueOf("redis_version"), valueOf("maxmemory_policy")];
  if (Number.parseInt(version) < 7) yield `Redis ${version} is too old; update it to 7.0 or newer`;
  if (Number(valueOf("maxmemory")) > 0 && policy !== "" && policy !== "noeviction")
    yield `Redis has the maxmemory-policy ${policy}: when it is full, it drops sessions and messages; set it to noeviction`;
}

function* clockWarnings(offsetMs: number): Generator<string> {
  if (Math.abs(offsetMs) <= maxClockDifferenceMs) return;
  const [seconds, side] = [Math.round(Math.abs(offsetMs) / 1_000), offsetMs > 0 ? "behind" : "ahead of"];
  yield `the clock of this process is ${seconds} seconds ${side} that of Redis: tokens may be rejected; correct it, for example by NTP`;
}

/** Reads seconds and microseconds. */
function toMs([seconds, micros]: readonly unknown[]): number {
  return Number(textOf(seconds)) * 1_000 + Number(textOf(micros)) / 1_000;
}
