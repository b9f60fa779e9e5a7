import type { Row } from "./figures.js";
import { control, jsonParse } from "./runners.js";

/** Up to this ratio, two engines count as equally fast. */
const noise = 1.15;
const mostOfJsonParse = { request: 0.1, result: 0.05, mixed: Infinity } as const;
const mostOfValid = 2;

/** Returns the goals that a row misses, one sentence each. */
export function missedGoals(row: Row, ours: string): readonly string[] {
  const faster = row.valid.filter(
    ({ engine, timesOurs }) => ![ours, control, jsonParse].includes(engine) && timesOurs * noise < 1,
  );
  const subject = `${row.revision}, ${row.name}`;
  const limit = mostOfJsonParse[row.kind];
  return [
    ...faster.map(({ engine, timesOurs }) => `${subject}: takes ${fixed(1 / timesOurs)} times as long as ${engine}`),
    ...(row.ofJsonParse > limit
      ? [`${subject}: takes ${fixed(row.ofJsonParse, 3)} of JSON.parse, more than ${limit}`]
      : []),
    ...(row.ofValid !== undefined && row.ofValid > mostOfValid
      ? [`${subject}: rejects an invalid message in ${fixed(row.ofValid)} times the time of the valid one`]
      : []),
  ];
}

function fixed(figure: number, digits = 2): string {
  return figure.toFixed(digits);
}
