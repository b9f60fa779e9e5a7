import { longestTimerMs } from "../engine/check-numbers.js";

/** Whether something happens within so many milliseconds. */
export async function within(ms: number, event: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, Math.min(ms, longestTimerMs), false)));
  const happened = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return happened;
}
