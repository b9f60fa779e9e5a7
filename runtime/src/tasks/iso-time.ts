let lastTime = NaN;
let lastText = "";

/** Writes a time as ISO 8601. Most tasks of a busy server have the same times as the one before. */
export function isoTime(time: number): string {
  if (time !== lastTime) {
    lastText = new Date(time).toISOString();
    lastTime = time;
  }
  return lastText;
}
