import { goal } from "./goal.js";
import { machine, publish, quick } from "./results.js";
import { makeStage, type Stage } from "./stage.js";
import { goalTable } from "./tables.js";

export interface Growth {
  readonly name: string;
  readonly calls: number;
  /** Bytes on the heap, collected, before and after; a tenth of the calls went before. */
  readonly before: number;
  readonly after: number;
  readonly bytesPerCall: number;
  /** Bytes before what the calls left behind had the time to end. */
  readonly atTheEnd?: number;
}

const mostBytesPerCall = 100;
const longestMs = 900_000;

export function growthOf(name: string, calls: number, before: number, after: number): Growth {
  return { name, calls, before, after, bytesPerCall: (after - before) / calls };
}

/** What is looked at: where the scripts are, and what the report is called. */
export interface Subjects {
  readonly sources: string;
  readonly file: string;
  readonly title: string;
  readonly over: string;
}

/** `--quick` makes a twentieth of the calls; what a server holds anyway then looks like growth. */
export async function measureGrowths(
  { sources, file, title, over }: Subjects,
  measure: (stage: Stage, scale: number) => AsyncIterable<Growth>,
): Promise<void> {
  setTimeout(() => {
    console.error(`not done after ${longestMs / 1_000} s`);
    process.exit(1);
  }, longestMs).unref();
  const stage = await makeStage(sources);
  try {
    const growths: Growth[] = [];
    for await (const growth of measure(stage, quick ? 0.05 : 1)) growths.push(growth);
    const goals = growths.map(({ name, calls, bytesPerCall }) =>
      goal(`${name}: bytes per call after ${calls.toLocaleString("en")} calls`, mostBytesPerCall, bytesPerCall),
    );
    const lines = [
      `# ${title}`,
      "",
      `${machine}. What is on the heap after a forced collection, less what was there after the first tenth of the calls; ` +
        `in processes of their own, over ${over}.`,
      "",
      ...goalTable(goals),
      "",
    ];
    await publish(file, lines, { node: process.versions.node, growths, goals });
  } finally {
    stage.remove();
  }
}
