import { setTimeout as sleep } from "node:timers/promises";

/** Prints what a program has seen. The test compares what it prints with both packages. */
export function see(what: string, value: unknown): void {
  process.stdout.write(`${JSON.stringify({ [what]: value })}\n`);
}

/** Waits until a list has a number of entries, and prints it. */
export async function seeAll(what: string, list: readonly unknown[], count: number): Promise<void> {
  for (const end = Date.now() + 10_000; list.length < count && Date.now() < end;) await sleep(5);
  see(what, list);
}

/** What programs read of an error. */
export function failure(error: unknown): unknown {
  const { name, code, message } = error as { name?: unknown; code?: unknown; message?: unknown };
  return { name, code, message };
}
