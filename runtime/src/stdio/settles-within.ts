import { timerDelay } from "../timing/timer-delay.js";

/** Whether a promise resolves within `ms` milliseconds. */
export async function settlesWithin(ms: number, event: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, timerDelay(ms), false)));
  const happened = await Promise.race([event.then(() => true), timeout]);
  clearTimeout(timer);
  return happened;
}
