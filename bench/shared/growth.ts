import { goal } from "./goal.js";
import { machine, publish, quick } from "./results.js";
import { makeStage, type Stage } from "./stage.js";
import { goalTable } from "./tables.js";

export interface Growth {
  readonly name: string;
  readonly calls: number;
  /** Heap bytes after a collection, before and after the calls; a tenth as many calls precede both. */
  readonly before: number;
  readonly after: number;
  readonly bytesPerCall: number;
  /** Heap bytes right after the calls, before their remains expire. */
  readonly atTheEnd?: number;
}

const mostBytesPerCall = 100;
const longestMs = 900_000;

export function growthOf(name: string, calls: number, before: number, after: number): Growth {
  return { name, calls, before, after, bytesPerCall: (after - before) / calls };
}

/** The folder of the scripts, and the name and title of the report. */
export interface Subjects {
  readonly sources: string;
  readonly file: string;
  readonly title: string;
  readonly over: string;
}

/** `--quick` makes a twentieth of the calls, so that memory which does not grow with them looks like growth. */
export async function measureGrowths(
  { sources, file, title, over }: Subjects,
  measure: (stage: Stage, scale: number) => AsyncIterable<Growth>,
): Promise<void> {
  setTimeout(() => {
    console.error(`timed out after ${longestMs / 1_000} s`);
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
      `${machine}. Heap size after a forced garbage collection, minus the size after the first tenth of the calls. Each row is ` +
        `measured in separate processes, over ${over}.`,
      "",
      ...goalTable(goals),
      "",
    ];
    await publish(file, lines, { node: process.versions.node, growths, goals });
  } finally {
    stage.remove();
  }
}
