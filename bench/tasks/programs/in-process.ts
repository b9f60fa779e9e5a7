/** Measures plain calls and tasks in turns. Prints CPU microseconds of each round as JSON. */
import { connect } from "./server.js";

const [rounds = 11, slices = 10, batches = 20] = process.argv.slice(2).map(Number);
const batch = 50;
const request = await connect(1_000_000, 1_000);

async function plain(): Promise<void> {
  const replies = await Promise.all(
    Array.from({ length: batch }, () => request("tools/call", { name: "plain", arguments: {} })),
  );
  if (!replies.every(({ result }) => result?.["resultType"] === "complete"))
    throw new Error(JSON.stringify(replies[0]));
}

async function task(): Promise<void> {
  const created = await Promise.all(
    Array.from({ length: batch }, () => request("tools/call", { name: "task", arguments: {} })),
  );
  // The tools run in the next turns.
  await new Promise((resolve) => setTimeout(resolve, 2));
  const replies = await Promise.all(created.map(({ result }) => request("tasks/get", { taskId: result?.["taskId"] })));
  if (!replies.every(({ result }) => result?.["status"] === "completed")) throw new Error(JSON.stringify(replies[0]));
}

const forms = { plain, task };
type Form = keyof typeof forms;

/** CPU microseconds of one call. */
async function measure(form: Form): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < batches; at++) await forms[form]();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (batches * batch);
}

const results: Record<Form, number[]> = { plain: [], task: [] };
for (let at = 0; at < slices; at++) for (const form of ["plain", "task"] as const) await measure(form);
for (let round = 0; round < rounds; round++) {
  const sums = { plain: 0, task: 0 };
  for (let slice = 0; slice < slices; slice++)
    for (const form of Math.random() < 0.5 ? (["plain", "task"] as const) : (["task", "plain"] as const))
      sums[form] += await measure(form);
  for (const form of ["plain", "task"] as const) results[form].push(sums[form] / slices);
}
console.log(JSON.stringify(results));
process.exit();
