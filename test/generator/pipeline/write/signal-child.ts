import { writeOutput } from "../../../../generator/pipeline/write/write-output.js";
import type { Disk } from "../../../../generator/shared/files/disk.js";
import { watchedDisk } from "../../shared/files/broken-disk.js";
import { meta, type Tree } from "../../shared/files/tree.js";

/** The files that a test process writes, and the call at which it gets a signal. */
export interface ChildTask {
  readonly folder: string;
  readonly files: Tree;
  readonly signal?: NodeJS.Signals;
  readonly call?: keyof Disk;
  readonly at?: number;
}

const task = JSON.parse(process.argv[2] ?? "") as ChildTask;
const { folder, files, signal, call, at } = task;
const disk = watchedDisk(call ? [call] : [], (number) => {
  if (signal && number === at) process.kill(process.pid, signal);
});
try {
  await writeOutput(folder, new Map(Object.entries(files)), meta, { mode: "write", disk });
  process.stdout.write("written");
} catch (error) {
  process.stdout.write(String(error));
}
