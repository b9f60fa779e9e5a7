/** Measures the heap with tasks in flight, and after they have expired, several times. Prints bytes as JSON. Needs `--expose-gc`. */
import { heldBytes } from "../../shared/held-bytes.js";
import type { Reply } from "./requests.js";
import { connect } from "./server.js";

const [rounds = 5, count = 10_000, ttlMs = 10_000] = process.argv.slice(2).map(Number);
const request = await connect(count, ttlMs);
const results: { inFlight: number; after: number }[] = [];

for (let round = 0; round <= rounds; round++) {
  const start = performance.now();
  // Some at a time: a connection limits the requests in flight.
  const replies: Reply[] = [];
  while (replies.length < count)
    replies.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(500, count) }, () =>
          request("tools/call", { name: "waiting task", arguments: {} }),
        ),
      )),
    );
  const refused = replies.find(({ result }) => result?.["resultType"] !== "task");
  if (refused) throw new Error(JSON.stringify(refused));
  const inFlight = await heldBytes();
  const taskId = replies.at(-1)?.result?.["taskId"];
  const { result } = await request("tasks/get", { taskId });
  if (result?.["status"] !== "working" || performance.now() - start > ttlMs)
    throw new Error("the machine is too slow: the tasks have expired already");
  replies.length = 0;
  // Expired tasks are deleted at most once a second.
  await new Promise((resolve) => setTimeout(resolve, ttlMs + 2_500));
  // The first round warms up.
  if (round > 0) results.push({ inFlight, after: await heldBytes() });
}
console.log(JSON.stringify(results));
process.exit();
